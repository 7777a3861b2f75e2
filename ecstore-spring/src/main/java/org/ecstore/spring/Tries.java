package org.ecstore.spring;

import org.ecstore.spring.EcStoreTransactionManager.Holder;
import org.jspecify.annotations.Nullable;

/**
 * What becomes of the transactions that a method with {@link RetryOnConflict} begins in each of its
 * tries, so that one is run again only where it has done nothing. Of the calling thread.
 */
final class Tries {
  /** How a transaction ended. */
  enum End {
    COMMITTED,
    /** Rolled back, or committed without having written anything. */
    NOTHING_DONE,
    UNKNOWN
  }

  /**
   * One try of a method. For the thread that runs it.
   *
   * <p>Invariant: unless {@code didOtherThings}, none of its transactions that are over has done
   * anything, and the thread had committed nothing outside of them when the last one began. {@code
   * last} is the one that is not over yet, if there is one.
   */
  static final class Try implements AutoCloseable {
    private final ThreadCommits commits;
    private final @Nullable Try around;
    private final long before;
    private @Nullable Holder last;
    private long countAtEnd = -1;
    private boolean hasBegun;
    private boolean hasFailedToBegin;
    private boolean didOtherThings;

    private Try(ThreadCommits commits, @Nullable Try around) {
      this.commits = commits;
      this.around = around;
      this.before = commits.count();
    }

    /**
     * Whether nothing of it was done, as far as the thread and its transactions go: what is done in
     * transactions of their own within its transaction does not count.
     */
    boolean hasDoneNothing() {
      if (didOtherThings) {
        return false;
      }
      return hasBegun
          ? countAtEnd < 0 || commits.count() == countAtEnd
          : hasFailedToBegin && commits.count() == before;
    }

    private void begins(Holder holder) {
      if (last != null) {
        return; // Within the one of the try.
      }
      didOtherThings |= hasBegun ? commits.count() != countAtEnd : commits.count() != before;
      hasBegun = true;
      last = holder;
    }

    private void ends(Holder holder, End end) {
      didOtherThings |=
          end == End.UNKNOWN || (end == End.COMMITTED && (last == null || last == holder));
    }

    private void isOver(Holder holder) {
      if (last == holder) {
        last = null;
        countAtEnd = commits.count();
      }
    }

    @Override
    public void close() {
      if (around == null) {
        CURRENT.remove();
      } else {
        CURRENT.set(around);
      }
    }
  }

  @SuppressWarnings("ThreadLocalUsage") // Of the methods that a thread is in; removed with them.
  private static final ThreadLocal<@Nullable Try> CURRENT = new ThreadLocal<>();

  private Tries() {}

  /** The calling thread begins one. */
  static Try begin(ThreadCommits commits) {
    Try begun = new Try(commits, CURRENT.get());
    CURRENT.set(begun);
    return begun;
  }

  /** A transaction has begun. */
  static void begun(Holder holder) {
    for (Try at = CURRENT.get(); at != null; at = at.around) {
      at.begins(holder);
    }
  }

  /** None could be begun. */
  static void failedToBegin() {
    for (Try at = CURRENT.get(); at != null; at = at.around) {
      at.hasFailedToBegin = true;
    }
  }

  /** A transaction has ended. */
  static void ended(Holder holder, End end) {
    for (Try at = CURRENT.get(); at != null; at = at.around) {
      at.ends(holder, end);
    }
  }

  /** All that is called behind the end of a transaction was called. */
  static void isOver(Holder holder) {
    for (Try at = CURRENT.get(); at != null; at = at.around) {
      at.isOver(holder);
    }
  }
}
