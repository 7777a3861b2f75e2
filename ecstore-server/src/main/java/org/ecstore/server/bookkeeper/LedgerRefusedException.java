package org.ecstore.server.bookkeeper;

/** A ledger on bookies cannot be opened; the message says why and what to do. */
public final class LedgerRefusedException extends BookKeeperStartException {
  private static final long serialVersionUID = 1L;

  LedgerRefusedException(String message) {
    super(message);
  }

  LedgerRefusedException(String message, Throwable cause) {
    super(message, cause, false);
  }

  LedgerRefusedException(String message, Throwable cause, boolean temporary) {
    super(message, cause, temporary);
  }
}
