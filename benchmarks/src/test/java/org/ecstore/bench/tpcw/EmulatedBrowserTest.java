package org.ecstore.bench.tpcw;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import org.ecstore.bench.load.LoadOutcome;
import org.ecstore.bench.load.Pace;
import org.ecstore.bookstore.model.CartLine;
import org.ecstore.bookstore.population.TpcwPopulation;
import org.junit.jupiter.api.Test;

class EmulatedBrowserTest {
  private static final TpcwPopulation POPULATION =
      new TpcwPopulation(1_000, 2_880, Instant.parse("2026-06-01T00:00:00Z"));

  /** Notes where a browser goes. */
  private static final class Noted implements ShopPages {
    final List<Interaction> seen = new ArrayList<>();
    final List<Interaction> before = new ArrayList<>();
    int sessions;
    boolean isBroken;

    @Override
    public void open(Interaction page, Interaction from) throws WrongPageException {
      seen.add(page);
      before.add(from);
      if (isBroken) {
        throw new WrongPageException("order 17 of 00000000-0000-0000-0000-000000000000");
      }
    }

    @Override
    public void begin() {
      sessions++;
    }
  }

  private static EmulatedBrowser browser(boolean thinks, Noted pages, Runnable done) {
    return new EmulatedBrowser(TpcwMix.SHOPPING, thinks, new SplittableRandom(5), pages, done);
  }

  @Test
  void aBrowserBeginsAtHomeAndFollowsTheMix() {
    Noted pages = new Noted();
    int[] done = new int[1];
    EmulatedBrowser browser = browser(false, pages, () -> done[0]++);
    Map<Interaction, Integer> counts = new EnumMap<>(Interaction.class);
    int steps = 50_000;
    for (int step = 0; step < steps; step++) {
      assertTrue(browser.next().error().isEmpty());
    }
    pages.seen.forEach(page -> counts.merge(page, 1, Integer::sum));
    assertEquals(Interaction.HOME, pages.seen.getFirst());
    assertEquals(pages.seen.subList(0, steps - 1), pages.before.subList(1, steps));
    assertEquals(17.0, 100.0 * counts.getOrDefault(Interaction.SEARCH_RESULTS, 0) / steps, 1);
    assertEquals(1, pages.sessions);
    assertEquals(steps, done[0]);
    assertEquals(0, browser.restNanos());
  }

  @Test
  void whereAPageFailsAnotherSessionBegins() {
    Noted pages = new Noted();
    pages.isBroken = true;
    EmulatedBrowser browser = browser(true, pages, () -> {});
    LoadOutcome outcome = browser.next();
    assertEquals("WrongPageException: order # of #", outcome.error().orElse(""));
    assertEquals("HOME", outcome.kind());
    browser.next();
    assertEquals(List.of(Interaction.HOME, Interaction.HOME), pages.seen);
    assertEquals(2, pages.sessions);
    assertTrue(browser.restNanos() > 0);
  }

  @Test
  void aCartKeepsSomething() {
    Visitors visitors = new Visitors(new SplittableRandom(6), POPULATION);
    List<CartLine> lines =
        LongStream.rangeClosed(1, 4).mapToObj(item -> new CartLine(item, "", "", 1, 1, 1)).toList();
    boolean removed = false;
    for (int time = 0; time < 2_000; time++) {
      Map<Long, Long> changed = visitors.quantities(lines);
      assertTrue(
          lines.stream().anyMatch(line -> changed.getOrDefault(line.item(), line.quantity()) > 0));
      removed |= changed.containsValue(0L);
      long one = visitors.quantities(lines.subList(0, 1)).getOrDefault(1L, 0L);
      assertTrue(one >= 1 && one <= 10, () -> "a quantity of " + one);
    }
    assertTrue(removed);
  }

  @Test
  void fourOfFiveAreKnown() {
    Visitors visitors = new Visitors(new SplittableRandom(7), POPULATION);
    int known = 0;
    for (int time = 0; time < 10_000; time++) {
      var who = visitors.who();
      known += who.isPresent() ? 1 : 0;
      who.ifPresent(
          customer ->
              assertEquals(POPULATION.customer(customer.id()).password(), customer.password()));
    }
    assertEquals(0.8, known / 10_000.0, 0.02);
  }

  @Test
  void browsersThatThinkSeeSoManyPages() {
    assertFalse(TpcwReport.isValid(140, 10));
    assertTrue(TpcwReport.isValid(140, 10.1));
    assertTrue(TpcwReport.isValid(140, 19.9));
    assertFalse(TpcwReport.isValid(140, 20));
  }

  @Test
  void pausesAreCounted() {
    RateOverTime rate = new RateOverTime(3);
    rate.count();
    assertEquals(3, rate.bySecond().size());
    assertEquals(1, rate.bySecond().getFirst());
    assertEquals(2, rate.longestPause(1));
    assertEquals(2, rate.longestPause(0));
  }

  /** A run at a part of the saturation has another warm-up: seconds behind it had no page. */
  @Test
  void pagesAreCountedForAsLongAsTheRunIs() {
    Pace pace = new Pace(8, 100, Duration.ofSeconds(5), Duration.ofSeconds(60));
    assertEquals(65, TpcwLoad.How.of(TpcwMix.SHOPPING, false, pace, 1).seconds());
    Pace odd = new Pace(8, 0, Duration.ofMillis(1_500), Duration.ofMillis(1_200));
    assertEquals(3, TpcwLoad.How.of(TpcwMix.SHOPPING, false, odd, 1).seconds());
  }
}
