package org.ecstore.spring;

import org.jspecify.annotations.Nullable;

/**
 * What becomes of the transaction that a method with {@link RetryOnConflict} begins in each of its
 * tries, so that one is run again only where it has done nothing. Of the calling thread.
 */
final class Tries {
  /** One try of a method. For the thread that runs it. */
  static final class Try implements AutoCloseable {
    private final ThreadCommits commits;
    private final @Nullable Try around;
    private final long before;
    private EcStoreTransactionManager.@Nullable Holder first;
    private boolean didOtherThings;
    private boolean committed;

    private Try(ThreadCommits commits, @Nullable Try around) {
      this.commits = commits;
      this.around = around;
      this.before = commits.count();
    }

    /**
     * Whether nothing of it was done: its own transaction, begun before anything else was
     * committed, has not been.
     */
    boolean hasDoneNothing() {
      return first != null && !didOtherThings && !committed;
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

  /** A transaction has begun: the first one is that of the method. */
  static void begun(EcStoreTransactionManager.Holder holder) {
    Try now = CURRENT.get();
    if (now != null && now.first == null) {
      now.first = holder;
      now.didOtherThings = now.commits.count() > now.before;
    }
  }

  /** A transaction is committed. */
  static void committed(EcStoreTransactionManager.Holder holder) {
    for (Try at = CURRENT.get(); at != null; at = at.around) {
      at.committed |= at.first == holder;
    }
  }
}
