package org.ecstore.server.loop;

/**
 * Bounds of an event loop.
 *
 * @param inboxEventsMax events that wait; the inbox is congested from half of it on, for nodes from
 *     seven eighths
 * @param inboxBytesMax bytes that wait, likewise; the inbox takes one event of any size while it is
 *     not full
 * @param batchEventsMax events handled before what they gathered is flushed
 */
public record LoopLimits(int inboxEventsMax, long inboxBytesMax, int batchEventsMax) {
  /** For a node with a heap of a few hundred megabytes. */
  public static final LoopLimits DEFAULT = new LoopLimits(16_384, 64L << 20, 1_024);

  /** The same with no more bytes than so many. */
  public LoopLimits withBytes(long bytesMax) {
    return new LoopLimits(inboxEventsMax, Math.min(inboxBytesMax, bytesMax), batchEventsMax);
  }

  /** Of events there may be so many where another is to come; a quarter is not for requests. */
  int inboxEventsMax(boolean isRequest) {
    return isRequest ? inboxEventsMax - inboxEventsMax / 4 : inboxEventsMax;
  }

  /** Of bytes there may be so many before another event comes; a quarter is not for requests. */
  long inboxBytesMax(boolean isRequest) {
    return isRequest ? inboxBytesMax - inboxBytesMax / 4 : inboxBytesMax;
  }

  public LoopLimits {
    if (inboxEventsMax < 2 || inboxBytesMax < 2 || batchEventsMax < 1) {
      throw new IllegalArgumentException("limits of an event loop must be positive");
    }
  }
}
