package org.ecstore.server.ledger;

import java.io.IOException;

/** The directory holds a ledger, but not the one that was asked for, or of an unknown version. */
public final class WrongLedgerException extends IOException {
  private static final long serialVersionUID = 1L;

  WrongLedgerException(String message) {
    super(message);
  }
}
