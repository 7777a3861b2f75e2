package org.ecstore.cluster.bookkeeper;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import org.apache.bookkeeper.client.BKException;
import org.apache.bookkeeper.client.api.LedgerMetadata.State;
import org.apache.bookkeeper.client.api.ReadHandle;
import org.apache.bookkeeper.client.api.WriteHandle;
import org.ecstore.cluster.bookkeeper.segment.Bookies;
import org.ecstore.cluster.bookkeeper.segment.Futures;
import org.ecstore.sim.ledger.SimLedger.TakeOverStep;

/**
 * BookKeeper's client in a process of its own, with a session of its own: what it reads of a
 * segment's metadata may be older than what was written. A write brings the session up to date, as
 * it does with ZooKeeper.
 */
final class FakeBookies implements Bookies {
  final FakeBookKeeper bookKeeper;
  final FakeZooKeeper.Session session;
  private final FakeWire wire;
  private final LongConsumer grown;
  private Consumer<TakeOverStep> steps = _ -> {};

  /**
   * A client.
   *
   * @param grown is told of a segment of which more is known to be durable
   */
  FakeBookies(FakeBookKeeper bookKeeper, FakeWire wire, LongConsumer grown) {
    this.bookKeeper = bookKeeper;
    this.wire = wire;
    this.grown = grown;
    this.session = bookKeeper.zooKeeper.new Session(wire.random, wire.faults, wire.faulty);
  }

  /** Tells of each step of a take-over, in the very moment. */
  void onStep(Consumer<TakeOverStep> listener) {
    steps = listener;
  }

  @Override
  public CompletableFuture<WriteHandle> create(long after) {
    return wire.ask(
        () -> {
          FakeSegment segment = bookKeeper.create();
          steps.accept(TakeOverStep.CREATED);
          session.create(FakeSegment.path(segment.id), new FakeSegment.Meta(State.OPEN, -1));
          return new FakeWriteHandle(this, wire, segment, grown);
        });
  }

  private FakeZooKeeper.Node meta(long id) throws Exception {
    Optional<FakeZooKeeper.Node> found = session.read(FakeSegment.path(id));
    return found.orElseThrow(FakeBookKeeper::absent);
  }

  private static FakeSegment.Meta of(FakeZooKeeper.Node node) {
    return (FakeSegment.Meta) node.value();
  }

  @Override
  public CompletableFuture<ReadHandle> open(long ledger, Freshness freshness) {
    return switch (freshness) {
      case ANY ->
          look(ledger)
              .exceptionallyCompose(
                  failure ->
                      Bookies.isAbsent(failure)
                          ? open(ledger, Freshness.SYNCED)
                          : CompletableFuture.failedFuture(failure));
      case SYNCED -> sync().thenCompose(_ -> look(ledger));
    };
  }

  private CompletableFuture<ReadHandle> look(long ledger) {
    return wire.ask(
        () -> {
          FakeSegment.Meta meta = of(meta(ledger));
          return new FakeReadHandle(bookKeeper, wire, bookKeeper.segment(ledger), meta);
        });
  }

  private CompletableFuture<Void> sync() {
    return wire.ask(
        () -> {
          session.sync();
          return null;
        });
  }

  @Override
  public CompletableFuture<ReadHandle> recover(long ledger) {
    return sync().thenCompose(_ -> begin(ledger));
  }

  private CompletableFuture<ReadHandle> begin(long ledger) {
    return wire.<FakeZooKeeper.Node>ask(() -> meta(ledger))
        .thenCompose(
            node ->
                of(node).isClosed()
                    ? look(ledger)
                    : fence(ledger, node).thenCompose(_ -> look(ledger)));
  }

  private CompletableFuture<Void> fence(long ledger, FakeZooKeeper.Node node) {
    return wire.ask(
            () -> {
              session.write(
                  FakeSegment.path(ledger),
                  new FakeSegment.Meta(State.IN_RECOVERY, -1),
                  node.version());
              return null;
            })
        .thenCompose(
            _ ->
                wire.ask(
                    () -> {
                      bookKeeper.segment(ledger).fenced = true;
                      steps.accept(TakeOverStep.FENCED);
                      return null;
                    }))
        .thenCompose(_ -> wire.ask(() -> settle(ledger)))
        .thenCompose(last -> close(ledger, last))
        .exceptionallyCompose(
            failure ->
                Futures.cause(failure) instanceof FakeZooKeeper.BadVersion
                    ? CompletableFuture.failedFuture(new BKException.BKMetadataVersionException())
                    : CompletableFuture.failedFuture(failure));
  }

  /** Of what only some bookies have, a part is written back to all; the rest will never be. */
  private long settle(long ledger) throws org.apache.bookkeeper.client.api.BKException {
    FakeSegment segment = bookKeeper.segment(ledger);
    int found = wire.random.between(0, segment.minority.size());
    segment.entries.addAll(segment.minority.subList(0, found));
    segment.minority.clear();
    steps.accept(TakeOverStep.RECOVERED);
    return segment.entries.size() - 1L;
  }

  /** Closes a segment, if that has not been done; fails if it has been at another entry. */
  CompletableFuture<Void> close(long id, long last) {
    return wire.ask(
        () -> {
          session.sync();
          FakeZooKeeper.Node node = meta(id);
          if (of(node).isClosed()) {
            if (of(node).lastEntry() != last) {
              throw new BKException.BKMetadataVersionException();
            }
            return null;
          }
          FakeSegment.Meta meta = new FakeSegment.Meta(State.CLOSED, last);
          session.write(FakeSegment.path(id), meta, node.version());
          bookKeeper.changed(id, meta);
          grown.accept(id);
          return null;
        });
  }

  @Override
  public CompletableFuture<Void> delete(long ledger) {
    return wire.ask(
        () -> {
          session.delete(FakeSegment.path(ledger));
          bookKeeper.delete(ledger);
          return null;
        });
  }

  @Override
  public CompletableFuture<List<Long>> ledgers() {
    return wire.ask(
        () ->
            session.all(FakeBookKeeper.LEDGERS).keySet().stream()
                .map(path -> Long.parseLong(path.substring(FakeBookKeeper.LEDGERS.length())))
                .toList());
  }

  @Override
  public CompletableFuture<List<String>> writable() {
    return wire.ask(bookKeeper::bookies);
  }

  @Override
  public CompletableFuture<String> explain(String what, Throwable failure) {
    return CompletableFuture.completedFuture(what + ": " + Bookies.reason(failure));
  }

  @Override
  public void close() {}
}
