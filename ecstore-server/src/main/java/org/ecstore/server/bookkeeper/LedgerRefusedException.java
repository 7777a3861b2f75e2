package org.ecstore.server.bookkeeper;

import java.io.IOException;

/** A ledger on bookies cannot be opened; the message says why and what to do. */
public final class LedgerRefusedException extends IOException {
  private static final long serialVersionUID = 1L;

  LedgerRefusedException(String message) {
    super(message);
  }

  LedgerRefusedException(String message, Throwable cause) {
    super(message, cause);
  }
}
