package org.ecstore.txn.balance;

/**
 * When ranges are split, merged and moved without being told to. The same on all nodes.
 *
 * @param automatic whether the steward does so by itself; if not, only on an operator's request
 * @param periodNanos how often nodes say what their copies hold and have to do, and the steward
 *     thinks of it
 * @param splitBytes a range that holds more is split
 * @param splitRate a range with more reads and updates per second at its primary is split, and
 *     primaries are moved off a node with more; 0 for never
 * @param mergeNanos neighbours that have been small for so long become one again; 0 for never
 * @param shiftBytes how much more than its neighbour a node must hold, beside {@link #TIMES} as
 *     much, for the boundary to be shifted (rule 21)
 */
public record RebalanceSettings(
    boolean automatic,
    long periodNanos,
    long splitBytes,
    double splitRate,
    long mergeNanos,
    long shiftBytes) {
  /** By itself the steward moves something where one node has more than so many times as much. */
  public static final double TIMES = 2;

  private static final long SECOND = 1_000_000_000L;

  /** What is used where nothing else is said. */
  public static final RebalanceSettings DEFAULT =
      new RebalanceSettings(true, 5 * SECOND, 256L << 20, 5_000, 3_600 * SECOND, 64L << 20);

  public RebalanceSettings {
    if (periodNanos < 1 || splitBytes < 1 || splitRate < 0 || mergeNanos < 0 || shiftBytes < 1) {
      throw new IllegalArgumentException(
          "no balance every %d ns at %d bytes, %f per second, %d ns and %d bytes"
              .formatted(periodNanos, splitBytes, splitRate, mergeNanos, shiftBytes));
    }
  }
}
