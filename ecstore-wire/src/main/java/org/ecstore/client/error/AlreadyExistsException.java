package org.ecstore.client.error;

import org.jspecify.annotations.Nullable;

/** An insert found its key taken. */
public final class AlreadyExistsException extends EcStoreException {
  private static final long serialVersionUID = 1L;

  public AlreadyExistsException(String text, @Nullable Throwable cause, Object... details) {
    super(ErrorCode.ALREADY_EXISTS, text, cause, details);
  }
}
