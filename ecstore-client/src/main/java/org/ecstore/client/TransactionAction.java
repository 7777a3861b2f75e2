package org.ecstore.client;

/**
 * What to do in a transaction if nothing comes of it. As {@link TransactionWork} otherwise.
 *
 * @param <X> what it throws besides; an exception rolls the transaction back
 */
@FunctionalInterface
public interface TransactionAction<X extends Exception> {
  /** Runs it once. */
  void run(Transaction tx) throws X;
}
