package org.ecstore.server.ledger;

import java.io.IOException;

/** The file system has no room left for this user. */
final class OutOfSpaceException extends IOException {
  private static final long serialVersionUID = 1L;

  OutOfSpaceException(IOException cause) {
    super(cause.getMessage(), cause);
  }

  OutOfSpaceException(String message) {
    super(message);
  }
}
