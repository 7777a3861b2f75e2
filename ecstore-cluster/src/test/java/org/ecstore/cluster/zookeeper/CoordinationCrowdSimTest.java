package org.ecstore.cluster.zookeeper;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Objects;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The adapter for coordination on ZooKeeper under the simulator: over a client and servers that are
 * faked, with servers that are behind, syncs that bring nothing, lost connections and watches, and
 * sessions that end behind the back of who lives.
 */
class CoordinationCrowdSimTest {
  private static final long SEEDS = Boolean.getBoolean("ecstore.long") ? 1_000 : 60;

  @Test
  @Tag("slow")
  void whatACrowdIsToldIsTheCoordinationAsItIs() {
    LongStream.rangeClosed(1, SEEDS)
        .forEach(
            seed ->
                assertEquals(
                    List.of(),
                    CoordinationCrowd.run(seed, new ProcessCoordination.Parts()),
                    "seed " + seed));
  }

  /** Each within so many seeds that are sound without it. */
  @ParameterizedTest
  @Tag("slow")
  @ValueSource(
      strings = {
        "doubts-are-forgotten",
        "watches-end-with-the-connection",
        "announced-without-a-look-at-the-incarnation",
        "first-session-is-kept",
        "nodes-lead-by-their-numbers-after-the-first"
      })
  void aPlantedBugIsFound(String name) {
    ProcessCoordination.Parts planted = Objects.requireNonNull(PlantedCoordination.all().get(name));
    assertTrue(
        LongStream.rangeClosed(1, 200)
            .anyMatch(seed -> !CoordinationCrowd.run(seed, planted).isEmpty()),
        name);
  }
}
