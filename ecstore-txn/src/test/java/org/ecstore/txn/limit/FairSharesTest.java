package org.ecstore.txn.limit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.ecstore.txn.limit.FairShares.Sharer;
import org.junit.jupiter.api.Test;

class FairSharesTest {
  private static final double NEAR = 1e-9;

  @Test
  void twoThatFloodShareByTheirWeights() {
    double level = FairShares.level(List.of(new Sharer(1, 900), new Sharer(3, 900)), 800);
    assertEquals(200, level, NEAR);
    assertEquals(200, FairShares.share(level, 1));
    assertEquals(600, FairShares.share(level, 3));
  }

  /** One asks for a tenth of its share: the others have the rest. */
  @Test
  void whatOneLeavesTheOthersHave() {
    List<Sharer> all = List.of(new Sharer(10, 100), new Sharer(1, 900), new Sharer(3, 900));
    double level = FairShares.level(all, 900);
    assertEquals(200, level, NEAR);
  }

  @Test
  void whoAsksForNoMoreThanThereIsIsNotHeldBack() {
    assertEquals(
        Double.POSITIVE_INFINITY,
        FairShares.level(List.of(new Sharer(1, 100), new Sharer(3, 100)), 200));
    assertEquals(Double.POSITIVE_INFINITY, FairShares.level(List.of(), 0));
    assertEquals(0, FairShares.level(List.of(new Sharer(1, 5)), 0), NEAR);
  }

  @Test
  void aShareIsALimit() {
    assertEquals(1, FairShares.share(0, 1_000));
    assertEquals(1, FairShares.share(0.3, 1));
    assertEquals(300, FairShares.share(0.3, 1_000));
    assertEquals(1_000_000_000, FairShares.share(Double.POSITIVE_INFINITY, 1));
  }

  /**
   * Whatever they ask for: all that there is is given, and who has less than its level wants no
   * more.
   */
  @Test
  void atTheLevelAllTogetherHaveWhatThereIs() {
    Random random = new Random(1);
    for (int i = 0; i < 2_000; i++) {
      List<Sharer> all = new ArrayList<>();
      for (int n = 1 + random.nextInt(6); n > 0; n--) {
        all.add(new Sharer(1 + random.nextInt(9), random.nextInt(1_000)));
      }
      double asked = all.stream().mapToDouble(Sharer::perSecond).sum();
      double given = asked * random.nextDouble();
      double level = FairShares.level(all, given);
      double had =
          all.stream().mapToDouble(one -> Math.min(one.perSecond(), level * one.weight())).sum();
      assertEquals(given, had, 1e-6, all::toString);
      assertTrue(asked == 0 || level < Double.POSITIVE_INFINITY, all::toString);
    }
  }
}
