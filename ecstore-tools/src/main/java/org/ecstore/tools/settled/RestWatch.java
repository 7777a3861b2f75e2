package org.ecstore.tools.settled;

import java.time.Duration;

/** Whether a cluster has been at rest for as long as it must, and whether that began in time. */
public final class RestWatch {
  private final long withinNanos;
  private final long calmNanos;
  private final long begun;
  private long since;

  /** What is known after a look. */
  public enum Rest {
    /** It is not at rest, or not for long enough yet. */
    AWAITED,
    /** It has been for long enough. */
    REACHED,
    /** It did not begin in time. */
    LATE
  }

  /**
   * From now on.
   *
   * @param within what rest must begin; how long it must last comes on top
   * @param calm for how long it must last
   */
  public RestWatch(Duration within, Duration calm, long nanos) {
    this.withinNanos = within.toNanos();
    this.calmNanos = calm.toNanos();
    this.begun = nanos;
    this.since = nanos;
  }

  /** Tells of a look, and what is known then. */
  public Rest seen(boolean isAtRest, long nanos) {
    if (!isAtRest) {
      since = nanos;
    } else if (nanos - since >= calmNanos) {
      return Rest.REACHED;
    }
    return since - begun > withinNanos ? Rest.LATE : Rest.AWAITED;
  }
}
