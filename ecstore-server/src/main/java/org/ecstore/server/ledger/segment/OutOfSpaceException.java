package org.ecstore.server.ledger.segment;

import java.io.IOException;

/** The file system has no room left for this user. */
public final class OutOfSpaceException extends IOException {
  private static final long serialVersionUID = 1L;

  public OutOfSpaceException(IOException cause) {
    super(cause.getMessage(), cause);
  }

  public OutOfSpaceException(String message) {
    super(message);
  }
}
