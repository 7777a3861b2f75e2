package org.ecstore.cluster.zookeeper.server;

import java.io.IOException;
import org.ecstore.server.refusal.Outlook;
import org.jspecify.annotations.Nullable;

/** A ZooKeeper server cannot start here, or none is reached; the message says why. */
public sealed class ZooKeeperStartException extends IOException permits ZooKeeperDataLostException {
  private static final long serialVersionUID = 1L;

  private final Outlook outlook;

  public ZooKeeperStartException(String message, Outlook outlook) {
    this(message, null, outlook);
  }

  public ZooKeeperStartException(String message, @Nullable Throwable cause, Outlook outlook) {
    super(message, cause);
    this.outlook = outlook;
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
