package org.ecstore.cluster.zookeeper;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.Objects;
import java.util.stream.LongStream;
import org.ecstore.cluster.bookkeeper.AdaptedLedgerSource;
import org.ecstore.sim.SimResult;
import org.ecstore.sim.Simulation;
import org.ecstore.sim.node.NodeMutation;
import org.ecstore.sim.world.Violation;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The cluster of the simulator, each node with the real adapter for coordination, over a ZooKeeper
 * that is faked: with servers that are behind, connections that break and are silent, sessions that
 * end behind the back of who lives, and processes that are displaced.
 */
class AdaptedCoordinationSimTest {
  private static NodeMutation adapted(ProcessCoordination.Parts parts) {
    return NodeMutation.RIGHT.over(
        NodeMutation.RIGHT.ledger(), AdaptedCoordinationSource.of(parts));
  }

  /** With the ledger's adapter too. */
  @Test
  void aClusterKeepsEveryPromiseOnBothAdapters() {
    NodeMutation both =
        NodeMutation.RIGHT.over(
            new AdaptedLedgerSource().ledger(), new AdaptedCoordinationSource().coordination());
    SimResult result = Simulation.run(1, both);
    assertEquals(List.of(), result.violations());
  }

  /**
   * Each at a seed that shows it, or at one soon after that: a node that is no member though it
   * lives, a replacement that is not there, an order of members that never was. Without the bug the
   * same seed is sound.
   */
  @ParameterizedTest
  @Tag("slow")
  @CsvSource({
    "first-session-is-kept, 2, all are told in the end how coordination is",
    "no-answer-is-taken-for-done, 25, what was replaced is there",
    "nodes-lead-by-their-numbers-after-the-first, 3, members are told that have been"
  })
  void aPlantedBugIsFound(String name, long seed, String rule) {
    ProcessCoordination.Parts planted = Objects.requireNonNull(PlantedCoordination.all().get(name));
    Violation found =
        LongStream.range(seed, seed + 60)
            .boxed()
            .flatMap(each -> Simulation.run(each, adapted(planted)).violations().stream())
            .findFirst()
            .orElseThrow(() -> new AssertionError(name + " is not found"));
    assertEquals(rule, found.rule(), found::toString);
    NodeMutation right = adapted(new ProcessCoordination.Parts());
    assertEquals(List.of(), Simulation.run(found.seed(), right).violations());
  }
}
