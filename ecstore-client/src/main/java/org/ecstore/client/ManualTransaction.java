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

  /** Drops the writes. Does nothing if the transaction is over. */
  void rollback();

  /** As {@link #rollback}. */
  @Override
  void close();

  /** The commit number; absent before the commit, and if nothing was written. */
  Optional<Position> commitNumber();
}
