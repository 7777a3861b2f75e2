package org.ecstore.client.commit;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import org.ecstore.key.Bytes;
import org.ecstore.key.KeyRange;

/**
 * What a transaction has read from the store, to be validated when it commits (rule 3): keys, and
 * intervals up to the last key returned. Reads of its own writes are none. For one thread.
 */
public final class ReadSet {
  private final TreeSet<Bytes> keys = new TreeSet<>();
  private final List<Interval> intervals = new ArrayList<>();
  private long keyBytes;

  /** An interval being scanned: grows while the scan goes on. */
  public static final class Interval {
    private Optional<KeyRange> read = Optional.empty();

    /** All of this has been seen by the application now. */
    public void extendTo(KeyRange range) {
      read = Optional.of(range);
    }
  }

  public void addKey(Bytes key) {
    if (keys.add(key)) {
      keyBytes += key.length();
    }
  }

  /** A scan has begun. */
  public Interval addInterval() {
    Interval interval = new Interval();
    intervals.add(interval);
    return interval;
  }

  /** Keys read, in bytes. */
  public long keyBytes() {
    return keyBytes;
  }

  /** What {@link #keyBytes} would be after reading more keys, at most. */
  public long keyBytesWith(List<Bytes> more) {
    long bytes = keyBytes;
    for (Bytes key : more) {
      bytes += keys.contains(key) ? 0 : key.length();
    }
    return bytes;
  }

  /** Keys that no interval holds, in order. */
  public List<Bytes> keys(List<KeyRange> merged) {
    List<Bytes> outside = new ArrayList<>();
    int at = 0;
    for (Bytes key : keys) {
      while (at < merged.size() && !merged.get(at).isBelowEnd(key)) {
        at++;
      }
      if (at == merged.size() || !merged.get(at).contains(key)) {
        outside.add(key);
      }
    }
    return outside;
  }

  /** The intervals in order, those that overlap or touch made one. */
  public List<KeyRange> intervals() {
    return KeyRange.merged(intervals.stream().flatMap(interval -> interval.read.stream()).toList());
  }
}
