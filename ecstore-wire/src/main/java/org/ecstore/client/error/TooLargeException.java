package org.ecstore.client.error;

import org.jspecify.annotations.Nullable;

/** A key, value, transaction or request is over a published limit. Nothing was sent. */
public final class TooLargeException extends EcStoreException {
  private static final long serialVersionUID = 1L;

  public TooLargeException(String text, @Nullable Throwable cause, Object... details) {
    super(ErrorCode.TOO_LARGE, text, cause, details);
  }
}
