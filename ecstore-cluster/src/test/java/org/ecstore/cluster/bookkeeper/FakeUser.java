package org.ecstore.cluster.bookkeeper;

import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.ecstore.cluster.bookkeeper.segment.BookKeeperSettings;
import org.ecstore.core.port.Event;
import org.ecstore.core.port.Ledger;
import org.ecstore.core.port.Ledger.LedgerEntry;
import org.ecstore.core.port.LedgerResult;
import org.ecstore.id.NodeId;
import org.ecstore.id.Position;

/** A process that uses a ledger over faked services. */
final class FakeUser {
  private static final long RESULT_NANOS = TimeUnit.SECONDS.toNanos(60);

  final FakeBookies bookies;
  final FakeMetadata metadata;
  final Ledger ledger;
  private final FakeCluster cluster;
  private final BookKeeperLedger service;
  private final Map<Long, LedgerResult> results = new LinkedHashMap<>();
  private final List<Event.PartFailed> failures = new ArrayList<>();
  private long tokens;

  FakeUser(
      FakeCluster cluster,
      int node,
      FakeWire wire,
      BookKeeperSettings settings,
      LedgerParts parts) {
    this.cluster = cluster;
    this.bookies = new FakeBookies(cluster.bookKeeper, wire, _ -> {});
    this.metadata = new FakeMetadata(cluster.bookKeeper, wire, true);
    this.service =
        BookKeeperLedger.over(
            metadata,
            bookies,
            settings,
            new Notes(),
            bug -> new FakeOwner(cluster.scheduler, wire.process, bug),
            parts);
    this.ledger = service.handle(new NodeId(node), this::on);
  }

  private void on(Event event) {
    switch (event) {
      case Event.LedgerDone done -> results.put(done.token(), done.result());
      case Event.PartFailed failed -> failures.add(failed);
      default -> throw new AssertionError("not an event of a ledger: " + event);
    }
  }

  /** Why it was told to end, as often as it was. */
  List<Event.PartFailed> failures() {
    return failures;
  }

  /** What another node of the same process hears that begins now. */
  List<Event> another(int node) {
    List<Event> heard = new ArrayList<>();
    Ledger _ = service.handle(new NodeId(node), heard::add);
    return heard;
  }

  /** Its sessions hear of nothing that others write, until something makes them. */
  void behind() {
    bookies.session.behind();
    metadata.session.behind();
  }

  /** Ends as a process that is killed. */
  void crash() {
    service.crash();
  }

  boolean isDone(long token) {
    return results.containsKey(token);
  }

  LedgerResult await(long token) {
    long until = cluster.scheduler.nowNanos() + RESULT_NANOS;
    while (!results.containsKey(token)) {
      if (!cluster.scheduler.step(until)) {
        throw new AssertionError("no result of call " + token);
      }
    }
    return results.get(token);
  }

  /** Lets time pass. */
  void pass(long millis) {
    long until = cluster.scheduler.nowNanos() + TimeUnit.MILLISECONDS.toNanos(millis);
    while (cluster.scheduler.step(until)) {
      // Whatever is due happens.
    }
  }

  LedgerResult.Fenced fence() {
    return assertInstanceOf(LedgerResult.Fenced.class, tryFence());
  }

  LedgerResult tryFence() {
    long token = ++tokens;
    ledger.fence(token);
    return await(token);
  }

  long beginAppend(LedgerEntry entry) {
    long token = ++tokens;
    ledger.append(token, entry);
    return token;
  }

  LedgerResult append(LedgerEntry entry) {
    return await(beginAppend(entry));
  }

  long beginRead(long from, int bytesMax) {
    long token = ++tokens;
    ledger.read(token, new Position(from), bytesMax);
    return token;
  }

  LedgerResult tryRead(long from) {
    return await(beginRead(from, 100_000));
  }

  LedgerResult.Entries read(long from) {
    return assertInstanceOf(LedgerResult.Entries.class, tryRead(from));
  }

  /** Every entry from a position to the end. */
  List<LedgerEntry> readAll(long from) {
    List<LedgerEntry> all = new ArrayList<>();
    long next = from;
    while (true) {
      List<LedgerEntry> some = read(next).entries();
      if (some.isEmpty()) {
        return all;
      }
      all.addAll(some);
      next = some.getLast().last().value() + 1;
    }
  }

  LedgerResult.TrimDone trim(long below) {
    long token = ++tokens;
    ledger.trim(token, new Position(below));
    return assertInstanceOf(LedgerResult.TrimDone.class, await(token));
  }
}
