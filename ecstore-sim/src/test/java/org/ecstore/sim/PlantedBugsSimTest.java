package org.ecstore.sim;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.ecstore.sim.node.NodeMutation;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The simulator finds every planted bug; if it misses one, it would miss such a bug of ours. The
 * seed that has found it last is tried first ({@link PlantSeeds}); where that finds nothing any
 * more the seeds are run from the first on, and with {@code -Decstore.plants.write=true} what finds
 * it now is written into the sources.
 */
@Order(1)
public final class PlantedBugsSimTest {
  private static final String WRITE = "ecstore.plants.write";
  private static final int SEEDS_MAX = 1000;

  /** Where to begin with those that about one seed in seven hundred meets. */
  private static final Map<String, Long> FIRST_SEEDS =
      Map.of("returning-primary-keeps-its-role", 2_001L, "copy-closes-between-parts", 701L);

  /**
   * Not found by the first 1,952 seeds, the second not by seeds 1,001 to 5,000. What had counted as
   * their finds, seeds 669 and 1953, was not clean without them either (decisions 0059, 0062). The
   * third was found by seed 1953 until that met something else, and is not by seeds 1,953 to 7,952:
   * a case of its own in {@link ManyOutcomesSimTest} finds it. What a lost copy in memory costs is
   * only that it is made anew, and no node of a seed changes its engine: {@link
   * PlacedInMemorySimTest} and {@link ChangedEngineSimTest} find the others. That a vote is below
   * what a copy and its engine have left is not met by seeds 1 to 40: {@link VoteBelowBaseSimTest}
   * finds it.
   */
  private static final Set<String> NOT_FOUND =
      Set.of(
          "quorum-read-behind-its-client",
          "change-without-a-pin",
          "question-ends-what-waits-for-room",
          "newest-while-folding",
          "placed-in-memory-is-overtaken",
          "unfit-node-keeps-its-place");

  private static final Map<String, Long> KNOWN = PlantSeeds.read();
  private static final Map<String, Long> FINDING = new TreeMap<>();

  static Stream<String> names() {
    return Plants.all().keySet().stream().filter(name -> !NOT_FOUND.contains(name));
  }

  private static SeedRuns.Report run(String name, long first, int seeds) {
    SeedRuns.Report report = SeedRuns.run(first, seeds, 2, Plants.named(name), true, seed -> {});
    report.first().ifPresent(violation -> FINDING.put(name, violation.seed()));
    return report;
  }

  /** What is simulated without the bug. */
  private static NodeMutation right(String name) {
    NodeMutation plant = Plants.named(name);
    boolean reusesIds = plant.behaviour() == NodeMutation.ClientBehaviour.REUSES_IDS;
    NodeMutation right =
        reusesIds ? NodeMutation.RIGHT.withClients(plant.behaviour()) : NodeMutation.RIGHT;
    return plant.hasReaders() ? right.withReaders() : right;
  }

  @ParameterizedTest
  @Tag("slow")
  @MethodSource("names")
  void isFound(String name) {
    if (KNOWN.containsKey(name) && run(name, KNOWN.get(name), 1).violations() > 0) {
      return;
    }
    SeedRuns.Report report = run(name, FIRST_SEEDS.getOrDefault(name, 1L), SEEDS_MAX);
    assertEquals(1, report.violations(), () -> name + " was not found: " + report);
    long seed = report.first().orElseThrow().seed();
    assertEquals(
        0,
        SeedRuns.run(seed, 1, 1, right(name), false, done -> {}).violations(),
        () -> "seed " + seed + " is not clean without " + name + " either");
  }

  @AfterAll
  static void keepSeeds() throws IOException {
    if (Boolean.getBoolean(WRITE)) {
      PlantSeeds.write(FINDING);
    }
  }

  /** One that is not planted any more would be looked for in vain, and not be missed. */
  @Test
  void thereAreThoseOfWhichSeedsAreKnown() {
    Set<String> expected = new TreeSet<>(KNOWN.keySet());
    expected.addAll(NOT_FOUND);
    assertEquals(expected, Plants.all().keySet());
    assertThrows(IllegalArgumentException.class, () -> Plants.named("no such bug"));
  }
}
