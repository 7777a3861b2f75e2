package org.ecstore.cluster.bookkeeper;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.ecstore.sim.Simulation;
import org.ecstore.sim.node.NodeMutation;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Seeds of whole clusters over the ledger's real adapter that went wrong. */
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
}
