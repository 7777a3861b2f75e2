package org.ecstore.client.retry;

/**
 * Exponential back-off with full jitter: the delay before try n is uniform between zero and the
 * lesser of {@code firstNanos * 2^n} and {@code maxNanos}. Full jitter spreads those who met in a
 * conflict best, so that they do not meet again (rule 2).
 */
public record Backoff(long firstNanos, long maxNanos) {
  public Backoff {
    if (firstNanos <= 0 || maxNanos < firstNanos) {
      throw new IllegalArgumentException("back-off from " + firstNanos + " to " + maxNanos);
    }
  }

  /**
   * The delay in nanoseconds before another try.
   *
   * @param failures tries that have failed so far, at least one
   * @param random uniform in [0, 1)
   */
  public long delayNanos(int failures, double random) {
    long ceiling = firstNanos;
    for (int i = 1; i < failures && ceiling < maxNanos; i++) {
      ceiling = ceiling > maxNanos / 2 ? maxNanos : ceiling * 2;
    }
    return (long) (random * ceiling);
  }
}
