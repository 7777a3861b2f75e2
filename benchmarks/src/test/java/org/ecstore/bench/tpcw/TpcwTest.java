package org.ecstore.bench.tpcw;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
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

  private static ObjectNode killed(long pauseSeconds, double pageMillis) {
    return new ObjectMapper()
        .createObjectNode()
        .put("kills", 2)
        .put("longestPauseSeconds", pauseSeconds)
        .put("longestMillis", pageMillis);
  }

  @Test
  void whileNodesAreKilledAPageMayTakeNoLongerThanAPause() {
    assertEquals(Optional.empty(), TpcwReport.tooLong(killed(10, 10_000), 10));
    assertEquals(
        Optional.of("for 11 s there was no page"), TpcwReport.tooLong(killed(11, 10_000), 10));
    assertEquals(Optional.of("a page took 10.1 s"), TpcwReport.tooLong(killed(10, 10_070), 10));
    ObjectNode unharmed = killed(0, 30_000);
    unharmed.remove(List.of("kills", "longestPauseSeconds"));
    assertEquals(Optional.empty(), TpcwReport.tooLong(unharmed, 10));
  }
}
