package org.ecstore.bench.tpcw;

/** A page came that should not have come: an error, or another page. */
final class WrongPageException extends Exception {
  private static final long serialVersionUID = 1L;

  WrongPageException(String message) {
    super(message);
  }
}
