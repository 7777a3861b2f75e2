package org.ecstore.client.session;

import java.util.concurrent.atomic.AtomicInteger;
import org.ecstore.client.error.EcStoreException;
import org.ecstore.model.Isolation;
import org.ecstore.model.ReadLevel;

/**
 * Decides which transactions at the level STRONG are tried early: with a snapshot that is at or
 * after what the session has seen, which no sequencer is asked for (decision 0094). All that a
 * serializable transaction has read is validated when it commits (rule 3), so one that is committed
 * has read what is newest at its commit, wherever it began. What a try that is not committed has
 * read may be older: nothing that comes of it counts, and the work is run again with a snapshot of
 * its level.
 *
 * <p>Such a try was in vain. After one the next transactions of the store begin as their level
 * says, so that work that mostly reads, or meets conflicts, is hardly ever run once more for this.
 * Safe for use by several threads.
 */
public final class EarlyTries {
  /** So many transactions are not tried early after one that was in vain. */
  static final int PASSED_OVER = 16;

  private final AtomicInteger toPassOver = new AtomicInteger();

  /** Whether a transaction that begins now is tried early. */
  public boolean begins(ReadLevel level, Isolation isolation) {
    return level.kind() == ReadLevel.Kind.STRONG
        && isolation == Isolation.SERIALIZABLE
        && toPassOver.getAndUpdate(left -> Math.max(0, left - 1)) == 0;
  }

  /** An early try was not committed. */
  public void inVain() {
    toPassOver.set(PASSED_OVER);
  }

  /**
   * Whether a failure of work may come of how old it is what the work has read: the next try says.
   */
  public static boolean mayComeOfAge(Exception failure) {
    if (failure instanceof EcStoreException ofStore) {
      return switch (ofStore.code()) {
        case ALREADY_EXISTS, TOO_LARGE, WRONG_ARGUMENT, CLOSED -> true;
        case CONFLICT, // run again anyhow, as what follows is where that helps
            SNAPSHOT_TOO_OLD,
            UNAVAILABLE,
            OVERLOADED,
            UNKNOWN_OUTCOME,
            CHANGES_LOST,
            OVER_QUOTA,
            PROTOCOL ->
            false;
      };
    }
    return !(failure instanceof InterruptedException);
  }
}
