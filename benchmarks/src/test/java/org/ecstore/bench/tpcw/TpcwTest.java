package org.ecstore.bench.tpcw;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** The tables of TPC-W, against what is known of them otherwise. */
class TpcwTest {
  /** Percent of each page in the long run, in the order of {@link Interaction}. */
  private static final Map<TpcwMix, List<Double>> SHARES =
      Map.of(
          TpcwMix.BROWSING,
          List.of(
              29.00, 11.00, 11.00, 21.01, 12.00, 11.00, 2.00, .82, .75, .69, .30, .25, .10, .09),
          TpcwMix.SHOPPING,
          List.of(
              16.00, 5.00, 5.00, 17.00, 20.00, 17.00, 11.60, 3.00, 2.60, 1.20, .75, .66, .10, .09),
          TpcwMix.ORDERING,
          List.of(
              9.12, .46, .46, 12.35, 14.54, 13.08, 13.53, 12.86, 12.73, 10.18, .25, .22, .12, .11));

  @Test
  void eachPageHasItsShareInTheLongRun() {
    SHARES.forEach(
        (mix, shares) -> {
          Map<Interaction, Double> found = mix.shares();
          List<Interaction> pages = List.of(Interaction.values());
          assertEquals(pages.size(), shares.size());
          for (int i = 0; i < shares.size(); i++) {
            double percent = 100 * found.getOrDefault(pages.get(i), 0.0);
            assertEquals(shares.get(i), percent, 0.0051, mix + " " + pages.get(i) + " " + found);
          }
        });
  }

  /** What the mixes are named by. */
  @Test
  void browsingIsAsMuchAsTheMixSays() {
    assertEquals(95, browsing(TpcwMix.BROWSING), 0.1);
    assertEquals(80, browsing(TpcwMix.SHOPPING), 0.1);
    assertEquals(50, browsing(TpcwMix.ORDERING), 0.1);
  }

  private static double browsing(TpcwMix mix) {
    return 100
        * mix.shares().entrySet().stream()
            .filter(share -> share.getKey().isBrowsing())
            .mapToDouble(Map.Entry::getValue)
            .sum();
  }

  @Test
  void whateverIsDrawnSomethingFollows() {
    for (TpcwMix mix : TpcwMix.values()) {
      for (Interaction from : Interaction.values()) {
        for (int drawn = 1; drawn <= TpcwMix.DRAWN_MAX; drawn++) {
          assertTrue(mix.columns(from).contains(mix.next(from, drawn)));
        }
        assertThrows(IllegalArgumentException.class, () -> mix.next(from, 10_000));
      }
    }
  }

  /** Walked, and not computed. */
  @Test
  void aBrowserGoesAsTheTableSays() {
    Random random = new Random(1);
    Map<Interaction, Integer> seen = new HashMap<>();
    Interaction page = Interaction.HOME;
    int steps = 200_000;
    for (int i = 0; i < steps; i++) {
      seen.merge(page, 1, Integer::sum);
      page = TpcwMix.SHOPPING.next(page, random);
    }
    assertEquals(16.0, 100.0 * seen.getOrDefault(Interaction.HOME, 0) / steps, 0.5);
    assertEquals(1.2, 100.0 * seen.getOrDefault(Interaction.BUY_CONFIRM, 0) / steps, 0.15);
  }

  @Test
  void timesAreExponentialAndCut() {
    Random random = new Random(2);
    double mean =
        LongStream.range(0, 100_000)
            .map(i -> TpcwTimes.think(random).toMillis())
            .average()
            .orElseThrow();
    assertEquals(7_000, mean, 100);
    for (int i = 0; i < 100_000; i++) {
      assertTrue(TpcwTimes.think(random).compareTo(Duration.ofSeconds(70)) <= 0);
      assertTrue(TpcwTimes.session(random).compareTo(Duration.ofMinutes(60)) <= 0);
    }
  }

  @Test
  void namesAreSyllables() {
    assertEquals("BA", TpcwNames.digSyl(0));
    assertEquals("OGALRI", TpcwNames.digSyl(123));
    assertEquals("NGINULATSERERIALOGBA", TpcwNames.digSyl(9_876_543_210L));
    assertThrows(IllegalArgumentException.class, () -> TpcwNames.digSyl(-1));
  }

  @Test
  void evennessIsThatOfTheTables() {
    assertEquals(1_023, TpcwNames.evennessOfCustomers(9_999));
    assertEquals(4_095, TpcwNames.evennessOfCustomers(10_000));
    assertEquals(16_383, TpcwNames.evennessOfCustomers(86_400));
    assertEquals(65_535, TpcwNames.evennessOfCustomers(160_000));
    assertEquals(262_143, TpcwNames.evennessOfCustomers(640_000));
    assertEquals(1_048_575, TpcwNames.evennessOfCustomers(2_560_000));
    assertEquals(4_194_303, TpcwNames.evennessOfCustomers(10_240_000));
    assertEquals(63, TpcwNames.evennessOfItems(1_000));
    assertEquals(511, TpcwNames.evennessOfItems(10_000));
    assertEquals(4_095, TpcwNames.evennessOfItems(100_000));
    assertEquals(32_767, TpcwNames.evennessOfItems(1_000_000));
    assertEquals(524_287, TpcwNames.evennessOfItems(10_000_000));
  }

  @Test
  void someAreNamedFarMoreOftenThanOthersAndNoneThatIsNot() {
    Random random = new Random(3);
    int[] named = new int[1_001];
    for (int i = 0; i < 200_000; i++) {
      named[(int) TpcwNames.item(1_000, random)]++;
    }
    assertEquals(0, named[0]);
    int most = Arrays.stream(named).max().orElseThrow();
    assertTrue(most > 1_000, "the most named one of 200 in the mean: " + most);
  }
}
