package org.ecstore.sim.client;

import java.util.List;
import java.util.Optional;
import org.ecstore.protocol.ClientRequest;
import org.ecstore.sim.node.NodeMutation;
import org.ecstore.sim.node.SimCluster;
import org.ecstore.sim.node.SimHost;
import org.ecstore.sim.world.SimRandom;
import org.ecstore.sim.world.SwarmSettings;
import org.ecstore.sim.world.World;

/**
 * An operator who asks each node that starts for its status, some times: before it knows a map too.
 */
public final class StatusAsked {
  private static final int CLIENT = 6000;
  private static final int TIMES = 4;

  private final World world;
  private final SimRandom random;
  private final SimClient client;

  private StatusAsked(World world, SimCluster cluster) {
    this.world = world;
    this.random = world.random("status");
    this.client =
        new SimClient(
            world,
            cluster.network(),
            CLIENT,
            cluster.hosts().stream().map(SimHost::id).toList(),
            random.fork("client"),
            NodeMutation.ClientBehaviour.RIGHT);
  }

  /** From now on each node that starts is asked. */
  public static void each(World world, SimCluster cluster) {
    StatusAsked operator = new StatusAsked(world, cluster);
    cluster.hosts().forEach(host -> host.onStart(operator::started));
  }

  private void started(SimHost host) {
    for (int i = 0; i < TIMES; i++) {
      world
          .scheduler()
          .after(
              random.skewedNanos(SwarmSettings.MILLI, 2 * SwarmSettings.SECOND), () -> ask(host));
    }
  }

  private void ask(SimHost host) {
    ClientRequest request =
        random.pick(
            List.of(new ClientRequest.Status(Optional.empty()), new ClientRequest.Inspect()));
    client.call(host.id(), request, SwarmSettings.SECOND, reply -> {});
  }
}
