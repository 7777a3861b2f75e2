package org.ecstore.key;

import org.ecstore.client.error.WrongArgumentException;

/** A key whose bytes are not those of a tuple. */
public final class MalformedTupleException extends WrongArgumentException {
  private static final long serialVersionUID = 1L;

  public MalformedTupleException(String message) {
    super(message, null);
  }
}
