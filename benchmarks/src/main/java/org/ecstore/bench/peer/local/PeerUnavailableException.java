package org.ecstore.bench.peer.local;

/** A peer that is not available on this machine; the message says why, and what would help. */
public final class PeerUnavailableException extends Exception {
  public PeerUnavailableException(String why) {
    super(why);
  }

  public PeerUnavailableException(String why, Throwable cause) {
    super(why, cause);
  }
}
