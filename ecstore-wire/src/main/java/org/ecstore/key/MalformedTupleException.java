package org.ecstore.key;

/** A key whose bytes are not those of a tuple. */
public final class MalformedTupleException extends IllegalArgumentException {
  private static final long serialVersionUID = 1L;

  public MalformedTupleException(String message) {
    super(message);
  }
}
