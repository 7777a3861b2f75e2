package org.ecstore.server.zookeeper;

import java.io.IOException;

/** A ZooKeeper server cannot start here, or none is reached; the message says why. */
public sealed class ZooKeeperStartException extends IOException permits ZooKeeperDataLostException {
  private static final long serialVersionUID = 1L;

  ZooKeeperStartException(String message) {
    super(message);
  }

  ZooKeeperStartException(String message, Throwable cause) {
    super(message, cause);
  }
}
