package org.ecstore.cluster.bookkeeper.bookie;

import org.ecstore.server.refusal.Outlook;

/** A ledger on bookies cannot be opened; the message says why and what to do. */
public final class LedgerRefusedException extends BookKeeperStartException {
  private static final long serialVersionUID = 1L;

  public LedgerRefusedException(String message) {
    super(message);
  }

  public LedgerRefusedException(String message, Throwable cause) {
    super(message, cause, Outlook.LASTING);
  }

  public LedgerRefusedException(String message, Throwable cause, Outlook outlook) {
    super(message, cause, outlook);
  }
}
