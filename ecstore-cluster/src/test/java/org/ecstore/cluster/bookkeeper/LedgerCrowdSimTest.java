package org.ecstore.cluster.bookkeeper;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;
import java.util.stream.LongStream;
import org.ecstore.sim.SimResult;
import org.ecstore.sim.Simulation;
import org.ecstore.sim.node.NodeMutation;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The adapter for the ledger on bookies under the simulator: over ZooKeeper and bookies that are
 * faked, with sessions that are behind, lost watches, late closes and lost answers (rule 6).
 */
class LedgerCrowdSimTest {
  @Test
  void whatACrowdIsToldIsTheLedgerAsItIs() {
    LongStream.rangeClosed(1, 25)
        .forEach(seed -> assertEquals(List.of(), LedgerCrowd.run(seed, new LedgerParts(), true)));
  }

  /** The list may be as old as it likes: only what is new is seen later. */
  @Test
  void anOldListIsNoDanger() {
    LongStream.rangeClosed(26, 40)
        .forEach(seed -> assertEquals(List.of(), LedgerCrowd.run(seed, new LedgerParts(), false)));
  }

  /** The cluster of the simulator, each node with the real adapter. */
  @Test
  void aClusterKeepsEveryPromiseOnIt() {
    NodeMutation variant = adapted();
    for (long seed = 1; seed <= 2; seed++) {
      SimResult result = Simulation.run(seed, variant);
      assertEquals(List.of(), result.violations(), "seed " + seed);
    }
  }

  /** A node outside the tree that was primary of a range never asked for a place (rule 20). */
  @Test
  @Tag("slow")
  void aNodeOutsideTheTreeAsksForAPlaceThoughItIsPrimary() {
    assertEquals(List.of(), Simulation.run(307_770, adapted()).violations());
  }

  /**
   * A newcomer's parent in BATON had one range of one key, which cannot be cut: the newcomer was
   * put off for ever, and now joins beside a node that has more (rule 20).
   */
  @Test
  @Tag("slow")
  void aNewcomerJoinsWhereKeysAreIfItsParentHasButOne() {
    assertEquals(List.of(), Simulation.run(311_088, adapted()).violations());
  }

  private static NodeMutation adapted() {
    return new NodeMutation(
        "the real adapter",
        NodeMutation.RIGHT.nodes(),
        NodeMutation.ClientBehaviour.RIGHT,
        new AdaptedLedgerSource().ledger());
  }

  /** Each at a seed that shows it; without the bug the same seed is sound. */
  @ParameterizedTest
  @CsvSource({
    "segment-seen-as-open-is-skipped, 12",
    "end-of-the-process, 40",
    "gap-in-what-is-held, 1"
  })
  void aPlantedBugIsFound(String name, long seed) {
    Supplier<LedgerParts> planted = Objects.requireNonNull(PlantedParts.all().get(name));
    assertFalse(LedgerCrowd.run(seed, planted.get(), true).isEmpty(), name);
    assertEquals(List.of(), LedgerCrowd.run(seed, new LedgerParts(), true));
  }
}
