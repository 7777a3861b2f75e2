package org.ecstore.server.ledger.segment;

import java.io.IOException;

/** The directory holds a ledger, but not the one that was asked for, or of an unknown version. */
public final class WrongLedgerException extends IOException {
  private static final long serialVersionUID = 1L;

  public WrongLedgerException(String message) {
    super(message);
  }
}
