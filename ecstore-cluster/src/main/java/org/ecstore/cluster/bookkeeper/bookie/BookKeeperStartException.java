package org.ecstore.cluster.bookkeeper.bookie;

import java.io.IOException;
import org.ecstore.server.refusal.Outlook;

/** A bookie or a ledger does not open as things are; the message says why and what to do. */
public abstract sealed class BookKeeperStartException extends IOException
    permits BookieRefusedException, LedgerRefusedException {
  private static final long serialVersionUID = 1L;

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
