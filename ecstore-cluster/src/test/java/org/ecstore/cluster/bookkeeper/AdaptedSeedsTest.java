package org.ecstore.cluster.bookkeeper;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.ecstore.sim.Adapters;
import org.ecstore.sim.Simulation;
import org.ecstore.sim.node.NodeMutation;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Seeds of whole clusters over the real adapters that went wrong. */
class AdaptedSeedsTest {
  /**
   * 702769: the last copy that persists was dropped as it had said nothing for long; then the one
   * in memory was lost, and no node could serve the range any more (rule 23).
   */
  @ParameterizedTest
  @ValueSource(longs = 702_769)
  void isClean(long seed) {
    NodeMutation adapted =
        NodeMutation.RIGHT.over(
            new AdaptedLedgerSource().ledger(), NodeMutation.RIGHT.coordination());
    assertEquals(List.of(), Simulation.run(seed, adapted).violations());
  }

  /**
   * As {@code sim --adapters} draws them. 737022: writes that were fetched from the ledger for a
   * copy were applied when it was retired and its keys were being filled anew (rule 11). 720019:
   * the last copy that persists went when its node was drained (rule 23). 739639: a copy that was
   * filled from far below the floor waited for room that no fold made (W9). 729933: a writer that
   * had ended while nothing was appended went on leading, and its last entry was read by none (rule
   * 6). 770289: the one node that persists was frozen while it led, heard only then that it had
   * been started elsewhere, and none started it again. 800529: a node left, and gave ranges to one
   * in memory while the only other that persists had no copies of them yet (rule 23). 806789: a
   * sequencer took a node in memory that it had heard of but not seen for one that persists, and
   * trimmed the ledger of a cluster in which none does (rule 7). 830862: the window was full of
   * what readings of the ledger had left that changes of the map had ended, so no fold made room,
   * and the readings that would have closed the copies there waited for room (W9). 1011149: copies
   * in memory were told of their streams before their map, dropped that, and were lost to a trim
   * before they were told again; so it went on with each copy that took their place.
   */
  @ParameterizedTest
  @Tag("slow")
  @ValueSource(
      longs = {737_022, 720_019, 739_639, 729_933, 770_289, 800_529, 806_789, 830_862, 1_011_149})
  void isCleanWithWhatItDraws(long seed) {
    assertEquals(List.of(), Simulation.run(seed, Adapters.inHalfOfTheSeeds()).violations());
  }
}
