package org.ecstore.client;

import java.util.Optional;
import org.ecstore.id.Position;

/**
 * A transaction that its user commits. Prefer {@link Session#transact}, which tries again after a
 * conflict.
 */
public interface ManualTransaction extends Transaction, AutoCloseable {
  /**
   * Commits, and returns once the commit is durable. The transaction is over, whatever comes of it.
   * A lost reply is settled before this returns (rule 5). While a node restarts, another takes over
   * or a range changes hands this waits, until the deadline.
   *
   * @throws org.ecstore.client.error.ConflictException if another transaction got there first
   * @throws org.ecstore.client.error.SnapshotTooOldException if it took too long
   * @throws org.ecstore.client.error.UnknownOutcomeException if it may have committed or not
   * @throws org.ecstore.client.error.UnavailableException otherwise if no node could do it before
   *     the deadline
   */
  void commit();

  /**
   * Binds this transaction to the calling thread: what the thread transacts on the session that
   * this is of joins it, as it does within {@link Session#transact}, until the binding is closed.
   * For frameworks, which begin a transaction in one place and end it in another. What joins has
   * the isolation, level and deadline of this transaction, whatever it asks for. If something that
   * joined has failed, {@link #commit} throws the same again and commits nothing.
   *
   * @return closed by the same thread
   * @throws org.ecstore.client.error.ClosedException if the transaction is over
   * @throws org.ecstore.client.error.WrongArgumentException if another one is bound to the thread,
   *     or it runs work in one
   */
  default Binding bind() {
    throw new UnsupportedOperationException("bind");
  }

  /** Of a transaction to a thread. */
  interface Binding extends AutoCloseable {
    /**
     * Whether what the calling thread transacts now joins the transaction: not on another thread,
     * not within work of {@link Session#requiresNew}, and not once this is closed.
     */
    boolean isCurrent();

    /**
     * Ends it. Closing again does nothing.
     *
     * @throws org.ecstore.client.error.WrongArgumentException if another thread made it, or the
     *     thread runs other work of the store within it; nothing is changed then
     */
    @Override
    void close();
  }

  /**
   * From now on writes are refused, as {@link org.ecstore.client.error.WrongArgumentException}: for
   * work that is said to read only.
   */
  default void refuseWrites() {
    throw new UnsupportedOperationException("refuseWrites");
  }

  /** Drops the writes. Does nothing if the transaction is over. */
  void rollback();

  /** As {@link #rollback}. */
  @Override
  void close();

  /** The commit number; absent before the commit, and if nothing was written. */
  Optional<Position> commitNumber();
}
