package org.ecstore.aggregate;

/** What was found has no such measure, as a text has no sum: says of which record and why. */
public final class NoMeasureException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  NoMeasureException(String message) {
    super(message);
  }
}
