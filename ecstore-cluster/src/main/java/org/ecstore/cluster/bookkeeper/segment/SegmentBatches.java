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

  /** A batch takes some milliseconds of a bookie that lives. */
  private static final long WITHIN_MILLIS = 100;

  /** Since when bookies may be asked for batches, of all segments. */
  static final class Pause {
    private static final long NANOS = 2_000_000_000L;

    private final Owner owner;
    private long untilNanos;

    Pause(Owner owner) {
      this.owner = owner;
      this.untilNanos = owner.nanos();
    }

    private boolean isOver() {
      return owner.nanos() - untilNanos >= 0;
    }

    private void begin() {
      untilNanos = owner.nanos() + NANOS;
    }
  }

  private final Bookies bookies;
  private final Owner owner;
  private final long ledger;
  private final Pause pause;
  private @Nullable CompletableFuture<ReadHandle> opened;

  SegmentBatches(Bookies bookies, Owner owner, long ledger, Pause pause) {
    this.bookies = bookies;
    this.owner = owner;
    this.ledger = ledger;
    this.pause = pause;
  }

  /** Whether to ask for batches: each bookie has all entries, and none was silent lately. */
  boolean isTime(LedgerMetadata segment) {
    return segment.getEnsembleSize() == segment.getWriteQuorumSize() && pause.isOver();
  }

  /**
   * Some entries from one on, all of them durable: as many as have a number of bytes, as the bookie
   * guesses by the first, and no more than it has in a row. Fails if it takes too long, or no
   * bookie that was asked has the first. The library then has the handle read each entry, for good,
   * without a look at the bytes: so there is another handle the next time.
   */
  CompletableFuture<LedgerEntries> read(long from, int count, long bytes) {
    CompletableFuture<LedgerEntries> asked =
        Futures.then(open(), owner, open -> open.batchReadUnconfirmedAsync(from, count, bytes));
    return Futures.handle(
        Futures.within(owner, WITHIN_MILLIS, asked),
        owner,
        (entries, failure) -> {
          if (entries != null) {
            return CompletableFuture.completedFuture(entries);
          }
          pause.begin();
          close();
          // What comes late is let go.
          Futures.forget(asked.thenAccept(LedgerEntries::close));
          return CompletableFuture.failedFuture(
              failure == null ? new IllegalStateException("no entries") : failure);
        });
  }

  private CompletableFuture<ReadHandle> open() {
    CompletableFuture<ReadHandle> begun = opened;
    if (begun == null) {
      begun = bookies.openForBatches(ledger);
      opened = begun;
    }
    return begun;
  }

  /** Lets go what it holds of the library. It may be read again. */
  void close() {
    CompletableFuture<ReadHandle> begun = opened;
    opened = null;
    if (begun != null) {
      Futures.forget(begun.thenCompose(ReadHandle::closeAsync));
    }
  }
}
