package org.ecstore.core.port;

import java.util.List;
import org.ecstore.check.Check;
import org.ecstore.id.Position;
import org.ecstore.key.Bytes;

/**
 * The commit ledger as one node sees it: many readers, one writer at a time. Every call returns at
 * once; its result is an {@link Event.LedgerDone} with the same token. Appends complete in order.
 */
public interface Ledger {
  /**
   * Fences every earlier writer and becomes the writer: {@link LedgerResult.Fenced} with the last
   * position there is. An append of an earlier writer that had no result is by then in the ledger
   * or never will be (rule 6).
   */
  void fence(long token);

  /**
   * This node does not want to become the writer any more by a fence that it has begun: what has
   * not happened of it need not happen, lest it shuts out the node that leads by now. The fence
   * still has one result, whichever. Nothing depends on it but that no writer is shut out for
   * nothing; a ledger whose fences take no time ignores it.
   */
  default void cancel(long token) {}

  /**
   * Appends an entry, which must follow the last one: its {@link LedgerEntry#after} is the last
   * position appended before, or the one that the fence has found: {@link LedgerResult.Appended}
   * once it is durable, {@link LedgerResult.AppendUnknown} if this node may no longer be the
   * writer, {@link LedgerResult.Rejected} if it is certain that nothing was written. After anything
   * but Appended the writer must fence again before it appends.
   */
  void append(long token, LedgerEntry entry);

  /**
   * Whether this node, having fenced, is known to be the writer no more, as an append would say:
   * what lies behind that may come about when nothing is appended. Best effort; a ledger that finds
   * it out by appends only says no.
   */
  default boolean isLost() {
    return false;
  }

  /**
   * Reads whole entries from the one that holds a position (or the first after it), up to about a
   * number of bytes and at least one entry: {@link LedgerResult.Entries}, empty at the end; {@link
   * LedgerResult.Trimmed} if records at or above the position are gone. Only durable entries are
   * seen, and no gap: each follows the one before it, the first one a position below the one asked
   * for.
   *
   * <p>An answer says what this read has seen. Reads that ask the same may share what one of them
   * finds, but one that finds nothing answers only those that were begun before it looked: an entry
   * that was acknowledged before a read is called is not missing in its answer, unless the writer
   * had no time to let others know.
   */
  void read(long token, Position from, int bytesMax);

  /**
   * Forgets entries wholly below a position, as far as convenient: {@link LedgerResult.TrimDone}.
   */
  void trim(long token, Position below);

  /**
   * Records at consecutive positions, written as one. Each entry says what it follows, so that who
   * reads sees whether one is missing (rule 6): a reader that has come to a position takes an entry
   * only if {@code after} is at or below it.
   *
   * @param after the last position in the ledger before {@code first}, zero if there is none; the
   *     numbers between the two are burnt
   */
  record LedgerEntry(Position first, List<Bytes> records, Position after) {
    public LedgerEntry {
      records = List.copyOf(records);
      Check.that(!first.isAtOrBelow(after), "an entry is above what it follows", after, first);
    }

    /** An entry before which no number is burnt. */
    public LedgerEntry(Position first, List<Bytes> records) {
      this(first, records, new Position(first.value() - 1));
    }

    /** The position of its last record. */
    public Position last() {
      return new Position(first.value() + records.size() - 1);
    }
  }
}
