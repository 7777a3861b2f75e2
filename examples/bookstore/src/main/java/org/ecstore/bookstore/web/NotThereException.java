package org.ecstore.bookstore.web;

/** A page that is asked for is not there; its message says which. */
final class NotThereException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  NotThereException(String message) {
    super(message);
  }
}
