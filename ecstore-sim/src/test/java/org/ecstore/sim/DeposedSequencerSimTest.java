package org.ecstore.sim;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.ecstore.id.NodeId;
import org.ecstore.sim.client.SimClient;
import org.ecstore.sim.ledger.SimLedger;
import org.ecstore.sim.node.NodeMutation;
import org.ecstore.sim.node.SimCluster;
import org.ecstore.sim.node.SimHost;
import org.ecstore.sim.node.SimNetwork;
import org.ecstore.sim.world.SwarmSettings;
import org.ecstore.sim.world.Trace;
import org.ecstore.sim.world.World;
import org.ecstore.txn.node.Node;
import org.ecstore.txn.node.NodeSettings;
import org.ecstore.txn.sequencer.Sequencer;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A sequencer that is stopped for longer than its session lasts finds, when it goes on, that its
 * next append is refused. The news that another leads are still on their way then.
 */
@Timeout(value = 2, unit = TimeUnit.MINUTES)
final class DeposedSequencerSimTest {
  private static final long SECOND = SwarmSettings.SECOND;

  private final List<NodeId> takers = new ArrayList<>();

  /** Against rule 6: it takes the ledger back, though another has written. */
  private static final class TakesBack extends OnePart.Sequencing {
    TakesBack(OnePart.SequencerParts parts) {
      super(parts);
    }

    @Override
    protected boolean mayFenceUnasked(boolean isSucceeded) {
      return true;
    }
  }

  private SimCluster start(World world) {
    return start(world, NodeMutation.RIGHT);
  }

  private SimCluster start(World world, NodeMutation variant) {
    SimCluster cluster =
        new SimCluster(
            world,
            CalmCluster.settings(3, 3 * SECOND),
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

  private static SimHost sequencer(SimCluster cluster) {
    List<SimHost> active =
        cluster.hosts().stream()
            .filter(
                host ->
                    host.machine() instanceof Node node
                        && node.inspect().sequencer() == Sequencer.State.ACTIVE)
            .toList();
    assertEquals(1, active.size(), "one node is the sequencer");
    return active.getFirst();
  }

  @ParameterizedTest
  @Seeds(few = 4, many = 12)
  void doesNotShutOutItsSuccessor(long seed) {
    World world = new World(seed, new Trace(null));
    SimCluster cluster = start(world);
    SimHost deposed = sequencer(cluster);
    assertEquals(List.of(deposed.id()), takers);
    deposed.pause(8 * SECOND);
    cluster.coordination().cutOff(deposed.id(), 8 * SECOND);
    CalmCluster.run(world, 40 * SECOND);
    SimHost successor = sequencer(cluster);
    assertNotEquals(deposed.id(), successor.id());
    assertEquals(List.of(deposed.id(), successor.id()), takers, "one take-over for one pause");
    assertEquals(List.of(), world.violations());
  }

  /** Told to lead while it cannot reach the ledger, and told otherwise before it can. */
  @ParameterizedTest
  @Seeds(few = 2, many = 6)
  void whoIsNotToLeadAfterAllLeavesOffFencing(long seed) {
    World world = new World(seed, new Trace(null));
    SimCluster cluster = start(world);
    SimHost leader = sequencer(cluster);
    takers.clear();
    for (SimHost host : cluster.hosts()) {
      if (!host.id().equals(leader.id())) {
        cluster.ledger().cutOff(host.id(), 15 * SECOND);
      }
    }
    cluster.coordination().expireLiving(leader.id(), SECOND);
    CalmCluster.run(world, 5 * SECOND);
    NodeId told = cluster.coordination().leader().orElseThrow();
    assertNotEquals(leader.id(), told);
    cluster.coordination().expireLiving(told, SECOND);
    CalmCluster.run(world, 30 * SECOND);
    assertEquals(leader.id(), sequencer(cluster).id());
    assertEquals(List.of(leader.id()), takers, "one take-over, by the one that leads");
    assertEquals(List.of(), world.violations());
  }

  /** Its append failed because the ledger did not answer; no other node leads. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void whoStillLeadsGoesOnThoughCoordinationIsAway(boolean away) {
    World world = new World(1, new Trace(null));
    SimCluster cluster = start(world);
    SimHost leader = sequencer(cluster);
    if (away) {
      cluster.hosts().forEach(host -> cluster.coordination().cutOff(host.id(), 30 * SECOND));
    }
    takers.clear();
    cluster.ledger().full(true);
    CalmCluster.run(world, SECOND / 2);
    cluster.ledger().full(false);
    CalmCluster.run(world, 10 * SECOND);
    assertEquals(leader.id(), sequencer(cluster).id());
    assertFalse(takers.isEmpty(), "an append failed, and it fenced anew");
    assertTrue(takers.stream().allMatch(leader.id()::equals), takers::toString);
    assertEquals(List.of(), world.violations());
  }

  /** It alone does not reach coordination, is asked to commit, and writes the ledger. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void whoIsNotToldThatAnotherLeadsShutsThatOneOutOnceAtMost(boolean isPlanted) {
    World world = new World(1, new Trace(null));
    SimCluster cluster =
        start(
            world,
            isPlanted
                ? new NodeMutation(
                    "deposed-takes-the-ledger-back",
                    (self, settings, ports) ->
                        new Node(self, settings, OnePart.sequencer(TakesBack::new), ports),
                    NodeMutation.ClientBehaviour.RIGHT)
                : NodeMutation.RIGHT);
    SimHost deposed = sequencer(cluster);
    takers.clear();
    cluster.coordination().cutOff(deposed.id(), 600 * SECOND);
    CalmCluster.run(world, 60 * SECOND);
    long taken = takers.stream().filter(deposed.id()::equals).count();
    assertEquals(isPlanted, taken > 1, takers::toString);
    if (!isPlanted) {
      assertNotEquals(deposed.id(), sequencer(cluster).id());
    }
    cluster.coordination().heal();
    CalmCluster.run(world, 20 * SECOND);
    sequencer(cluster);
    assertEquals(List.of(), world.violations());
  }

  /** No node sends anything to one that is no member: that another wrote it finds in the ledger. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void whoHearsOfNoOtherTakesTheLedgerOnceAtMost(boolean cannotFenceAtFirst) {
    World world = new World(1, new Trace(null));
    SimCluster cluster = start(world);
    SimHost deposed = sequencer(cluster);
    takers.clear();
    cluster.coordination().cutOff(deposed.id(), 600 * SECOND);
    SimNetwork.Partition partition = cluster.network().partition();
    for (SimHost other : cluster.hosts()) {
      if (other != deposed) {
        partition.cut(deposed.id().value(), other.id().value());
        partition.cut(other.id().value(), deposed.id().value());
      }
    }
    for (int i = 0; i < 100 && takers.isEmpty(); i++) {
      CalmCluster.run(world, SECOND / 10);
    }
    assertEquals(1, takers.size(), "another leads");
    assertNotEquals(deposed.id(), takers.getFirst());
    if (cannotFenceAtFirst) {
      cluster.ledger().outOfReach(deposed.id(), 30 * SECOND);
    }
    CalmCluster.run(world, 10 * SECOND);
    partition.mend();
    CalmCluster.run(world, 60 * SECOND);
    long taken = takers.stream().filter(deposed.id()::equals).count();
    assertEquals(1, taken, takers::toString);
    assertNotEquals(deposed.id(), sequencer(cluster).id());
    cluster.coordination().heal();
    CalmCluster.run(world, 20 * SECOND);
    sequencer(cluster);
    assertEquals(List.of(), world.violations());
  }
}
