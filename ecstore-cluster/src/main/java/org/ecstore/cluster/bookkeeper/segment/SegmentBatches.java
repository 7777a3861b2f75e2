package org.ecstore.cluster.bookkeeper.segment;

import java.util.concurrent.CompletableFuture;
import org.apache.bookkeeper.client.api.LedgerEntries;
import org.apache.bookkeeper.client.api.LedgerMetadata;
import org.apache.bookkeeper.client.api.ReadHandle;
import org.jspecify.annotations.Nullable;

/**
 * Many entries of a segment by one request (decision 0126). The library asks one bookie, and is not
 * to ask another one beside it: as of BookKeeper 4.18 an answer that comes second is never let go,
 * nor one that comes after the library's own timeout. So it is ours to see that a bookie is silent:
 * the caller reads each entry by itself then, as do all readers of this process for a while.
 * Belongs to the owner's thread.
 */
final class SegmentBatches {
  /** Entries that are asked for at a time. */
  static final int ENTRIES_MAX = 512;

  /** A batch takes some milliseconds of a bookie that lives, and waits for those before it. */
  private static final long WITHIN_MILLIS = 200;

  /** What all readers of a process ask bookies for. */
  static final class Shared {
    /** A bookie reads with one thread: more than these would wait for one another. */
    private static final int OUTSTANDING_MAX = 4;

    private static final long PAUSE_NANOS = 2_000_000_000L;

    private final Owner owner;
    private int outstanding;
    private long pausedUntilNanos;

    Shared(Owner owner) {
      this.owner = owner;
      this.pausedUntilNanos = owner.nanos();
    }

    private boolean isTime() {
      return outstanding < OUTSTANDING_MAX && owner.nanos() - pausedUntilNanos >= 0;
    }

    private void pause() {
      pausedUntilNanos = owner.nanos() + PAUSE_NANOS;
    }
  }

  private final Bookies bookies;
  private final Owner owner;
  private final long ledger;
  private final Shared shared;
  private @Nullable ReadHandle handle;
  private boolean opening;

  /** How often it was closed: what was opened before is not for what comes after. */
  private int closings;

  SegmentBatches(Bookies bookies, Owner owner, long ledger, Shared shared) {
    this.bookies = bookies;
    this.owner = owner;
    this.ledger = ledger;
    this.shared = shared;
  }

  /**
   * Whether to ask for a batch: each bookie has all entries, none was silent lately, and the
   * segment is open for it. If only that is lacking it is opened meanwhile.
   */
  boolean isTime(LedgerMetadata segment) {
    if (segment.getEnsembleSize() != segment.getWriteQuorumSize() || !shared.isTime()) {
      return false;
    }
    if (handle == null && !opening) {
      open();
    }
    return handle != null;
  }

  private void open() {
    opening = true;
    int before = closings;
    Futures.last(
        bookies.openForBatches(ledger),
        owner,
        (open, _) -> {
          if (closings == before) {
            opening = false;
            handle = open;
          } else if (open != null) {
            Futures.forget(open.closeAsync());
          }
        });
  }

  /**
   * Entries from one through another, or the first of them: as many as have a number of bytes, as
   * the bookie guesses by the first, and no more than it has in a row. It must be time. Fails if it
   * takes too long, or no bookie that was asked has the first.
   *
   * @param last so far that all of them may come: where no bookie can be reached the library reads
   *     each of them, whatever the bytes
   */
  CompletableFuture<LedgerEntries> read(long from, long last, long bytes) {
    ReadHandle open = handle;
    if (open == null) {
      return CompletableFuture.failedFuture(new IllegalStateException("it is not open"));
    }
    shared.outstanding++;
    CompletableFuture<LedgerEntries> asked =
        open.batchReadUnconfirmedAsync(from, Math.toIntExact(last - from + 1), bytes);
    return Futures.handle(
        Futures.within(owner, WITHIN_MILLIS, asked),
        owner,
        (entries, failure) -> {
          shared.outstanding--;
          if (entries != null) {
            return CompletableFuture.completedFuture(entries);
          }
          shared.pause();
          close();
          // What comes late is let go.
          Futures.forget(asked.thenAccept(LedgerEntries::close));
          return CompletableFuture.failedFuture(
              failure == null ? new IllegalStateException("no entries") : failure);
        });
  }

  /** Lets go what it holds of the library. It may be read again. */
  void close() {
    ReadHandle open = handle;
    handle = null;
    opening = false;
    closings++;
    if (open != null) {
      Futures.forget(open.closeAsync());
    }
  }
}
