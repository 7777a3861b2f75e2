package org.ecstore.sim;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.ecstore.id.NodeId;
import org.ecstore.model.NodeFact;
import org.ecstore.sim.node.NodeMutation;
import org.ecstore.sim.node.SimCluster;
import org.ecstore.sim.node.SimHost;
import org.ecstore.sim.world.SwarmSettings;
import org.ecstore.sim.world.Trace;
import org.ecstore.sim.world.World;
import org.ecstore.txn.node.Node;
import org.ecstore.txn.node.NodeInspection;
import org.ecstore.txn.node.NodeSettings;
import org.ecstore.txn.sequencer.Sequencer;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * A node that leads and is frozen keeps its connections and its session. A standby has another lead
 * all the same, soon; and one that only cannot hear the leader itself does not do so again and
 * again (rule 6, decision 0038).
 */
@Timeout(value = 5, unit = TimeUnit.MINUTES)
final class FrozenLeaderSimTest {
  private static final long MILLI = SwarmSettings.MILLI;
  private static final long SECOND = SwarmSettings.SECOND;

  private static final int PAUSES = 80;

  private World world = new World(0, new Trace(null));
  private SimCluster cluster = cluster(3);

  private SimCluster cluster(int nodes) {
    return new SimCluster(
        world,
        CalmCluster.settings(nodes, 5 * MILLI),
        NodeMutation.RIGHT,
        id -> NodeSettings.defaults("sim", ClientInSim.address(id)).withCopies(3));
  }

  private void start(long seed, int nodes) {
    world = new World(seed, new Trace(null));
    cluster = cluster(nodes);
    cluster.hosts().forEach(SimHost::start);
    CalmCluster.run(world, 20 * SECOND);
  }

  private static Optional<NodeInspection> seen(SimHost host) {
    return host.machine() instanceof Node node ? Optional.of(node.inspect()) : Optional.empty();
  }

  private List<NodeId> sequencers() {
    return cluster.hosts().stream()
        .filter(
            host -> seen(host).filter(of -> of.sequencer() == Sequencer.State.ACTIVE).isPresent())
        .map(SimHost::id)
        .toList();
  }

  private SimHost host(NodeId id) {
    return cluster.hosts().stream().filter(host -> host.id().equals(id)).findFirst().orElseThrow();
  }

  private long falseAlarms() {
    return cluster.hosts().stream()
        .flatMap(host -> seen(host).stream())
        .mapToLong(NodeInspection::falseAlarms)
        .sum();
  }

  @ParameterizedTest
  @Seeds(few = 2, many = 8)
  void isReplacedLongBeforeItsSessionEnds(long seed) {
    start(seed, 5);
    assertEquals(1, sequencers().size());
    NodeId frozen = sequencers().getFirst();
    // Coordination never ends its session: only a standby can find out.
    host(frozen).pause(20 * SECOND);
    CalmCluster.run(world, 2 * SECOND);
    List<NodeId> others = sequencers().stream().filter(id -> !id.equals(frozen)).toList();
    assertEquals(1, others.size(), "another is the sequencer");
    CalmCluster.run(world, 60 * SECOND);
    assertEquals(others, sequencers(), "and stays so when it is back");
    assertTrue(falseAlarms() > 0, "it lives, and that is counted");
    assertTrue(
        cluster.hosts().stream()
            .flatMap(host -> seen(host).stream())
            .flatMap(seen -> seen.facts().stream())
            .anyMatch(fact -> fact.name().equals(NodeFact.SUSPECTED_IN_VAIN)),
        "and operators see it");
    assertEquals(List.of(), world.violations());
  }

  @ParameterizedTest
  @Seeds(few = 1, many = 4)
  void isLeftAloneWhileItAnswers(long seed) {
    start(seed, 5);
    List<NodeId> before = sequencers();
    CalmCluster.run(world, 300 * SECOND);
    assertEquals(before, sequencers());
    assertEquals(0, cluster.coordination().suspicions());
    assertEquals(0, falseAlarms());
  }

  @ParameterizedTest
  @Seeds(few = 1, many = 4)
  void standbyThatWasFrozenItselfSuspectsNoLeader(long seed) {
    start(seed, 5);
    List<NodeId> before = sequencers();
    for (SimHost host : cluster.hosts()) {
      if (!before.contains(host.id())) {
        host.pause(3 * SECOND);
      }
    }
    CalmCluster.run(world, 20 * SECOND);
    assertEquals(before, sequencers());
    assertEquals(0, cluster.coordination().suspicions());
  }

  @ParameterizedTest
  @Seeds(few = 1, many = 4)
  void oneOfTwoIsNotSuspected(long seed) {
    start(seed, 2);
    NodeId frozen = sequencers().getFirst();
    host(frozen).pause(3 * SECOND);
    CalmCluster.run(world, 20 * SECOND);
    // Which of two is cut off neither can tell.
    assertEquals(List.of(frozen), sequencers());
    assertEquals(0, cluster.coordination().suspicions());
  }

  @ParameterizedTest
  @CsvSource({"1, 700", "2, 700", "3, 700", "4, 700", "1, 1500", "2, 1500", "3, 1500", "4, 1500"})
  void oneThatIsFrozenAgainAndAgainIsGivenMoreTime(long seed, long millis) {
    start(seed, 5);
    for (int i = 0; i < PAUSES; i++) {
      sequencers().forEach(id -> host(id).pause(millis * MILLI));
      CalmCluster.run(world, 4 * SECOND);
    }
    assertFalse(sequencers().isEmpty());
    long suspicions = cluster.coordination().suspicions();
    assertTrue(suspicions < PAUSES / 2, () -> "of " + PAUSES + ": " + suspicions);
    assertNotEquals(0, falseAlarms());
    assertEquals(List.of(), world.violations());
  }

  /** As on a busy machine, where one needless take-over was followed by another. */
  @ParameterizedTest
  @Seeds(few = 2, many = 8)
  void oneThatHasJustBegunToLeadIsGivenMoreTime(long seed) {
    start(seed, 5);
    host(sequencers().getFirst()).crash();
    List<NodeId> first = nextSequencers();
    CalmCluster.run(world, 200 * MILLI);
    long suspicions = cluster.coordination().suspicions();
    host(first.getFirst()).pause(900 * MILLI);
    CalmCluster.run(world, 10 * SECOND);
    assertEquals(first, sequencers());
    assertEquals(suspicions, cluster.coordination().suspicions());
    assertEquals(0, falseAlarms());
  }

  @ParameterizedTest
  @Seeds(few = 1, many = 4)
  void oneThatIsFrozenAsItBeginsToLeadIsReplaced(long seed) {
    start(seed, 5);
    host(sequencers().getFirst()).crash();
    NodeId frozen = nextSequencers().getFirst();
    host(frozen).pause(20 * SECOND);
    CalmCluster.run(world, 4 * SECOND);
    List<NodeId> others = sequencers().stream().filter(id -> !id.equals(frozen)).toList();
    assertEquals(1, others.size(), "another is the sequencer");
    assertEquals(List.of(), world.violations());
  }

  private List<NodeId> nextSequencers() {
    long until = world.nowNanos() + 10 * SECOND;
    while (sequencers().isEmpty() && world.nowNanos() < until) {
      CalmCluster.run(world, 10 * MILLI);
    }
    return sequencers();
  }
}
