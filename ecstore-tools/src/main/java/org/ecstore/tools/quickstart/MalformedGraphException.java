package org.ecstore.tools.quickstart;

/** A file that holds no graph; the message names file and line. */
public final class MalformedGraphException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  MalformedGraphException(String message) {
    super(message);
  }
}
