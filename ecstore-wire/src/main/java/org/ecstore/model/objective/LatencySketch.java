package org.ecstore.model.objective;

import java.util.Arrays;

/**
 * How many response times fell into each of some intervals, so that sketches of many clients can be
 * added up and asked for percentiles: four intervals for each doubling, from 16 microseconds to
 * four minutes. A percentile is off by a tenth at most. Immutable.
 */
public final class LatencySketch {
  /** Intervals; the last one has all that is longer. */
  public static final int INTERVALS = 96;

  /** The most that an interval counts to: as much as messages carry. */
  static final long COUNT_MAX = Integer.MAX_VALUE;

  /** No response time. */
  public static final LatencySketch EMPTY = new LatencySketch(new long[INTERVALS]);

  private static final double FIRST_NANOS = 16_000;
  private static final int PER_DOUBLING = 4;

  private final long[] counts;

  private LatencySketch(long[] counts) {
    this.counts = counts;
  }

  /**
   * A sketch.
   *
   * @param counts of each interval, not negative, in ascending order; missing ones are 0
   */
  public static LatencySketch of(long[] counts) {
    return new LatencySketch(Arrays.copyOf(counts, INTERVALS));
  }

  /** The interval of a time: from 0 to {@link #INTERVALS} less one. */
  public static int interval(long nanos) {
    if (nanos <= FIRST_NANOS) {
      return 0;
    }
    double doublings = Math.log(nanos / FIRST_NANOS) / Math.log(2);
    return Math.min(INTERVALS - 1, (int) Math.ceil(doublings * PER_DOUBLING));
  }

  /** The same with so many fewer times in the last interval, as far as it has them. */
  public LatencySketch lessOfLast(long count) {
    long[] left = counts.clone();
    left[INTERVALS - 1] -= Math.min(left[INTERVALS - 1], Math.max(0, count));
    return new LatencySketch(left);
  }

  /** The longest time of an interval, in nanoseconds. */
  private static double end(int interval) {
    return FIRST_NANOS * Math.pow(2, (double) interval / PER_DOUBLING);
  }

  /** How many times fell into an interval. */
  public long count(int interval) {
    return counts[interval];
  }

  /** How many times there are. */
  public long count() {
    return Arrays.stream(counts).sum();
  }

  /** This one and another together, as far as each interval counts. */
  public LatencySketch plus(LatencySketch other) {
    long[] sum = counts.clone();
    for (int i = 0; i < INTERVALS; i++) {
      sum[i] = Math.min(COUNT_MAX, sum[i] + other.counts[i]);
    }
    return new LatencySketch(sum);
  }

  /**
   * What a share of the times are at or below, in nanoseconds, as if those within an interval were
   * spread evenly over it; 0 if there are none.
   *
   * @param share above 0, 1 at most: 0.99 for the 99th percentile
   */
  public long percentile(double share) {
    double wanted = share * count();
    double before = 0;
    for (int i = 0; i < INTERVALS; i++) {
      if (counts[i] > 0 && before + counts[i] >= wanted) {
        double start = i == 0 ? 0 : end(i - 1);
        return Math.round(start + (end(i) - start) * (wanted - before) / counts[i]);
      }
      before += counts[i];
    }
    return 0;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof LatencySketch sketch && Arrays.equals(counts, sketch.counts);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(counts);
  }

  @Override
  public String toString() {
    return "LatencySketch" + Arrays.toString(counts);
  }
}
