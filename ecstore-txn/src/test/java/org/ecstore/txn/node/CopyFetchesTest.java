package org.ecstore.txn.node;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.math.BigDecimal;
import java.util.Optional;
import org.ecstore.model.NodeTraits;
import org.ecstore.model.NodeTraits.Capacity;
import org.ecstore.model.NodeTraits.Capacity.Keeper;
import org.ecstore.replication.copy.CopySource;
import org.junit.jupiter.api.Test;

/** What a node that is held to a part of a processor takes of its time for a copy (0127). */
class CopyFetchesTest {
  private static final NodeSettings WHOLE = NodeSettings.defaults("c", "");

  private static double share(String processors, Keeper keeper) {
    return heldTo(processors, keeper).copyFetches().share();
  }

  private static NodeSettings heldTo(String processors, Keeper keeper) {
    Capacity capacity = new Capacity(new BigDecimal(processors), keeper);
    NodeTraits traits =
        new NodeTraits(
            "", Optional.empty(), "", NodeTraits.UNKNOWN.engineTraits(), Optional.of(capacity));
    return WHOLE.withTraits(traits);
  }

  @Test
  void aPartOfAProcessorIsThatPartOfTheTimeWhereTheNodeKeepsItItself() {
    double whole = WHOLE.copyFetches().share();
    assertEquals(whole / 5, share("0.2", Keeper.NODE), 1e-9);
    assertEquals(whole, share("4", Keeper.NODE), "rows come one after the other");
    assertEquals(whole, share("0.2", Keeper.KERNEL), "each chunk takes longer by itself");
  }

  @Test
  void aPartOfAProcessorSendsThatPartOfAChunkWhereTheNodeKeepsItItself() {
    CopySource.Bounds whole = whole();
    assertEquals(WHOLE.transfers(), whole);
    assertEquals(
        new CopySource.Bounds(whole.recordsMax() / 4, whole.bytesMax() / 4),
        heldTo("0.25", Keeper.NODE).copyChunks());
    assertEquals(whole, heldTo("4", Keeper.NODE).copyChunks());
    assertEquals(whole, heldTo("0.25", Keeper.KERNEL).copyChunks(), "the kernel bounds its haste");
  }

  @Test
  void aChunkHasARowHoweverSmallTheNode() {
    assertEquals(
        new CopySource.Bounds(whole().recordsMax() / 16, whole().bytesMax() / 16),
        heldTo("0.01", Keeper.NODE).copyChunks());
    assertEquals(new CopySource.Bounds(1, 1), new CopySource.Bounds(1, 1).part(0.01));
  }

  private static CopySource.Bounds whole() {
    return WHOLE.copyChunks();
  }
}
