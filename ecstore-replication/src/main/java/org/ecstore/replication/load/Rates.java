package org.ecstore.replication.load;

/**
 * How often something is read and updated, per second, the recent past counting most.
 *
 * @param reads Q of rule 24
 * @param updates U of rule 24
 */
public record Rates(double reads, double updates) {
  /** Neither read nor updated. */
  public static final Rates NONE = new Rates(0, 0);

  /** Both together. */
  public Rates plus(Rates other) {
    return new Rates(reads + other.reads, updates + other.updates);
  }

  /** A part of them. */
  public Rates times(double part) {
    return new Rates(reads * part, updates * part);
  }
}
