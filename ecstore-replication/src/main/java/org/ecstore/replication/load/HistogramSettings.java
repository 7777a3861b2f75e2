package org.ecstore.replication.load;

/**
 * How a self-tuning histogram is built.
 *
 * @param buckets B, constant; at least 2
 * @param samples how many of its last queries each bucket remembers, to be split at their bounds
 * @param samplesMin a bucket that remembers fewer is not split yet
 * @param halfLifeNanos after this time an access counts half
 */
public record HistogramSettings(int buckets, int samples, int samplesMin, long halfLifeNanos) {
  /** What is used where nothing else is said. */
  public static final HistogramSettings DEFAULT = new HistogramSettings(20, 16, 6, 5_000_000_000L);

  public HistogramSettings {
    if (buckets < 2 || samplesMin < 1 || samples < samplesMin || halfLifeNanos < 1) {
      throw new IllegalArgumentException(
          "no histogram of %d buckets, %d samples, at least %d of them, and a half-life of %d ns"
              .formatted(buckets, samples, samplesMin, halfLifeNanos));
    }
  }

  /** With another number of buckets. */
  public HistogramSettings withBuckets(int count) {
    return new HistogramSettings(count, samples, samplesMin, halfLifeNanos);
  }

  /** With another half-life. */
  public HistogramSettings withHalfLifeNanos(long nanos) {
    return new HistogramSettings(buckets, samples, samplesMin, nanos);
  }
}
