package org.ecstore.client.error;

import org.jspecify.annotations.Nullable;

/** The store, transaction, snapshot or cursor is closed. */
public final class ClosedException extends EcStoreException {
  private static final long serialVersionUID = 1L;

  public ClosedException(String text, @Nullable Throwable cause, Object... details) {
    super(ErrorCode.CLOSED, text, cause, details);
  }
}
