package org.ecstore.client.error;

import org.jspecify.annotations.Nullable;

/**
 * An argument that cannot be meant: an address without a port, a token that is none, an element
 * that no tuple holds, a value that this codec did not write.
 */
public class WrongArgumentException extends EcStoreException {
  private static final long serialVersionUID = 1L;

  public WrongArgumentException(String text, @Nullable Throwable cause, Object... details) {
    super(ErrorCode.WRONG_ARGUMENT, text, cause, details);
  }
}
