package org.ecstore.id;

/**
 * The fencing token of a range: it grows with every change of who serves the range and how (rules
 * 4, 15).
 */
public record Epoch(long value) implements Comparable<Epoch> {
  /** No epoch yet. */
  public static final Epoch ZERO = new Epoch(0);

  public Epoch {
    if (value < 0) {
      throw new IllegalArgumentException("negative Epoch: " + value);
    }
  }

  /** The one after this. */
  public Epoch next() {
    return new Epoch(value + 1);
  }

  /** Whether this is greater than the other. */
  public boolean isAfter(Epoch other) {
    return value > other.value;
  }

  /** Whether this is equal to or less than the other. */
  public boolean isAtOrBelow(Epoch other) {
    return value <= other.value;
  }

  /** The greater of two. */
  public static Epoch max(Epoch a, Epoch b) {
    return a.value >= b.value ? a : b;
  }

  /** The lesser of two. */
  public static Epoch min(Epoch a, Epoch b) {
    return a.value <= b.value ? a : b;
  }

  @Override
  public int compareTo(Epoch other) {
    return Long.compare(value, other.value);
  }

  @Override
  public String toString() {
    return "e" + value;
  }
}
