package org.ecstore.client;

import org.jspecify.annotations.Nullable;

/**
 * What to do in a transaction. It may be run several times, and should do nothing but use the
 * transaction that it is given.
 *
 * @param <T> what comes of it
 * @param <X> what it throws besides; an exception rolls the transaction back
 */
@FunctionalInterface
public interface TransactionWork<T extends @Nullable Object, X extends Exception> {
  /** Runs it once. */
  T run(Transaction tx) throws X;
}
