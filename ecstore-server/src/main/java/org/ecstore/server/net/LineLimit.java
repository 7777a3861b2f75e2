package org.ecstore.server.net;

import java.time.Duration;

/** So many lines of a log in a time, that no stranger can fill a disk. Any thread may call. */
final class LineLimit {
  private final int linesMax;
  private final long periodNanos;

  /** Guarded by this. */
  private int lines;

  /** Guarded by this. */
  private long begunNanos;

  /** Guarded by this. */
  private long unsaid;

  LineLimit(int linesMax, Duration period) {
    this.linesMax = linesMax;
    this.periodNanos = period.toNanos();
  }

  /** How many lines were left out before this one, or -1 if this one has to be left out too. */
  synchronized long take(long nowNanos) {
    if (lines == 0 || nowNanos - begunNanos > periodNanos) {
      lines = 0;
      begunNanos = nowNanos;
    }
    if (lines == linesMax) {
      unsaid++;
      return -1;
    }
    lines++;
    long before = unsaid;
    unsaid = 0;
    return before;
  }
}
