package org.ecstore.spring;

import org.ecstore.client.error.UnknownOutcomeException;
import org.ecstore.id.TxnId;
import org.springframework.transaction.TransactionSystemException;

/**
 * A commit of {@code @Transactional} whose outcome is not known: no node could say it before the
 * deadline. The transaction may have been committed, or may yet be settled either way, but at most
 * once. No retry of this library's runs the method again, and Spring's does not where it is told to
 * include {@link org.springframework.dao.ConcurrencyFailureException}.
 *
 * <p>A caller asks what became of it by calling the method again, if that does its work under an
 * idempotency key: what was done is not done twice, and {@code execute} says whether it was done.
 *
 * <pre>{@code
 * @Transactional
 * @RetryOnConflict
 * public boolean deposit(String requestId, String account, long amount) {
 *   return store.execute(requestId, tx -> pay(tx, account, amount));
 * }
 * }</pre>
 *
 * <p>A method without one must look whether its work was done, and may look too early: the commit
 * may be settled behind it.
 */
public final class UnknownTransactionOutcomeException extends TransactionSystemException {
  private static final long serialVersionUID = 1L;

  private static final String WHAT_TO_DO =
      "; it may have been done: call the method again if it works under an idempotency key"
          + " (store.execute(key, ...)), else look whether it was";

  private final transient TxnId transaction;

  UnknownTransactionOutcomeException(UnknownOutcomeException cause) {
    super(cause.getMessage() + WHAT_TO_DO, cause);
    this.transaction = cause.transaction();
  }

  /** The transaction in doubt, as logs of nodes name it. */
  public TxnId transaction() {
    return transaction;
  }
}
