package org.ecstore.sim;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.ecstore.core.port.Event;
import org.ecstore.core.port.StateMachine;
import org.ecstore.id.NodeId;
import org.ecstore.sim.client.SimClient;
import org.ecstore.sim.ledger.SimLedger;
import org.ecstore.sim.node.NodeMutation;
import org.ecstore.sim.node.SimCluster;
import org.ecstore.sim.node.SimHost;
import org.ecstore.sim.world.SwarmSettings;
import org.ecstore.sim.world.Trace;
import org.ecstore.sim.world.World;
import org.ecstore.txn.node.Node;
import org.ecstore.txn.node.NodeParts;
import org.ecstore.txn.node.NodeSettings;
import org.ecstore.txn.sequencer.Sequencer;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;

/** Another process joins under the id of the node that leads. */
@Timeout(value = 2, unit = TimeUnit.MINUTES)
final class DisplacedNodeSimTest {
  private static final long SECOND = SwarmSettings.SECOND;

  /** Against its being told: it goes on as if it were a member and led. */
  private static final NodeMutation GOES_ON =
      new NodeMutation(
          "displaced-node-goes-on",
          (self, settings, ports) -> new Deaf(new Node(self, settings, new NodeParts(), ports)),
          NodeMutation.ClientBehaviour.RIGHT);

  private record Deaf(Node node) implements StateMachine {
    @Override
    public void start() {
      node.start();
    }

    @Override
    public void on(Event event) {
      if (!(event instanceof Event.Displaced)) {
        node.on(event);
      }
    }

    @Override
    public void flush() {
      node.flush();
    }
  }

  private final List<NodeId> takers = new ArrayList<>();

  private SimCluster start(World world, NodeMutation variant) {
    SimCluster cluster =
        new SimCluster(
            world,
            CalmCluster.settings(3, SECOND),
            variant,
            id -> NodeSettings.defaults("sim", "n" + id + ":1"));
    cluster
        .ledger()
        .onTakeOver(
            (step, node) -> {
              if (step == SimLedger.TakeOverStep.SWAPPED) {
                takers.add(node);
              }
            });
    cluster.hosts().forEach(SimHost::start);
    SimClient client = CalmCluster.client(world, cluster);
    CalmCluster.keepAsking(world, client, cluster.hosts());
    CalmCluster.run(world, 15 * SECOND);
    return cluster;
  }

  private static List<SimHost> sequencers(SimCluster cluster) {
    return cluster.hosts().stream().filter(host -> leads(host.machine())).toList();
  }

  private static boolean leads(@org.jspecify.annotations.Nullable StateMachine machine) {
    return switch (machine) {
      case Node node -> node.inspect().sequencer() == Sequencer.State.ACTIVE;
      case Deaf(var node) -> node.inspect().sequencer() == Sequencer.State.ACTIVE;
      case null, default -> false;
    };
  }

  /** Whether a node goes on of which coordination says that it is another. */
  private boolean leaderOutlivesItsDisplacement(World world, NodeMutation variant) {
    SimCluster cluster = start(world, variant);
    SimHost leader = sequencers(cluster).getFirst();
    cluster.coordination().displace(leader.id(), 20 * SECOND);
    CalmCluster.run(world, 5 * SECOND);
    boolean outlived = leader.isUp();
    assertEquals(List.of(), world.violations());
    return outlived;
  }

  @ParameterizedTest
  @Seeds(few = 2, many = 6)
  void displacedLeaderEndsAndOneTakesOver(long seed) {
    World world = new World(seed, new Trace(null));
    SimCluster cluster = start(world, NodeMutation.RIGHT);
    SimHost displaced = sequencers(cluster).getFirst();
    cluster.coordination().displace(displaced.id(), 20 * SECOND);
    CalmCluster.run(world, 10 * SECOND);
    assertFalse(displaced.isUp(), "it has ended");
    SimHost successor = sequencers(cluster).getFirst();
    assertNotEquals(displaced.id(), successor.id());
    assertEquals(List.of(displaced.id(), successor.id()), takers, "one take-over");
    displaced.start();
    CalmCluster.run(world, 20 * SECOND);
    assertEquals(List.of(successor), sequencers(cluster));
    assertEquals(List.of(), world.violations());
  }

  @ParameterizedTest
  @Seeds(few = 1, many = 3)
  void oneThatGoesOnIsNoticed(long seed) {
    assertEquals(
        List.of(false, true),
        List.of(
            leaderOutlivesItsDisplacement(new World(seed, new Trace(null)), NodeMutation.RIGHT),
            leaderOutlivesItsDisplacement(new World(seed, new Trace(null)), GOES_ON)));
  }
}
