package org.ecstore.client;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.ecstore.model.Isolation;
import org.ecstore.model.ReadLevel;
import org.jspecify.annotations.Nullable;

/**
 * Work on a store, each piece seeing at least what the ones before it saw and wrote (rule 9). The
 * store itself is a session shared by all its users; {@link EcStore#session} makes separate ones.
 * Safe for use by several threads, virtual ones too; all but the asynchronous methods block.
 *
 * <p>Work given as a lambda is run again, from its beginning, with exponential back-off and full
 * jitter until the deadline ({@link EcStoreOptions#deadline}) if it met a conflict, its snapshot
 * became too old, or a node could not do it. A commit whose reply got lost is settled first:
 * nothing is ever applied twice (rule 5).
 */
public interface Session {
  /**
   * Runs work in a transaction, commits, and returns what came of it. The work hands its {@link
   * Transaction} on to all that belongs to it.
   *
   * <p>A transact of the same session on the same thread within it joins: it is part of the
   * transaction around it, committed with it and run again with it. If it fails nothing is
   * committed, also where its exception is caught: it is thrown again at the end. One that asks for
   * another isolation, level, deadline or application, or is of another session, is refused, as a
   * {@link org.ecstore.client.error.WrongArgumentException}; so are {@link #transactWithCommit},
   * {@link #transactAsync}, {@link #deleteRange} and writes of a {@link QuorumStore}, and all that
   * would join on a thread of a fork-join pool, which may run tasks of others meanwhile. What is
   * meant to be a transaction of its own, as a line of an audit log, is one of {@link
   * #requiresNew}. A {@link #read} within it is of a snapshot of its own, and not validated by the
   * commit.
   *
   * @throws X if the work does; the transaction is then rolled back
   * @throws org.ecstore.client.error.EcStoreException if it could not be done; only {@link
   *     org.ecstore.client.error.UnknownOutcomeException} leaves open whether it was
   */
  <T extends @Nullable Object, X extends Exception> T transact(TransactionWork<T, X> work) throws X;

  /**
   * As {@link #transact}, and says under which number the work was committed.
   *
   * <pre>{@code
   * Committed<Order> placed = store.transactWithCommit(tx -> place(tx, order));
   * log.info("order {} is commit {}", placed.result().id(), placed.number());
   * }</pre>
   */
  <T extends @Nullable Object, X extends Exception> Committed<T> transactWithCommit(
      TransactionWork<T, X> work) throws X;

  /** As {@link #transact}, for work that nothing comes of. */
  default <X extends Exception> void execute(TransactionAction<X> action) throws X {
    this.<@Nullable Object, X>transact(
        tx -> {
          action.run(tx);
          return null;
        });
  }

  /**
   * As {@link #transact(TransactionWork)}, but what is sent again is not done again: the work is
   * committed once under a key, however often it is asked for, by whichever process, after a lost
   * answer, an {@link org.ecstore.client.error.UnknownOutcomeException} or a restart.
   *
   * <pre>{@code
   * Receipt receipt = store.transact(request.id(), Codec.record(Receipt.class), tx -> pay(tx, request));
   * }</pre>
   *
   * <p>What came of the work is kept with the commit, in the store's table {@code ecstore}, for
   * {@link EcStoreOptions#idempotencyRetention} by the callers' clocks: later calls return it.
   * Where two come at the same time, or one reads what was before the other's commit, its work is
   * run, not committed, and what came of the other is returned.
   *
   * @param idempotencyKey names the request, as an id that its sender has made; of 1 to 255
   *     characters
   * @param codec of what comes of the work
   */
  default <T, X extends Exception> T transact(
      String idempotencyKey, Codec<T> codec, TransactionWork<T, X> work) throws X {
    throw new UnsupportedOperationException("transact once");
  }

  /**
   * As {@link #transact(String, Codec, TransactionWork)}, and says whether the work was done now or
   * before: for what is to follow it once, as a mail, and to tell the person who sent it again.
   *
   * <pre>{@code
   * Once<Receipt> paid = store.transactOnce(request.id(), Codec.record(Receipt.class), tx -> pay(tx, request));
   * String text = paid.doneNow() ? "Thank you" : "You have paid before";
   * }</pre>
   */
  default <T, X extends Exception> Once<T> transactOnce(
      String idempotencyKey, Codec<T> codec, TransactionWork<T, X> work) throws X {
    throw new UnsupportedOperationException("transactOnce");
  }

  /**
   * As {@link #transact(String, Codec, TransactionWork)}, for work that nothing comes of.
   *
   * @return whether it was done now; false if it had been before
   */
  default <X extends Exception> boolean execute(String idempotencyKey, TransactionAction<X> action)
      throws X {
    throw new UnsupportedOperationException("execute once");
  }

  /**
   * This session, its transactions of their own also within the work of another: committed whatever
   * becomes of that, and done again each time that it is run again. What one of them writes and the
   * one around it has read is a conflict, as between any two.
   */
  default Session requiresNew() {
    throw new UnsupportedOperationException("requiresNew");
  }

  /**
   * Runs read-only work on a snapshot and returns what came of it. Never conflicts (rule 12). Any
   * copy of a range that covers the snapshot answers: {@link Snapshot#lastRead} says which one did.
   */
  <T extends @Nullable Object, X extends Exception> T read(SnapshotWork<T, X> work) throws X;

  /**
   * Runs read-only work on a snapshot as fresh as said.
   *
   * <pre>{@code
   * // A page that may be half a second old, from whichever copy is near:
   * store.read(ReadLevel.bounded(Duration.ofMillis(500)), snapshot -> ...);
   * }</pre>
   */
  default <T extends @Nullable Object, X extends Exception> T read(
      ReadLevel level, SnapshotWork<T, X> work) throws X {
    return with(level).read(work);
  }

  /**
   * Runs read-only work on a snapshot taken before, here or in another process. Not run again.
   *
   * @param token of {@link Snapshot#token}, {@link Cursor#continuation} or {@link #token}
   * @throws org.ecstore.client.error.SnapshotTooOldException if it is no longer kept
   */
  <T extends @Nullable Object, X extends Exception> T readAt(String token, SnapshotWork<T, X> work)
      throws X;

  /**
   * As {@link #transact}, on another thread: that of the executor of {@link
   * EcStoreOptions#executor}.
   *
   * @throws org.ecstore.client.error.WrongArgumentException at once, if the calling thread is
   *     running work in a transaction of the same store: this one would be committed whatever
   *     becomes of that, and begun again each time that it is run again. A task that the thread of
   *     that work runs while it waits, as a fork-join pool has its threads do, counts as within it
   * @throws org.ecstore.client.error.UnavailableException at once, if too much such work is waiting
   */
  <T extends @Nullable Object> CompletableFuture<T> transactAsync(
      TransactionWork<T, ? extends Exception> work);

  /** As {@link #read}, on another thread. */
  <T extends @Nullable Object> CompletableFuture<T> readAsync(
      SnapshotWork<T, ? extends Exception> work);

  /**
   * Deletes all keys of a range, however many there are, in transactions of some hundreds each. Not
   * as a whole: others see some of it gone before the rest, and keys that come meanwhile may stay.
   * If it fails, what was deleted stays so, and the same call goes on with the rest.
   *
   * @return how many were deleted
   */
  default long deleteRange(Table<?> table, TupleRange range) {
    return RangeDeletion.run(this, table, range);
  }

  /** Begins a transaction that the caller commits; best in a try-with-resources. */
  ManualTransaction begin();

  /**
   * As {@link #begin}, but its snapshot is of when it first reads, or is committed: where work may
   * turn out to need no transaction, and to save a request.
   */
  default ManualTransaction beginWithFirstRead() {
    throw new UnsupportedOperationException("beginWithFirstRead");
  }

  /**
   * As {@link #beginWithFirstRead()}, and all of it together, its commit included, takes at most so
   * long from now: then operations fail, and the transaction has done nothing.
   *
   * @param whole above zero
   */
  default ManualTransaction beginWithFirstRead(Duration whole) {
    throw new UnsupportedOperationException("beginWithFirstRead");
  }

  /** Takes a snapshot that the caller closes. */
  ManualSnapshot snapshot();

  /** As {@link #readAt}, for a snapshot that the caller closes. */
  ManualSnapshot snapshotAt(String token);

  /** This session, its transactions validating as said. */
  Session with(Isolation isolation);

  /** This session, its snapshots as fresh as said. */
  Session with(ReadLevel level);

  /** This session, its work given up after a while. */
  Session within(Duration deadline);

  /**
   * This session, its requests those of an application of that name: nodes count, limit and share
   * out by it, and objectives are held against what it measures, as if it were a store of its own
   * with {@link EcStoreOptions#application}. For a program that does work of several kinds:
   *
   * <pre>{@code
   * Session reports = store.application("reports");
   * long open = reports.read(snapshot -> snapshot.count(ORDERS));
   * }</pre>
   *
   * <p>It has seen what this session has, and the other way round. Connections, commits under way
   * ({@link EcStoreOptions#commitsUnderWay}) and what is measured are the application's; threads
   * and what is known of where ranges are is the store's. What the store does by itself, as the
   * catalog's changes and the deletion of what is over, is of the store's own application, and so
   * are {@link EcStore#changes}, {@link EcStore#quorum} and {@link EcStore#sequence(String)}.
   *
   * @param name as {@link EcStoreOptions#application} takes it: 1 to 64 bytes in UTF-8, without
   *     control characters
   * @throws org.ecstore.client.error.WrongArgumentException if it is none, or one more than {@link
   *     EcStore#APPLICATIONS_MAX} of this store
   */
  default Session application(String name) {
    throw new UnsupportedOperationException("application");
  }

  /** What this session has seen, for {@link EcStore#session(String)} in this or another process. */
  String token();
}
