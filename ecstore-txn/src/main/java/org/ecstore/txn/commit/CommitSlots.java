package org.ecstore.txn.commit;

/**
 * How many commits a node runs at a time: as many as records decided within the last second, so
 * that one that is taken in is answered in about a second (Little's law), and no fewer than some.
 * What is over that is refused before anything is done for it: who hears so at once can wait, or go
 * elsewhere; who waits in line learns nothing, and makes all behind wait longer. Where none ended
 * because the sequencer is away, that is no overload, and they wait for the next one
 * (docs/decisions/0027); where none ended because there was nothing to do, it is not known yet what
 * can be done, and no more than some begin (docs/decisions/0036).
 */
final class CommitSlots {
  private static final int SLICES = 10;
  private static final long SLICE_NANOS = 100_000_000;
  private static final long NO_TIME = Long.MIN_VALUE;

  private final int least;
  private final int most;
  private final int[] ended = new int[SLICES];

  /** The slice of time that is being counted. */
  private long slice = NO_TIME;

  private int sum;

  /** No sequencer has answered since a record decided one. */
  private boolean away;

  CommitSlots(int least, int most) {
    this.least = least;
    this.most = most;
  }

  /** Whether one more may run beside so many. */
  boolean admits(int running, long nowNanos) {
    advance(nowNanos);
    return running < (sum == 0 && away ? most : Math.clamp(sum, least, most));
  }

  /**
   * A record has decided one. Those sent away for a conflict, or left in doubt, say nothing of how
   * many can be done.
   */
  void ended(long nowNanos) {
    advance(nowNanos);
    ended[(int) Math.floorMod(slice, (long) SLICES)]++;
    sum++;
    away = false;
  }

  /** No sequencer answers. */
  void away() {
    away = true;
  }

  /** Forgets what ended longer than a second ago. */
  private void advance(long nowNanos) {
    long now = Math.floorDiv(nowNanos, SLICE_NANOS);
    if (slice == NO_TIME) {
      slice = now;
    }
    long steps = Math.min(SLICES, now - slice);
    for (long i = 0; i < steps; i++) {
      int oldest = (int) Math.floorMod(now - i, (long) SLICES);
      sum -= ended[oldest];
      ended[oldest] = 0;
    }
    slice = Math.max(slice, now);
  }
}
