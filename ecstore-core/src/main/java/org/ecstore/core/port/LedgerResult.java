package org.ecstore.core.port;

import java.util.List;
import org.ecstore.check.Check;
import org.ecstore.id.Position;

/** What became of a call to the {@link Ledger}. */
public sealed interface LedgerResult {
  /**
   * This node is the writer, or was: another may have fenced since. {@code last} is zero if the
   * ledger is empty; {@code first} is the first kept, by now: above {@code last} if what the fence
   * has found was trimmed by another writer meanwhile.
   */
  record Fenced(Position first, Position last) implements LedgerResult {}

  record Appended(Position last) implements LedgerResult {}

  /** Perhaps written, perhaps not. */
  record AppendUnknown(String detail) implements LedgerResult {}

  /** Certainly not written. */
  record Rejected(boolean outOfSpace, String detail) implements LedgerResult {}

  /**
   * Entries in order, from the position asked for on and without a gap (rule 6).
   *
   * @param end the last position that this very read has seen to be durable: what others of the
   *     process know does not count. It is at or above the last of the entries, and above it if the
   *     read ended for their bytes. Without entries it is below the position asked for, and says
   *     that after the read began the ledger was seen to go no further.
   */
  record Entries(List<Ledger.LedgerEntry> entries, Position end) implements LedgerResult {
    public Entries {
      entries = List.copyOf(entries);
      Check.that(
          entries.isEmpty() || entries.getLast().last().isAtOrBelow(end),
          "entries that were read are at or below the end that was seen",
          entries.size(),
          end);
    }
  }

  /** The first position that is still there. */
  record Trimmed(Position first) implements LedgerResult {}

  record TrimDone(Position first) implements LedgerResult {}

  /** The read or fence failed and may be tried again. */
  record Failed(String detail) implements LedgerResult {}
}
