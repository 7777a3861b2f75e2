package org.ecstore.client.error;

import org.jspecify.annotations.Nullable;

/**
 * The versions of this snapshot are no longer kept (rule 14). Nothing was done; a new snapshot
 * helps.
 */
public final class SnapshotTooOldException extends EcStoreException {
  private static final long serialVersionUID = 1L;

  public SnapshotTooOldException(String text, @Nullable Throwable cause, Object... details) {
    super(ErrorCode.SNAPSHOT_TOO_OLD, text, cause, details);
  }
}
