package org.ecstore.txn.limit;

/**
 * How much a node's process has to do.
 *
 * @param busyMilli how much of its capacity it has used of late, in thousandths
 * @param waitMicros how long requests wait for their turn
 */
public record NodeUse(long busyMilli, long waitMicros) {
  /** Nothing says so. */
  public static final NodeUse UNKNOWN = new NodeUse(0, 0);

  /** Requests that wait so long have found a node that has too much to do. */
  private static final long PRESSED_MICROS = 20_000;

  private static final long PRESSED_MILLI = 950;

  /** Whether it has too much to do. */
  public boolean isPressed() {
    return busyMilli >= PRESSED_MILLI || waitMicros >= PRESSED_MICROS;
  }
}
