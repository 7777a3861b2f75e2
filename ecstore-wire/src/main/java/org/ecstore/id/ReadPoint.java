package org.ecstore.id;

/**
 * A position together with the newest map change at or below it. Positions travel in such pairs so
 * that a node never learns that the ledger went on without learning who owns what (rule 8).
 */
public record ReadPoint(Position position, MapVersion mapVersion) {
  /** The point before the first record. */
  public static final ReadPoint ZERO = new ReadPoint(Position.ZERO, MapVersion.ZERO);

  /** The later of two points. */
  public static ReadPoint max(ReadPoint a, ReadPoint b) {
    return a.position.value() >= b.position.value() ? a : b;
  }

  @Override
  public String toString() {
    return "(" + position + "," + mapVersion + ")";
  }
}
