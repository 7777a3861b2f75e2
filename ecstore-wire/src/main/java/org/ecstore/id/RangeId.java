package org.ecstore.id;

/** A range of keys. Retired ids are never used again (rule 17). */
public record RangeId(long value) implements Comparable<RangeId> {
  public RangeId {
    if (value < 0) {
      throw new IllegalArgumentException("negative RangeId: " + value);
    }
  }

  @Override
  public int compareTo(RangeId other) {
    return Long.compare(value, other.value);
  }

  @Override
  public String toString() {
    return "r" + value;
  }
}
