package org.ecstore.verify.history;

/** A file is no history: the message says which line, and why. */
public final class MalformedHistoryException extends Exception {
  private static final long serialVersionUID = 1L;

  MalformedHistoryException(long line, String text) {
    super("line " + line + ": " + text);
  }

  MalformedHistoryException(String text) {
    super(text);
  }
}
