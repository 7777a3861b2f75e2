package org.ecstore.key;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.ecstore.client.error.WrongArgumentException;
import org.jspecify.annotations.Nullable;

/**
 * A half-open range of keys {@code [start, end)}. The start is inclusive, {@link Bytes#EMPTY} being
 * the least key; the end is exclusive, absent meaning "to the end of all keys".
 */
public final class KeyRange {
  /** Every key. */
  public static final KeyRange ALL = new KeyRange(Bytes.EMPTY, null);

  private final Bytes start;
  private final @Nullable Bytes end;

  private KeyRange(Bytes start, @Nullable Bytes end) {
    this.start = start;
    this.end = end;
  }

  /**
   * From start, inclusive, to end, exclusive.
   *
   * @throws WrongArgumentException if end is not above start
   */
  public static KeyRange of(Bytes start, Bytes end) {
    if (start.compareTo(end) >= 0) {
      throw new WrongArgumentException(
          "the range of keys is empty or inverted", null, "start", start, "end", end);
    }
    return new KeyRange(start, end);
  }

  /** From start, inclusive, to the end of all keys. */
  public static KeyRange from(Bytes start) {
    return start.equals(Bytes.EMPTY) ? ALL : new KeyRange(start, null);
  }

  /**
   * From start to an end that may be absent.
   *
   * @throws WrongArgumentException if end is not above start
   */
  public static KeyRange between(Bytes start, Optional<Bytes> end) {
    return end.isPresent() ? of(start, end.get()) : from(start);
  }

  /** The range that holds one key only. */
  public static KeyRange single(Bytes key) {
    return new KeyRange(key, key.successor());
  }

  /**
   * The smallest interval that has all of some keys.
   *
   * @throws WrongArgumentException if there is none
   */
  public static KeyRange spanning(Collection<Bytes> keys) {
    if (keys.isEmpty()) {
      throw new WrongArgumentException("an interval spans at least one key", null);
    }
    return new KeyRange(Collections.min(keys), Collections.max(keys).successor());
  }

  /** The same keys in intervals that ascend, those that overlap or touch made one. */
  public static List<KeyRange> merged(Collection<KeyRange> ranges) {
    List<KeyRange> sorted = new ArrayList<>(ranges);
    sorted.sort(Comparator.comparing(KeyRange::start));
    List<KeyRange> merged = new ArrayList<>();
    for (KeyRange next : sorted) {
      int last = merged.size() - 1;
      if (last >= 0 && merged.get(last).reaches(next)) {
        merged.set(last, merged.get(last).through(next));
      } else {
        merged.add(next);
      }
    }
    return merged;
  }

  private boolean reaches(KeyRange next) {
    return end == null || end.compareTo(next.start) >= 0;
  }

  private KeyRange through(KeyRange next) {
    return compareEnds(end, next.end) >= 0 ? this : new KeyRange(start, next.end);
  }

  /** Every key that begins with the prefix. */
  public static KeyRange prefix(Bytes prefix) {
    byte[] array = prefix.array();
    for (int i = array.length - 1; i >= 0; i--) {
      if (array[i] != (byte) 0xff) {
        byte[] end = java.util.Arrays.copyOf(array, i + 1);
        end[i]++;
        return new KeyRange(prefix, Bytes.wrap(end));
      }
    }
    return from(prefix);
  }

  /** The least key of the range. */
  public Bytes start() {
    return start;
  }

  /** The first key past the range; absent where it reaches to the end of all keys. */
  public Optional<Bytes> end() {
    return Optional.ofNullable(end);
  }

  /** Whether the key is in the range. */
  public boolean contains(Bytes key) {
    return start.compareTo(key) <= 0 && isBelowEnd(key);
  }

  /** Whether the key is below the range's end. */
  public boolean isBelowEnd(Bytes key) {
    return end == null || key.compareTo(end) < 0;
  }

  /** Whether every key of the other range is in this one. */
  public boolean contains(KeyRange other) {
    return start.compareTo(other.start) <= 0 && compareEnds(end, other.end) >= 0;
  }

  /** Whether some key is in both. */
  public boolean overlaps(KeyRange other) {
    return isBelowEnd(other.start) && other.isBelowEnd(start);
  }

  /** The keys in both; absent if there are none. */
  public Optional<KeyRange> intersection(KeyRange other) {
    if (!overlaps(other)) {
      return Optional.empty();
    }
    Bytes from = start.compareTo(other.start) >= 0 ? start : other.start;
    Bytes to = compareEnds(end, other.end) <= 0 ? end : other.end;
    return Optional.of(new KeyRange(from, to));
  }

  private static int compareEnds(@Nullable Bytes a, @Nullable Bytes b) {
    if (a == null) {
      return b == null ? 0 : 1;
    }
    return b == null ? -1 : a.compareTo(b);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof KeyRange that
        && start.equals(that.start)
        && java.util.Objects.equals(end, that.end);
  }

  @Override
  public int hashCode() {
    return start.hashCode() * 31 + (end == null ? 0 : end.hashCode());
  }

  @Override
  public String toString() {
    return "[" + start + ", " + (end == null ? "end" : end) + ")";
  }
}
