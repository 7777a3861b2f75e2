package org.ecstore.bench.tpcw;

import java.time.Duration;
import java.util.random.RandomGenerator;

/** How long an emulated browser thinks, and how long its session is (TPC-W 1.8, 5.3.1, 6.2.1). */
public final class TpcwTimes {
  private static final Duration THINK_MEAN = Duration.ofSeconds(7);
  private static final Duration THINK_MAX = Duration.ofSeconds(70);
  private static final Duration SESSION_MEAN = Duration.ofMinutes(15);
  private static final Duration SESSION_MAX = Duration.ofMinutes(60);

  private TpcwTimes() {}

  /** From the last byte of a page to the request for the next one: 7 s in the mean, 70 at most. */
  public static Duration think(RandomGenerator random) {
    return exponential(THINK_MEAN, THINK_MAX, random);
  }

  /** A session ends with the first home page after this: 15 minutes in the mean, 60 at most. */
  public static Duration session(RandomGenerator random) {
    return exponential(SESSION_MEAN, SESSION_MAX, random);
  }

  private static Duration exponential(Duration mean, Duration most, RandomGenerator random) {
    // 1 - [0, 1): never the logarithm of zero.
    double nanos = -Math.log(1 - random.nextDouble()) * (double) mean.toNanos();
    return Duration.ofNanos(Math.min((long) nanos, most.toNanos()));
  }
}
