package org.ecstore.cluster.bookkeeper.segment;

import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import org.apache.bookkeeper.client.api.ReadHandle;

/** How long a segment is up to some of its entries. Belongs to the owner's thread. */
final class SegmentLengths {
  /** So many are read without a look at how long they are: an entry may have megabytes. */
  static final int UNPROBED_MAX = 4;

  private static final int KNOWN_MAX = 256;

  private final Owner owner;

  /** From an entry where a read ended: the length of the segment up to it and with it. */
  private final TreeMap<Long, Long> lengths = new TreeMap<>();

  SegmentLengths(Owner owner) {
    this.owner = owner;
  }

  /**
   * The last of some entries that have about a number of bytes together. The mean says nothing of
   * large ones among many small: five hundred entries could be as many megabytes, and end the
   * process. But each entry comes with the length of the segment up to it. Where the last read
   * ended, that is known: so a reader that catches up asks twice for each read, not three times.
   */
  CompletableFuture<Long> fitting(ReadHandle segment, long from, long to, long bytes) {
    return to - from < UNPROBED_MAX
        ? CompletableFuture.completedFuture(to)
        : Futures.then(
            lengthBefore(segment, from), owner, begin -> fitting(segment, from, begin, to, bytes));
  }

  private CompletableFuture<Long> fitting(
      ReadHandle segment, long from, long begin, long to, long bytes) {
    if (to - from < UNPROBED_MAX) {
      return CompletableFuture.completedFuture(to);
    }
    return Futures.then(
        lengthTo(segment, to),
        owner,
        end ->
            end - begin <= bytes
                ? CompletableFuture.completedFuture(to)
                : fitting(segment, from, begin, from + (to - from) / 2, bytes));
  }

  /**
   * The length of the segment before an entry; if it is not known, up to that entry and with it.
   */
  private CompletableFuture<Long> lengthBefore(ReadHandle segment, long entry) {
    Long measured = entry == 0 ? Long.valueOf(0) : lengths.get(entry - 1);
    return measured == null
        ? lengthTo(segment, entry)
        : CompletableFuture.completedFuture(measured);
  }

  /** The length of the segment up to an entry and with it. */
  private CompletableFuture<Long> lengthTo(ReadHandle segment, long entry) {
    return Futures.then(
        segment.readUnconfirmedAsync(entry, entry),
        owner,
        entries -> {
          try (entries) {
            return CompletableFuture.completedFuture(entries.getEntry(entry).getLength());
          }
        });
  }

  /** A read ended at an entry, which said how long the segment is up to it and with it. */
  void measured(long entry, long length) {
    lengths.put(entry, length);
    if (lengths.size() > KNOWN_MAX) {
      lengths.pollFirstEntry();
    }
  }
}
