package org.ecstore.cluster.bookkeeper.segment;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.TreeMap;
import org.ecstore.core.port.Ledger.LedgerEntry;

/**
 * Entries that were read before they are asked for. They are durable, so that they are an answer
 * whenever a read comes (rule 6); several readers of one part of the ledger may have them. Bounded:
 * those that were read first go first. Belongs to the owner's thread.
 */
final class EntriesAhead {
  /** So many times what its reader asks for at a time is read ahead, at most. */
  private static final int TIMES = 4;

  /** Held at most, and as much on its way. */
  static final long BYTES_MAX = 8 << 20;

  /** By the last position of each. */
  private final TreeMap<Long, LedgerEntry> entries = new TreeMap<>();

  /** Their last positions, in the order in which they were read. */
  private final Deque<Long> order = new ArrayDeque<>();

  private long bytes;
  private boolean used;

  /** Whether no record from a position on is before an entry. */
  @FunctionalInterface
  interface Follows {
    boolean follows(LedgerEntry entry, long next);
  }

  /** About how many bytes are read ahead for a reader that asks for so many at a time. */
  static long goal(int bytesMax) {
    return Math.min(TIMES * (long) bytesMax, BYTES_MAX / 2);
  }

  /** Takes an entry with records. */
  void hold(LedgerEntry entry) {
    used = true;
    long last = entry.last().value();
    if (entries.putIfAbsent(last, entry) != null) {
      return;
    }
    order.add(last);
    bytes += EntryCodec.bytes(entry);
    while (bytes > BYTES_MAX && order.size() > 1) {
      LedgerEntry gone = entries.remove(order.remove());
      bytes -= gone == null ? 0 : EntryCodec.bytes(gone);
    }
  }

  /**
   * Entries from the one that has a position on, about as many as have a number of bytes, and
   * without a gap; empty if that one is not held.
   */
  List<LedgerEntry> from(long position, long bytesMax, Follows follows) {
    List<LedgerEntry> some = new ArrayList<>();
    long sum = 0;
    long next = position;
    for (LedgerEntry entry : entries.tailMap(position).values()) {
      if (sum >= bytesMax || !follows.follows(entry, next)) {
        break;
      }
      used = true;
      some.add(entry);
      sum += EntryCodec.bytes(entry);
      next = entry.last().value() + 1;
    }
    return some;
  }

  /** Lets go of what was not used since this was called before: its readers have caught up. */
  void age() {
    if (!used) {
      entries.clear();
      order.clear();
      bytes = 0;
    }
    used = false;
  }

  static long bytes(List<LedgerEntry> entries) {
    return entries.stream().mapToLong(EntryCodec::bytes).sum();
  }
}
