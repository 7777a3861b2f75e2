package org.ecstore.sim.world;

/**
 * Something that must not happen did.
 *
 * @param rule which promise was broken, in a few words
 * @param detail what was seen, for the reader
 */
public record Violation(long seed, long timeNanos, String rule, String detail) {
  @Override
  public String toString() {
    return "seed "
        + seed
        + " at "
        + timeNanos / 1_000_000
        + " ms of virtual time: "
        + rule
        + ": "
        + detail;
  }
}
