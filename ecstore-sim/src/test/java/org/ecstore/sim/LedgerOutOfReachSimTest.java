package org.ecstore.sim;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.ecstore.id.NodeId;
import org.ecstore.sim.client.SimClient;
import org.ecstore.sim.node.NodeMutation;
import org.ecstore.sim.node.SimCluster;
import org.ecstore.sim.node.SimHost;
import org.ecstore.sim.world.SwarmSettings;
import org.ecstore.sim.world.Trace;
import org.ecstore.sim.world.World;
import org.ecstore.txn.node.Node;
import org.ecstore.txn.node.NodeSettings;
import org.ecstore.txn.sequencer.Sequencer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;

/**
 * A node that leads does not reach the ledger, and reaches all else. It lives and answers, so that
 * no standby suspects it: it has another lead by itself (decision 0114).
 */
@Timeout(value = 2, unit = TimeUnit.MINUTES)
final class LedgerOutOfReachSimTest {
  private static final long MILLI = SwarmSettings.MILLI;
  private static final long SECOND = SwarmSettings.SECOND;

  /** Against decision 0114: it tries for ever, also to read what it has fenced. */
  private static final NodeMutation HOLDS_ON =
      new NodeMutation(
          "leader-holds-on-without-the-ledger",
          (self, settings, ports) ->
              new Node(self, settings, OnePart.sequencer(HoldsOn::new), ports),
          NodeMutation.ClientBehaviour.RIGHT);

  private static final class HoldsOn extends OnePart.Sequencing {
    HoldsOn(OnePart.SequencerParts parts) {
      super(parts);
    }

    @Override
    protected boolean letsOthersTry(long triedNanos, long patienceNanos) {
      return false;
    }

    @Override
    protected boolean isUnreadable(long unreadNanos, long failed) {
      return false;
    }
  }

  private final List<String> said = new ArrayList<>();

  private World world(long seed) {
    return new World(
        seed,
        new Trace(
            line -> {
              if (line.contains("has tried to write the ledger")) {
                said.add(line);
              }
            }));
  }

  private static SimCluster start(World world, int nodes, NodeMutation variant) {
    SimCluster cluster =
        new SimCluster(
            world,
            CalmCluster.settings(nodes, 5 * MILLI),
            variant,
            id -> NodeSettings.defaults("sim", "n" + id + ":1"));
    cluster.hosts().forEach(SimHost::start);
    SimClient client = CalmCluster.client(world, cluster);
    CalmCluster.keepAsking(world, client, cluster.hosts());
    CalmCluster.run(world, 15 * SECOND);
    return cluster;
  }

  private static List<NodeId> sequencers(SimCluster cluster) {
    return cluster.hosts().stream()
        .filter(
            host ->
                host.machine() instanceof Node node
                    && node.inspect().sequencer() == Sequencer.State.ACTIVE)
        .map(SimHost::id)
        .toList();
  }

  /**
   * The sequencers for two minutes once the one before has to fence the ledger anew, which it can,
   * and cannot read it.
   */
  private List<NodeId> sequencersWithoutWhoCannotRead(World world, NodeMutation variant) {
    SimCluster cluster = start(world, 3, variant);
    List<NodeId> first = sequencers(cluster);
    assertEquals(1, first.size());
    cluster.ledger().unreadable(first.getFirst(), 600 * SECOND);
    cluster.ledger().outOfReach(first.getFirst(), SECOND);
    CalmCluster.run(world, 120 * SECOND);
    List<NodeId> next = sequencers(cluster);
    assertNotEquals(first, next);
    assertEquals(List.of(), world.violations());
    return next;
  }

  @ParameterizedTest
  @Seeds(few = 2, many = 8)
  void anotherLeadsWhereOneCanFenceAndCannotRead(long seed) {
    assertEquals(1, sequencersWithoutWhoCannotRead(world(seed), NodeMutation.RIGHT).size());
    assertEquals(1, said.size(), said::toString);
  }

  @ParameterizedTest
  @Seeds(few = 1, many = 4)
  void oneThatReadsForEverIsNoticed(long seed) {
    assertEquals(List.of(), sequencersWithoutWhoCannotRead(world(seed), HOLDS_ON));
    assertEquals(List.of(), said);
  }

  /** The sequencers once the one before does not reach the ledger any more, for a minute. */
  private List<NodeId> sequencersWithoutTheFirst(World world, NodeMutation variant) {
    SimCluster cluster = start(world, 3, variant);
    List<NodeId> first = sequencers(cluster);
    assertEquals(1, first.size());
    cluster.ledger().outOfReach(first.getFirst(), 600 * SECOND);
    CalmCluster.run(world, 60 * SECOND);
    List<NodeId> next = sequencers(cluster);
    long end = cluster.ledger().end();
    CalmCluster.run(world, 5 * SECOND);
    assertEquals(!next.isEmpty(), cluster.ledger().end() > end, "whether the ledger grows");
    assertNotEquals(first, next);
    assertEquals(List.of(), world.violations());
    return next;
  }

  @ParameterizedTest
  @Seeds(few = 2, many = 8)
  void anotherLeadsSoon(long seed) {
    assertEquals(1, sequencersWithoutTheFirst(world(seed), NodeMutation.RIGHT).size());
    assertEquals(1, said.size(), said::toString);
  }

  @ParameterizedTest
  @Seeds(few = 1, many = 4)
  void oneThatHoldsOnIsNoticed(long seed) {
    assertEquals(List.of(), sequencersWithoutTheFirst(world(seed), HOLDS_ON));
    assertEquals(List.of(), said);
  }

  /** As with most bookies away: the lead must not go in circles. */
  @Test
  void whereNoNodeReachesItTheLeadGoesRoundEverMoreSlowly() {
    World world = world(1);
    SimCluster cluster = start(world, 3, NodeMutation.RIGHT);
    cluster.hosts().forEach(host -> cluster.ledger().outOfReach(host.id(), 10_000 * SECOND));
    List<NodeId> leaders = new ArrayList<>();
    for (int second = 0; second < 1_000; second++) {
      CalmCluster.run(world, SECOND);
      Optional<NodeId> leader = cluster.coordination().leader();
      if (leader.isPresent() && (leaders.isEmpty() || !leaders.getLast().equals(leader.get()))) {
        leaders.add(leader.get());
      }
    }
    assertEquals(3, leaders.stream().distinct().count(), leaders::toString);
    assertTrue(leaders.size() <= 14, leaders::toString);
    cluster.ledger().heal();
    CalmCluster.run(world, 30 * SECOND);
    assertEquals(1, sequencers(cluster).size(), "it is used again as soon as it is there");
    assertEquals(List.of(), world.violations());
  }

  @Test
  void oneThatIsAloneGoesOnTrying() {
    World world = world(1);
    SimCluster cluster = start(world, 1, NodeMutation.RIGHT);
    List<NodeId> before = sequencers(cluster);
    cluster.ledger().outOfReach(before.getFirst(), 120 * SECOND);
    CalmCluster.run(world, 119 * SECOND);
    assertEquals(List.of(), sequencers(cluster));
    CalmCluster.run(world, 30 * SECOND);
    assertEquals(before, sequencers(cluster));
    assertEquals(List.of(), said);
  }
}
