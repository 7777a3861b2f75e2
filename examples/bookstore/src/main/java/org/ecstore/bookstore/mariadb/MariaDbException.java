package org.ecstore.bookstore.mariadb;

/** What the database could not do: it is out of reach, or others were in the way for too long. */
public final class MariaDbException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  MariaDbException(String message, Throwable cause) {
    super(message, cause);
  }
}
