package org.ecstore.client.error;

import org.ecstore.id.TxnId;
import org.jspecify.annotations.Nullable;

/**
 * Whether the transaction committed could not be found out before the deadline: it may have, or may
 * yet be settled either way, but at most once (rule 5). Trying again blindly may do the work twice.
 */
public final class UnknownOutcomeException extends UnavailableException {
  private static final long serialVersionUID = 1L;

  private final transient TxnId transaction;

  public UnknownOutcomeException(TxnId transaction, @Nullable Throwable cause, String detail) {
    super(
        ErrorCode.UNKNOWN_OUTCOME,
        "the outcome of the commit is not known",
        cause,
        "transaction",
        transaction,
        "last",
        detail);
    this.transaction = transaction;
  }

  /** The transaction in doubt. */
  public TxnId transaction() {
    return transaction;
  }
}
