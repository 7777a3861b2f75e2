package org.ecstore.client.kryo.declared;

import org.ecstore.client.error.WrongArgumentException;
import org.jspecify.annotations.Nullable;

/**
 * A value that cannot be written, or bytes that are not a value. The cause, if there is one, is
 * Kryo's complaint or that of a record's constructor.
 */
public final class SerialException extends WrongArgumentException {
  private static final long serialVersionUID = 1L;

  public SerialException(String message) {
    this(message, null);
  }

  public SerialException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
