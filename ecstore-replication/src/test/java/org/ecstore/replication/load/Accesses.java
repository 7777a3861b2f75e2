package org.ecstore.replication.load;

import org.ecstore.key.Bytes;
import org.ecstore.key.KeyRange;
import org.ecstore.replication.placement.PositionMap;

/** Keys that are numbers, and a copy of the first million of them. */
final class Accesses {
  static final long KEYS = 1_000_000;
  static final long SECOND = 1_000_000_000L;
  static final KeyRange ALL = range(0, KEYS);

  private Accesses() {}

  static Bytes key(long number) {
    byte[] bytes = new byte[Long.BYTES];
    for (int i = 0; i < bytes.length; i++) {
      bytes[i] = (byte) (number >>> (8 * (bytes.length - 1 - i)));
    }
    return Bytes.wrap(bytes);
  }

  static KeyRange range(long from, long to) {
    return KeyRange.of(key(from), key(to));
  }

  static KeyRange one(long number) {
    return KeyRange.single(key(number));
  }

  static Histogram histogram(int buckets) {
    return new Histogram(
        ALL,
        PositionMap.FIRST_BYTES,
        HistogramSettings.DEFAULT.withBuckets(buckets).withHalfLifeNanos(10 * SECOND),
        0);
  }

  static Bucket bucketOf(RangeHistogram histogram, long number, long nowNanos) {
    return histogram.buckets(nowNanos).stream()
        .filter(bucket -> bucket.keys().contains(key(number)))
        .findFirst()
        .orElseThrow();
  }
}
