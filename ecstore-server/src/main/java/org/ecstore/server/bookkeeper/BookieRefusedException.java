package org.ecstore.server.bookkeeper;

import java.io.IOException;

/** A bookie cannot start as it is; the message says why and what to do. */
public final class BookieRefusedException extends IOException {
  private static final long serialVersionUID = 1L;

  BookieRefusedException(String message, Throwable cause) {
    super(message, cause);
  }
}
