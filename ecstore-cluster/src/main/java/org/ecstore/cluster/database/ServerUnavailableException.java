package org.ecstore.cluster.database;

/** A server that is not available on this machine; the message says why, and what would help. */
public final class ServerUnavailableException extends Exception {
  public ServerUnavailableException(String why) {
    super(why);
  }

  public ServerUnavailableException(String why, Throwable cause) {
    super(why, cause);
  }
}
