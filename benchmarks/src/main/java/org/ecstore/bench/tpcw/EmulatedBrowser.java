package org.ecstore.bench.tpcw;

import java.util.random.RandomGenerator;
import org.ecstore.bench.load.Load;
import org.ecstore.bench.load.LoadOutcome;

/** One emulated browser: goes from page to page by a mix, and thinks between them (TPC-W 5.2). */
final class EmulatedBrowser implements Load.Client {
  private final TpcwMix mix;
  private final boolean thinks;
  private final RandomGenerator random;
  private final ShopPages pages;
  private final Runnable done;
  private Interaction at = Interaction.HOME;
  private long sessionEnds;
  private boolean isFirst = true;

  /**
   * One that has not been anywhere.
   *
   * @param done is told of each page that came
   */
  EmulatedBrowser(
      TpcwMix mix, boolean thinks, RandomGenerator random, ShopPages pages, Runnable done) {
    this.mix = mix;
    this.thinks = thinks;
    this.random = random;
    this.pages = pages;
    this.done = done;
  }

  @Override
  public long restNanos() {
    return thinks ? TpcwTimes.think(random).toNanos() : 0;
  }

  @Override
  public LoadOutcome next() {
    Interaction from = at;
    at = isFirst ? Interaction.HOME : mix.next(from, random);
    if (isFirst || (at == Interaction.HOME && System.nanoTime() - sessionEnds >= 0)) {
      pages.begin();
      sessionEnds = System.nanoTime() + TpcwTimes.session(random).toNanos();
      isFirst = false;
    }
    String name = at.abbreviation();
    try {
      pages.open(at, from);
      done.run();
      return LoadOutcome.done(name, 1);
    } catch (Exception e) {
      if (e instanceof InterruptedException) {
        Thread.currentThread().interrupt();
      }
      // As a person would: from the beginning, as another customer.
      isFirst = true;
      return LoadOutcome.failed(name, brief(e));
    }
  }

  private static String brief(Exception e) {
    String text = e.getClass().getSimpleName() + ": " + e.getMessage();
    return text.lines().findFirst().orElse(text).replaceAll("[0-9a-f-]{36}|\\d+", "#");
  }

  @Override
  public void close() {
    pages.close();
  }
}
