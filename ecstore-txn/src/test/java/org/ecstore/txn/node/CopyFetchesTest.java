package org.ecstore.txn.node;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.math.BigDecimal;
import java.util.Optional;
import org.ecstore.model.NodeTraits;
import org.ecstore.model.NodeTraits.Capacity;
import org.ecstore.model.NodeTraits.Capacity.Keeper;
import org.junit.jupiter.api.Test;

/** What a node that is held to a part of a processor takes of its time for a copy (0127). */
class CopyFetchesTest {
  private static final NodeSettings WHOLE = NodeSettings.defaults("c", "");

  private static double share(String processors, Keeper keeper) {
    Capacity capacity = new Capacity(new BigDecimal(processors), keeper);
    NodeTraits traits =
        new NodeTraits(
            "", Optional.empty(), "", NodeTraits.UNKNOWN.engineTraits(), Optional.of(capacity));
    return WHOLE.withTraits(traits).copyFetches().share();
  }

  @Test
  void aPartOfAProcessorIsThatPartOfTheTimeWhereTheNodeKeepsItItself() {
    double whole = WHOLE.copyFetches().share();
    assertEquals(whole / 5, share("0.2", Keeper.NODE), 1e-9);
    assertEquals(whole, share("4", Keeper.NODE), "rows come one after the other");
    assertEquals(whole, share("0.2", Keeper.KERNEL), "each chunk takes longer by itself");
  }
}
