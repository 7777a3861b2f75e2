package org.ecstore.server.ledger;

import java.io.IOException;
import java.nio.file.Path;

/**
 * The ledger is damaged where damage cannot be the trace of a crash: records that were durable are
 * unreadable. Nothing was changed on disk.
 */
public final class CorruptLedgerException extends IOException {
  private static final long serialVersionUID = 1L;

  private final transient Path file;
  private final long offset;

  CorruptLedgerException(Path file, long offset, String damage) {
    super(
        "the ledger is damaged in "
            + file
            + " at offset "
            + offset
            + ": "
            + damage
            + ". Commits that were acknowledged would be lost, so the node does not start."
            + " Nothing was changed. Restore this file from a backup of the directory, or keep"
            + " the directory aside and check the disk; do not edit or delete the file.");
    this.file = file;
    this.offset = offset;
  }

  /** The damaged file. */
  public Path file() {
    return file;
  }

  /** Where in the file the damage begins, in bytes. */
  public long offset() {
    return offset;
  }
}
