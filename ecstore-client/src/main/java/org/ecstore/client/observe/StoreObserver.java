package org.ecstore.client.observe;

import java.util.Optional;
import org.ecstore.client.copies.AnsweredBy;
import org.ecstore.client.error.EcStoreException;

/**
 * Is told what a store does, as it does it: one point for metrics, traces, and whatever else has to
 * know. Set by {@code EcStoreOptions.observer}.
 *
 * <p>Called on the thread that works, within the operation, by any number of them at once: it must
 * be quick and must not use the store. What it throws is logged once and otherwise ignored.
 */
public interface StoreObserver {
  /** Is told nothing. */
  StoreObserver NONE =
      new StoreObserver() {
        @Override
        public boolean wantsOperations() {
          return false;
        }
      };

  /**
   * Whether it is told of operations and of answers: if no observer wants that, the store does not
   * even look at the names of tables. Asked once.
   */
  default boolean wantsOperations() {
    return true;
  }

  /**
   * An operation begins on the calling thread. Operations nest: within work in a transaction keys
   * are read, and at its end it is committed.
   *
   * @param table whose records it is about; absent where it is about none, or not one
   */
  default Observed begin(OperationKind kind, Optional<String> table) {
    return Observed.IGNORED;
  }

  /** Work in a transaction or on a snapshot has failed, and is run again from its beginning. */
  default void rerun(EcStoreException failure) {}

  /** A transaction that wrote something was committed by the calling thread. */
  default void committed() {}

  /**
   * A transaction of the calling thread that wrote something may have been committed, or may yet
   * be: what became of it could not be found out ({@link
   * org.ecstore.client.error.UnknownOutcomeException}).
   */
  default void leftUnknown() {}

  /** A copy has answered a read. */
  default void answered(AnsweredBy by) {}

  /** Where the requests that the calling thread sends now belong in a trace. */
  default Optional<TraceParent> trace() {
    return Optional.empty();
  }
}
