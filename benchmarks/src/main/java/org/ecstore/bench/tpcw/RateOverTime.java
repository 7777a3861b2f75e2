package org.ecstore.bench.tpcw;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLongArray;

/** How many pages came in each second since it was made. Safe for use by several threads. */
final class RateOverTime {
  private static final long SECOND = 1_000_000_000L;

  private final long begun = System.nanoTime();
  private final AtomicLongArray counts;

  /**
   * For a while.
   *
   * @param seconds of it; what comes later is not counted
   */
  RateOverTime(int seconds) {
    this.counts = new AtomicLongArray(seconds);
  }

  /** A page came now. */
  void count() {
    long second = (System.nanoTime() - begun) / SECOND;
    if (second < counts.length()) {
      counts.incrementAndGet((int) second);
    }
  }

  /** By second, from the first. */
  List<Long> bySecond() {
    List<Long> all = new ArrayList<>();
    for (int second = 0; second < counts.length(); second++) {
      all.add(counts.get(second));
    }
    return all;
  }

  /**
   * The longest time in which no page came, in whole seconds, from one second to another.
   *
   * @param from the first that counts
   */
  int longestPause(int from) {
    int longest = 0;
    int now = 0;
    for (int second = from; second < counts.length(); second++) {
      now = counts.get(second) == 0 ? now + 1 : 0;
      longest = Math.max(longest, now);
    }
    return longest;
  }
}
