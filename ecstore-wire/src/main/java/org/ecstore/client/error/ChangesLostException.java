package org.ecstore.client.error;

import org.jspecify.annotations.Nullable;

/**
 * The changes above where a reader has come are not told any more: they are no longer kept, or the
 * store does not reach so far, as one that was restored. Begin anew: from now, with what is in the
 * table.
 */
public final class ChangesLostException extends EcStoreException {
  private static final long serialVersionUID = 1L;

  public ChangesLostException(String text, @Nullable Throwable cause, Object... details) {
    super(ErrorCode.CHANGES_LOST, text, cause, details);
  }
}
