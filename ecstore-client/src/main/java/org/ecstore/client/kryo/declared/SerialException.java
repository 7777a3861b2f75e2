package org.ecstore.client.kryo.declared;

/**
 * A value that cannot be written, or bytes that are not a value. The cause, if there is one, is
 * Kryo's complaint or that of a record's constructor.
 */
public final class SerialException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public SerialException(String message) {
    super(message);
  }

  public SerialException(String message, Throwable cause) {
    super(message, cause);
  }
}
