package org.ecstore.tools.records;

/** A line that is no record; the message says what it lacks, and not where it is. */
public final class BadRecordException extends Exception {
  private static final long serialVersionUID = 1;

  public BadRecordException(String message) {
    super(message);
  }

  public BadRecordException(String message, Throwable cause) {
    super(message, cause);
  }
}
