package org.ecstore.replication.load;

import java.util.List;
import org.ecstore.key.Bytes;
import org.ecstore.key.KeyRange;

/**
 * What a copy knows about the accesses to its keys: buckets that tile its range, each with the
 * rates of its reads and updates. Used by one thread; time is passed in and does not go back.
 *
 * <p>Paper: ecStore §4.3.
 */
public interface RangeHistogram {
  /** The copy's range. */
  KeyRange keys();

  /** A query, of one key or many, was served here. What lies outside of the copy is not counted. */
  void read(KeyRange query, long nowNanos);

  /** A key was written. */
  void update(Bytes key, long nowNanos);

  /** Adapts the buckets to what was seen, where they can be adapted. */
  void restructure(long nowNanos);

  /** All buckets, in key order. */
  List<Bucket> buckets(long nowNanos);

  /** Load(S) of the paper's equation 2: the sum of the buckets' read rates. */
  default double load(long nowNanos) {
    return buckets(nowNanos).stream().mapToDouble(bucket -> bucket.rates().reads()).sum();
  }

  /** The rates of an interval, as if accesses were spread evenly within each bucket. */
  Rates rates(KeyRange interval, long nowNanos);
}
