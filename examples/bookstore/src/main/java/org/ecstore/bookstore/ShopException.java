package org.ecstore.bookstore;

/** What a person asked for cannot be; its message is for that person. Nothing was written. */
public final class ShopException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** With what to tell. */
  public ShopException(String message) {
    super(message);
  }
}
