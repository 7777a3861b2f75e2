package org.ecstore.sim;

import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import org.ecstore.id.NodeId;
import org.ecstore.id.ReadPoint;
import org.ecstore.model.ReadLevel;
import org.ecstore.protocol.ClientRequest;
import org.ecstore.sim.client.SimClient;
import org.ecstore.sim.node.NodeMutation;
import org.ecstore.sim.node.SimCluster;
import org.ecstore.sim.node.SimHost;
import org.ecstore.sim.world.SwarmSettings;
import org.ecstore.sim.world.World;
import org.ecstore.txn.node.Node;
import org.ecstore.txn.node.NodeParts;
import org.ecstore.txn.node.NodeSettings;

/** What scenarios share that say themselves what goes wrong: nothing else does. */
final class CalmCluster {
  private static final long MILLI = SwarmSettings.MILLI;
  private static final long SECOND = SwarmSettings.SECOND;

  private CalmCluster() {}

  /**
   * A world without misfortunes.
   *
   * @param newsNanosMax how long news of coordination may take
   */
  static SwarmSettings settings(int nodes, long newsNanosMax) {
    return settings(
        nodes, new SwarmSettings.CoordinationFaults(2 * MILLI, newsNanosMax, SECOND, 1, 0, 0));
  }

  /** A world in which coordination alone has misfortunes. */
  static SwarmSettings settings(int nodes, SwarmSettings.CoordinationFaults coordination) {
    return new SwarmSettings(
        0,
        SwarmSettings.Promise.STRICT,
        nodes,
        0,
        1,
        3,
        2,
        60 * SECOND,
        16,
        MILLI,
        true,
        false,
        new SwarmSettings.NetworkFaults(50_000, 500_000, 0, 0, 0, MILLI, true),
        new SwarmSettings.LedgerFaults(
            2 * MILLI, 20 * MILLI, 2 * MILLI, 1, 50, false, 0, 0, 0, 0, 0, 0, 0),
        coordination,
        new SwarmSettings.EngineFaults(MILLI, MILLI, 0, 0, MILLI, true),
        new SwarmSettings.Nemesis(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 0, 0));
  }

  /** Machines in such a world, none of them started. */
  static SimCluster of(
      World world, int nodes, NodeParts parts, Function<NodeId, NodeSettings> settings) {
    return new SimCluster(
        world,
        settings(nodes, 20 * MILLI),
        new NodeMutation(
            parts.getClass().getSimpleName(),
            (self, with, ports) -> new Node(self, with, parts, ports),
            NodeMutation.ClientBehaviour.RIGHT),
        settings);
  }

  /** The machine that coordination says leads. */
  static SimHost leader(SimCluster cluster) {
    return cluster.hosts().stream()
        .filter(host -> cluster.coordination().leader().equals(Optional.of(host.id())))
        .findFirst()
        .orElseThrow();
  }

  /** The node that runs there. */
  static Node leading(SimCluster cluster) {
    return (Node) Objects.requireNonNull(leader(cluster).machine());
  }

  /** A client that is told of the nodes that are up. */
  static SimClient client(World world, SimCluster cluster) {
    return new SimClient(
        world,
        cluster.network(),
        0,
        cluster.hosts().stream().filter(SimHost::isUp).map(SimHost::id).toList(),
        world.random("client"),
        NodeMutation.ClientBehaviour.RIGHT);
  }

  /**
   * Each strong start makes the sequencer append, if the node that is asked takes itself for it.
   */
  static void keepAsking(World world, SimClient client, List<SimHost> hosts) {
    for (SimHost host : hosts) {
      client.call(
          host.id(), new ClientRequest.Begin(ReadLevel.STRONG, ReadPoint.ZERO), SECOND, _ -> {});
    }
    world.scheduler().after(50 * MILLI, () -> keepAsking(world, client, hosts));
  }

  static void run(World world, long nanos) {
    long until = world.nowNanos() + nanos;
    while (world.scheduler().step(until)) {
      // On with the next task.
    }
  }

  /** Does something again and again, for the first time after so long. */
  static void every(World world, long nanos, Runnable action) {
    world
        .scheduler()
        .after(
            nanos,
            () -> {
              action.run();
              every(world, nanos, action);
            });
  }
}
