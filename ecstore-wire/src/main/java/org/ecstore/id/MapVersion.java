package org.ecstore.id;

/** M: the number of changes the range map has seen (rule 8). */
public record MapVersion(long value) implements Comparable<MapVersion> {
  /** Before the first change. */
  public static final MapVersion ZERO = new MapVersion(0);

  public MapVersion {
    if (value < 0) {
      throw new IllegalArgumentException("negative MapVersion: " + value);
    }
  }

  /** The one after this. */
  public MapVersion next() {
    return new MapVersion(value + 1);
  }

  /** Whether this is greater than the other. */
  public boolean isAfter(MapVersion other) {
    return value > other.value;
  }

  /** Whether this is equal to or less than the other. */
  public boolean isAtOrBelow(MapVersion other) {
    return value <= other.value;
  }

  /** The greater of two. */
  public static MapVersion max(MapVersion a, MapVersion b) {
    return a.value >= b.value ? a : b;
  }

  /** The lesser of two. */
  public static MapVersion min(MapVersion a, MapVersion b) {
    return a.value <= b.value ? a : b;
  }

  @Override
  public int compareTo(MapVersion other) {
    return Long.compare(value, other.value);
  }

  @Override
  public String toString() {
    return "m" + value;
  }
}
