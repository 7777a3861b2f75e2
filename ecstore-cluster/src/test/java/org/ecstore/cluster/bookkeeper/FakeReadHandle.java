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
    return bookKeeper.slowly(
        wire,
        () -> {
          List<byte[]> all = new ArrayList<>(bookKeeper.segment(segment.id).entries);
          if (wire.random.chance(0.5)) {
            all.addAll(segment.minority);
          }
          if (to >= all.size()) {
            throw new BKException.BKNoSuchEntryException();
          }
          bookKeeper.answered(
              all.subList((int) from, (int) to + 1).stream().mapToLong(e -> e.length).sum());
          return FakeEntries.of(segment.id, from, to, all);
        });
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
    return new FakeLedgerMetadata(segment.id, segment.ensemble, meta);
  }
}
