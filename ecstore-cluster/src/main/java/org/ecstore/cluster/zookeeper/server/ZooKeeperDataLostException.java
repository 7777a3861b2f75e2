package org.ecstore.cluster.zookeeper.server;

import org.ecstore.server.refusal.Outlook;

/**
 * The ZooKeeper server of a node has forgotten what it acknowledged; the message says what to do.
 */
public final class ZooKeeperDataLostException extends ZooKeeperStartException {
  private static final long serialVersionUID = 1L;

  ZooKeeperDataLostException(String message) {
    super(message, Outlook.LASTING);
  }
}
