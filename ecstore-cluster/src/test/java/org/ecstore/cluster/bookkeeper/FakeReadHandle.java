package org.ecstore.cluster.bookkeeper;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.apache.bookkeeper.client.BKException;
import org.apache.bookkeeper.client.api.LastConfirmedAndEntry;
import org.apache.bookkeeper.client.api.LedgerEntries;
import org.apache.bookkeeper.client.api.LedgerMetadata;
import org.apache.bookkeeper.client.api.ReadHandle;

/**
 * A segment that a process has opened. What the bookies have it reads as it is, entries on a
 * minority of them perhaps too; of the metadata it knows what it was opened with, until it hears of
 * the end.
 */
@SuppressWarnings("try") // The interface closes with what a wait may throw.
class FakeReadHandle implements ReadHandle {
  final FakeBookKeeper bookKeeper;
  final FakeWire wire;
  final FakeSegment segment;
  private final Runnable unwatch;
  private FakeSegment.Meta meta;
  private boolean readsEach;

  FakeReadHandle(
      FakeBookKeeper bookKeeper, FakeWire wire, FakeSegment segment, FakeSegment.Meta meta) {
    this.bookKeeper = bookKeeper;
    this.wire = wire;
    this.segment = segment;
    this.meta = meta;
    this.unwatch = bookKeeper.watch(segment.id, this::changed);
  }

  private void changed(FakeSegment.Meta now) {
    if (!wire.random.chance(wire.faults.lostWatch())) {
      CompletableFuture<Void> _ = wire.ask(() -> null).thenAccept(_ -> known(now));
    }
  }

  /** What has been learned of the metadata. That a segment is closed is final. */
  final void known(FakeSegment.Meta now) {
    if (!meta.isClosed()) {
      meta = now;
    }
  }

  @Override
  public CompletableFuture<LedgerEntries> readAsync(long from, long to) {
    return readUnconfirmedAsync(from, to);
  }

  @Override
  public CompletableFuture<LedgerEntries> readUnconfirmedAsync(long from, long to) {
    return bookKeeper.slowly(wire, () -> answer(there(), from, to));
  }

  /**
   * One bookie is asked, which says no more than it has of what was asked for, in a row: it may
   * lack some. By the first it guesses how many have so many bytes. Once no bookie can be reached
   * the library reads each entry, then and for good, however many bytes they have.
   */
  @Override
  public CompletableFuture<LedgerEntries> batchReadUnconfirmedAsync(
      long from, int count, long bytes) {
    readsEach |= bookKeeper.isOutOfReach() || wire.random.chance(wire.faults.lacking() / 4);
    if (readsEach) {
      return readUnconfirmedAsync(from, from + count - 1);
    }
    return bookKeeper.slowly(
        wire,
        () -> {
          List<byte[]> all = there();
          long last = Math.min(all.size(), from + count) - 1;
          if (from < last) {
            int first = Math.max(1, all.get((int) from).length);
            last = fitting(all, from, Math.min(last, from + (bytes - first) / first), bytes);
          }
          boolean lacks = wire.random.chance(wire.faults.lacking());
          return answer(all, from, lacks && from < last ? wire.random.between(from, last) : last);
        });
  }

  /** The last of some entries that have so many bytes together; the first in any case. */
  private static long fitting(List<byte[]> all, long from, long to, long bytes) {
    long last = from;
    long sum = all.get((int) from).length;
    while (last < to && sum + all.get((int) last + 1).length <= bytes) {
      last++;
      sum += all.get((int) last).length;
    }
    return last;
  }

  /** What there is; entries on a minority of the bookies are perhaps among it. */
  private List<byte[]> there() throws org.apache.bookkeeper.client.api.BKException {
    List<byte[]> all = new ArrayList<>(bookKeeper.segment(segment.id).entries);
    if (wire.random.chance(0.5)) {
      all.addAll(segment.minority);
    }
    return all;
  }

  private FakeEntries answer(List<byte[]> all, long from, long to) throws BKException {
    if (to >= all.size() || to < from) {
      throw new BKException.BKNoSuchEntryException();
    }
    bookKeeper.answered(
        all.subList((int) from, (int) to + 1).stream().mapToLong(e -> e.length).sum());
    return FakeEntries.of(segment.id, from, to, all, bookKeeper::letGo);
  }

  /**
   * The newest entry there is said to be confirmed by the entry behind it; in a recovery, when
   * entries are written back, that may be too much (decision 0010).
   */
  @Override
  public CompletableFuture<Long> readLastAddConfirmedAsync() {
    return wire.ask(
        () -> {
          long last = bookKeeper.segment(segment.id).entries.size() - 1L;
          return wire.random.between(Math.max(-1, last - 1), last);
        });
  }

  @Override
  public CompletableFuture<Long> tryReadLastAddConfirmedAsync() {
    return readLastAddConfirmedAsync();
  }

  @Override
  public long getLastAddConfirmed() {
    throw new UnsupportedOperationException();
  }

  @Override
  public long getLength() {
    return 0;
  }

  @Override
  public boolean isClosed() {
    return meta.isClosed();
  }

  @Override
  public CompletableFuture<LastConfirmedAndEntry> readLastAddConfirmedAndEntryAsync(
      long entry, long timeout, boolean parallel) {
    throw new UnsupportedOperationException();
  }

  @Override
  public long getId() {
    return segment.id;
  }

  @Override
  public CompletableFuture<Void> closeAsync() {
    unwatch.run();
    return CompletableFuture.completedFuture(null);
  }

  @Override
  public LedgerMetadata getLedgerMetadata() {
    return new FakeLedgerMetadata(
        segment.id, segment.ensemble, bookKeeper.writeQuorum(segment.ensemble), meta);
  }
}
