package org.ecstore.txn.qos.control;

/**
 * When the controller looks and acts.
 *
 * @param checkNanos how often it looks whether objectives are kept
 * @param window checks after which it may act: an objective that was violated in half of them, the
 *     last one among these, calls for something
 * @param provisionNanos how long a node may take to come or to go
 */
public record ControlTiming(long checkNanos, int window, long provisionNanos) {
  private static final long SECOND = 1_000_000_000L;

  /** Twenty checks in ten minutes. Paper: Cassandra QoS, §IV. */
  public static final ControlTiming DEFAULT = new ControlTiming(30 * SECOND, 20, 600 * SECOND);

  public ControlTiming {
    if (checkNanos < 1 || window < 2 || provisionNanos < 1) {
      throw new IllegalArgumentException(
          "no checks every %d ns, %d of them, and %d ns for a node"
              .formatted(checkNanos, window, provisionNanos));
    }
  }
}
