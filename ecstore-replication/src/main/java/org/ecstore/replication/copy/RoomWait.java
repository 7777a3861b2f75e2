package org.ecstore.replication.copy;

/**
 * Writes that wait since the engine's window is full (rule W9): until folds have made room, or all
 * that can be folded is and has made none. A window may be full of what lies above where its copies
 * are closed, as a reading of the ledger leaves it that is ended by a change of the map; that is
 * folded when the copies are closed there, so what closes them must go on. One for each reading,
 * and one for each copy that follows.
 */
final class RoomWait {
  /** One may have been under way when the wait began. */
  private static final long ROUNDS = 2;

  private static final long NOT_WAITING = -1;

  private long since = NOT_WAITING;

  /** How often all that can be folded was; one for a node. */
  static final class Rounds {
    private long count;

    /** All that could be folded is, or there was nothing. */
    void ended() {
      count++;
    }
  }

  /** Whether the next write waits, as the window is full or not. */
  boolean waits(boolean isFull, Rounds rounds) {
    if (!isFull) {
      since = NOT_WAITING;
    } else if (since == NOT_WAITING) {
      since = rounds.count;
    } else if (rounds.count - since >= ROUNDS) {
      since = rounds.count;
      return false;
    }
    return isFull;
  }
}
