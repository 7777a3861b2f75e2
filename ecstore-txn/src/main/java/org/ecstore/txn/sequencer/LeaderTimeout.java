package org.ecstore.txn.sequencer;

/**
 * How long a standby bears the silence of one node that leads. A false alarm that twice the time
 * would have avoided doubles it at once. Of a longer pause one alone says nothing of the next: only
 * the second within a minute counts, and has the time doubled as often as the shorter of the two
 * needs. A pause that no doubling reaches never counts, however often it comes: then another had
 * better lead. The time is halved again whenever no silence has needed it for five minutes.
 * Decision 0038.
 *
 * <p>More than one false alarm a minute is what it avoids. One costs about as much as such a pause
 * itself.
 */
final class LeaderTimeout {
  static final long FIRST_NANOS = 500_000_000L;

  /** To 4 s: longer than that a leader is not waited for. */
  static final int DOUBLINGS_MAX = 3;

  /** Two long pauses within it are no accident. */
  static final long AGAIN_NANOS = 60_000_000_000L;

  /** Unneeded for so long it is halved. */
  static final long UNNEEDED_NANOS = 300_000_000_000L;

  private int doublings;
  private long neededNanos;

  /** Doublings that the last long pause would have needed; 0 if there was none. */
  private int longPause;

  private long longPauseNanos;

  /** How long a silence may be that is no reason to suspect. */
  long nanos(long nowNanos) {
    while (doublings > 0 && nowNanos - neededNanos > UNNEEDED_NANOS) {
      doublings--;
      neededNanos += UNNEEDED_NANOS;
    }
    return FIRST_NANOS << doublings;
  }

  /** The node is silent, or was until now. */
  void silent(long silentNanos, long nowNanos) {
    if (doublings > 0 && 2 * silentNanos > nanos(nowNanos)) {
      neededNanos = nowNanos;
    }
  }

  /** The node was suspected and has said something after all. */
  void suspectedInVain(long silentNanos, long nowNanos) {
    long borne = nanos(nowNanos);
    int needed = doublings(silentNanos);
    if (needed > DOUBLINGS_MAX) {
      return;
    }
    if (silentNanos <= 2 * borne) {
      raise(needed, nowNanos);
      return;
    }
    if (longPause > 0 && nowNanos - longPauseNanos <= AGAIN_NANOS) {
      raise(Math.min(needed, longPause), nowNanos);
    }
    longPause = needed;
    longPauseNanos = nowNanos;
  }

  /** How many it takes to bear a silence; one more than the most if none is enough. */
  private static int doublings(long silentNanos) {
    int needed = 0;
    while (needed <= DOUBLINGS_MAX && FIRST_NANOS << needed < silentNanos) {
      needed++;
    }
    return needed;
  }

  private void raise(int to, long nowNanos) {
    doublings = Math.max(doublings, to);
    neededNanos = nowNanos;
  }
}
