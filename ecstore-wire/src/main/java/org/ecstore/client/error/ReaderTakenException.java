package org.ecstore.client.error;

import org.jspecify.annotations.Nullable;

/**
 * Another process reads changes under the same name and has gone on. Nothing was done here: open
 * the changes anew to go on behind it.
 */
public final class ReaderTakenException extends EcStoreException {
  private static final long serialVersionUID = 1L;

  public ReaderTakenException(String text, @Nullable Throwable cause, Object... details) {
    super(ErrorCode.CONFLICT, text, cause, details);
  }
}
