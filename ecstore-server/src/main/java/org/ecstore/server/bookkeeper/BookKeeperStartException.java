package org.ecstore.server.bookkeeper;

import java.io.IOException;

/** A bookie or a ledger does not open as things are; the message says why and what to do. */
public abstract sealed class BookKeeperStartException extends IOException
    permits BookieRefusedException, LedgerRefusedException {
  private static final long serialVersionUID = 1L;

  /** What another attempt may come to. */
  enum Outlook {
    /** The same, until an operator changes something. */
    LASTING,
    /** Something else, at the next start of the node. */
    NEXT_START,
    /** Something else, soon: ZooKeeper does not answer. */
    SOON
  }

  private final Outlook outlook;

  BookKeeperStartException(String message, Throwable cause, Outlook outlook) {
    super(message, cause);
    this.outlook = outlook;
  }

  BookKeeperStartException(String message) {
    super(message);
    this.outlook = Outlook.LASTING;
  }

  /** Whether it may pass by itself while the node waits: ZooKeeper does not answer. */
  public boolean isTemporary() {
    return outlook == Outlook.SOON;
  }

  /** Whether a later start has the same end. */
  public boolean isLasting() {
    return outlook == Outlook.LASTING;
  }
}
