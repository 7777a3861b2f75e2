package org.ecstore.client;

import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ForkJoinWorkerThread;
import org.ecstore.client.error.ClosedException;
import org.ecstore.client.error.WrongArgumentException;
import org.ecstore.client.retry.Deadline;
import org.ecstore.client.routing.SessionToken;
import org.jspecify.annotations.Nullable;

/**
 * Which threads are running work in a transaction of a store: what begins within it on the same
 * thread joins that transaction. Safe for use by several threads.
 *
 * <p>What joins is part of the transaction around it in all: it is committed with it, has its
 * snapshot, isolation, level, deadline and application, and if it fails nothing is committed, also
 * where its caller catches the failure, for half of it may be written. So it is refused where it
 * asks for something else than the transaction around it has, or for a number of its own.
 *
 * <p>A thread-local variable, since the client is for Java 17, which has no scoped values. It is
 * removed with the work, so that threads of pools and virtual ones keep nothing. Work that has
 * other threads do a part of it is not seen by this. While it waits, a thread of a fork-join pool
 * may run a task of another flow, and nothing tells the two apart: nothing joins there.
 */
final class RunningWork {
  @SuppressWarnings("ThreadLocalUsage") // Of one store, and removed with the work.
  private final ThreadLocal<Work> running = new ThreadLocal<>();

  /** One try of work, with its transaction. For one thread. */
  static final class Work implements ManualTransaction.Binding {
    private final RunningWork store;
    private final @Nullable Work around;
    private final TypedTransaction transaction;
    private final Optional<EcStoreOptions> options;
    private final SessionToken session;
    private @Nullable Throwable failure;
    private boolean closed;

    private Work(
        RunningWork store,
        @Nullable Work around,
        TypedTransaction transaction,
        Optional<EcStoreOptions> options,
        SessionToken session) {
      this.store = store;
      this.around = around;
      this.transaction = transaction;
      this.options = options;
      this.session = session;
    }

    /**
     * Throws if what has joined this work has failed: the same again, so that the work is run again
     * where that may help, and the application finds its own.
     *
     * @throws ClosedException for a checked exception, which the work around may not declare
     */
    void requireWhole() {
      if (failure instanceof RuntimeException unchecked) {
        throw unchecked;
      } else if (failure instanceof Error error) {
        throw error;
      } else if (failure != null) {
        throw new ClosedException(
            "the transaction is not committed: a transact within it has failed, and what that wrote"
                + " may not be whole; let its exception pass, or take requiresNew() for it",
            failure);
      }
    }

    @Override
    public boolean isCurrent() {
      return !closed && store.running.get() == this;
    }

    @Override
    public void close() {
      if (closed) {
        return;
      }
      // The end of work is that of all that was bound within it.
      if (options.isEmpty() && store.running.get() != this) {
        throw new WrongArgumentException(
            "a transaction is unbound by the thread that it is bound to, and not within the work of"
                + " requiresNew() there",
            null);
      }
      closed = true;
      if (around == null) {
        store.running.remove();
      } else {
        store.running.set(around);
      }
    }
  }

  /** The calling thread begins a try of work, beside the one that it may be running already. */
  Work begin(TypedTransaction transaction, EcStoreOptions options, SessionToken session) {
    return begin(transaction, Optional.of(options), session);
  }

  /** A transaction is bound to the calling thread: what joins it has what it has. */
  Work bind(TypedTransaction transaction, SessionToken session) {
    mustNotRun("a transaction that is bound to the thread");
    return begin(transaction, Optional.empty(), session);
  }

  private Work begin(
      TypedTransaction transaction, Optional<EcStoreOptions> options, SessionToken session) {
    Work work = new Work(this, running.get(), transaction, options, session);
    running.set(work);
    return work;
  }

  /**
   * Until when an operation may take: within the work of a transaction that the calling thread runs
   * no longer than that may.
   *
   * @param own what it may take otherwise
   */
  Deadline deadline(Deadline own) {
    Work work = running.get();
    return work == null ? own : Deadline.earlier(own, work.transaction.deadline());
  }

  /** Whether the calling thread runs work in a transaction. */
  boolean isRunning() {
    return running.get() != null;
  }

  /**
   * Runs work as part of the transaction whose work the calling thread runs.
   *
   * @throws WrongArgumentException if it asks for something that this one does not have
   */
  <T extends @Nullable Object, X extends Exception> T join(
      TransactionWork<T, X> work, EcStoreOptions options, SessionToken session) throws X {
    Work around = Objects.requireNonNull(running.get(), "no work is running");
    if (Thread.currentThread() instanceof ForkJoinWorkerThread) {
      mustNotRun("on a thread of a fork-join pool, which may run tasks of others, transact");
    }
    requireSame(around, options, session);
    try {
      return work.run(around.transaction);
    } catch (Throwable failure) {
      if (around.failure == null) {
        around.failure = failure;
      }
      throw failure;
    }
  }

  private static void requireSame(Work around, EcStoreOptions options, SessionToken session) {
    if (session != around.session) {
      throw new WrongArgumentException(
          "transact of another session within transact: it cannot join, for its session may have"
              + " seen more than the transaction around it; take requiresNew() for one of its own",
          null);
    }
    around.options.ifPresent(
        given -> {
          requireSame("isolation", given.isolation(), options.isolation());
          requireSame("read level", given.readLevel(), options.readLevel());
          requireSame("deadline", given.deadline(), options.deadline());
          requireSame("application", name(given), name(options));
        });
  }

  private static String name(EcStoreOptions options) {
    return options.application().orElse("");
  }

  private static void requireSame(String what, Object around, Object within) {
    if (!around.equals(within)) {
      throw new WrongArgumentException(
          "transact within transact joins it and cannot have another "
              + what
              + "; take requiresNew() for a transaction of its own",
          null,
          "around",
          around,
          "within",
          within);
    }
  }

  /**
   * The calling thread asks for a transaction that cannot join the one whose work it runs, if it
   * runs any.
   *
   * @param what it asks for
   * @throws WrongArgumentException if it does run some
   */
  void mustNotRun(String what) {
    if (isRunning()) {
      throw new WrongArgumentException(
          what
              + " within transact of the same store cannot join it: hand the Transaction on to what"
              + " belongs to it, or take requiresNew() for one of its own",
          null);
    }
  }
}
