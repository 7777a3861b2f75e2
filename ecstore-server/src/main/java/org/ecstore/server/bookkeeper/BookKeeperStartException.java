package org.ecstore.server.bookkeeper;

import java.io.IOException;

/** A bookie or a ledger does not open as things are; the message says why and what to do. */
public abstract sealed class BookKeeperStartException extends IOException
    permits BookieRefusedException, LedgerRefusedException {
  private static final long serialVersionUID = 1L;

  private final boolean temporary;

  BookKeeperStartException(String message, Throwable cause, boolean temporary) {
    super(message, cause);
    this.temporary = temporary;
  }

  BookKeeperStartException(String message) {
    super(message);
    this.temporary = false;
  }

  /** Whether it may pass by itself: ZooKeeper does not answer. */
  public boolean isTemporary() {
    return temporary;
  }
}
