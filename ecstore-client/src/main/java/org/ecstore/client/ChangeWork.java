package org.ecstore.client;

/**
 * What is done with a commit that changed a table, in a transaction: see {@link
 * ChangeReader#applyNext}.
 *
 * @param <V> the type of the table's values
 * @param <X> what the work may throw
 */
@FunctionalInterface
public interface ChangeWork<V, X extends Exception> {
  /**
   * Does it. Run again if the transaction is: what it does outside of the store is done again then.
   */
  void apply(Transaction tx, ChangedCommit<V> commit) throws X;
}
