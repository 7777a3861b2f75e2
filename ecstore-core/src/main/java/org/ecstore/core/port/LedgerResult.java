package org.ecstore.core.port;

import java.util.List;
import org.ecstore.id.Position;

/** What became of a call to the {@link Ledger}. */
public sealed interface LedgerResult {
  /**
   * This node is the writer. {@code last} is zero if the ledger is empty; {@code first} is the
   * first kept.
   */
  record Fenced(Position first, Position last) implements LedgerResult {}

  record Appended(Position last) implements LedgerResult {}

  /** Perhaps written, perhaps not. */
  record AppendUnknown(String detail) implements LedgerResult {}

  /** Certainly not written. */
  record Rejected(boolean outOfSpace, String detail) implements LedgerResult {}

  /** Entries in order; {@code end} is the last durable position known when they were read. */
  record Entries(List<Ledger.LedgerEntry> entries, Position end) implements LedgerResult {}

  /** The first position that is still there. */
  record Trimmed(Position first) implements LedgerResult {}

  record TrimDone(Position first) implements LedgerResult {}

  /** The read or fence failed and may be tried again. */
  record Failed(String detail) implements LedgerResult {}
}
