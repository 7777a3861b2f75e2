package org.ecstore.id;

/** A place in the commit ledger. A commit number is the position of a commit record (rule 1). */
public record Position(long value) implements Comparable<Position> {
  /** Before the first record. */
  public static final Position ZERO = new Position(0);

  public Position {
    if (value < 0) {
      throw new IllegalArgumentException("negative Position: " + value);
    }
  }

  /** The one after this. */
  public Position next() {
    return new Position(value + 1);
  }

  /** Whether this is greater than the other. */
  public boolean isAfter(Position other) {
    return value > other.value;
  }

  /** Whether this is equal to or less than the other. */
  public boolean isAtOrBelow(Position other) {
    return value <= other.value;
  }

  /** The greater of two. */
  public static Position max(Position a, Position b) {
    return a.value >= b.value ? a : b;
  }

  /** The lesser of two. */
  public static Position min(Position a, Position b) {
    return a.value <= b.value ? a : b;
  }

  @Override
  public int compareTo(Position other) {
    return Long.compare(value, other.value);
  }

  @Override
  public String toString() {
    return "p" + value;
  }
}
