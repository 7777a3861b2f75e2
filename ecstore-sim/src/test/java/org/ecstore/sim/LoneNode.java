package org.ecstore.sim;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.ecstore.core.ledger.LedgerRecord;
import org.ecstore.core.ledger.RecordParts;
import org.ecstore.core.map.MapChange;
import org.ecstore.core.message.NodeMessage;
import org.ecstore.core.metrics.Metrics;
import org.ecstore.core.port.ClientCall;
import org.ecstore.core.port.Coordination;
import org.ecstore.core.port.Engine.MetadataEntry;
import org.ecstore.core.port.Event;
import org.ecstore.core.port.Ledger;
import org.ecstore.core.port.LedgerResult;
import org.ecstore.core.port.Network;
import org.ecstore.core.port.OperatorLog;
import org.ecstore.core.port.Ports;
import org.ecstore.core.port.Timers;
import org.ecstore.core.runtime.NodeContext;
import org.ecstore.engines.memory.MemoryStore;
import org.ecstore.engines.store.StoreBatch;
import org.ecstore.engines.window.TaskCompletions;
import org.ecstore.engines.window.WindowedEngine;
import org.ecstore.id.Epoch;
import org.ecstore.id.MapVersion;
import org.ecstore.id.NodeId;
import org.ecstore.id.Position;
import org.ecstore.id.RangeId;
import org.ecstore.id.ReadPoint;
import org.ecstore.id.TxnId;
import org.ecstore.key.Bytes;
import org.ecstore.key.KeyRange;
import org.ecstore.model.Isolation;
import org.ecstore.model.KeyWrite;
import org.ecstore.model.Row;
import org.ecstore.protocol.ClientReply;
import org.ecstore.replication.copy.Copy;
import org.ecstore.replication.copy.CopyTable;
import org.ecstore.replication.copy.EngineWriter;
import org.ecstore.replication.copy.WriteHolds;
import org.ecstore.replication.message.ReplicationMessage.MapNews;
import org.ecstore.replication.view.LedgerView;
import org.ecstore.txn.node.NodeSettings;
import org.ecstore.wire.WireWriter;

/** The copies of one node over a ledger and a disk in memory; no other node is there. */
final class LoneNode {
  final List<LedgerRecord> ledger = new ArrayList<>();

  /** All parts of these records that were asked for so far, each at a position of its own. */
  private final List<Bytes> parts = new ArrayList<>();

  private int split;
  private final Deque<Runnable> due = new ArrayDeque<>();
  long ledgerFirst = 1;
  int entriesMax = Integer.MAX_VALUE;
  int reads;
  long nanos;

  /** What this node was told is decided. */
  Position decided = Position.ZERO;

  /** What becomes of the answer to a read on its way, as with a ledger that breaks its contract. */
  UnaryOperator<LedgerResult.Entries> onItsWay = UnaryOperator.identity();

  private final MemoryStore store = new MemoryStore();
  final WindowedEngine engine =
      new WindowedEngine(
          store,
          new TaskCompletions(new SplittableRandom(2), due::add, this::deliver),
          this::deliver,
          () -> true);
  final NodeContext context;
  final LedgerView ledgerView;
  final EngineWriter writer;
  final CopyTable copies;
  private final Set<Long> timers = new LinkedHashSet<>();

  LoneNode(NodeId self) {
    this(self, EngineWriter::new);
  }

  /** One that writes in its own way. */
  LoneNode(NodeId self, Function<NodeContext, EngineWriter> writers) {
    context = new NodeContext(self, ports());
    context.pointFrom(() -> new ReadPoint(decided, MapVersion.ZERO));
    ledgerView = new LedgerView(context, 1, NodeSettings.UNPROVEN_MAX);
    writer = writers.apply(context);
    copies = new CopyTable(context, ledgerView, writer, new NoHolds(), new Quiet());
  }

  /** A commit of one write at a position. */
  static LedgerRecord commit(NodeId coordinator, Bytes key, long at) {
    return commit(coordinator, key, Bytes.utf8("at " + at), at);
  }

  /**
   * A commit of one write at a position, or, if it is long, at several of which this is the first.
   */
  static LedgerRecord commit(NodeId coordinator, Bytes key, Bytes value, long at) {
    return new LedgerRecord.Commit(
        new TxnId(7, at),
        coordinator,
        1,
        new Position(at - 1),
        new MapVersion(1),
        Isolation.SERIALIZABLE,
        List.of(),
        List.of(new KeyWrite(key, Optional.of(value))));
  }

  /** What the store notes of a copy in its first epoch. */
  static MetadataEntry note(RangeId id, KeyRange keys, long closed) {
    WireWriter out = new WireWriter().u8(2).rangeId(id).epoch(new Epoch(1));
    out.range(keys).position(Position.ZERO).position(new Position(closed));
    return new MetadataEntry(Bytes.utf8("copy/" + id.value()), Optional.of(out.toBytes()));
  }

  /** From now on the store has no room, or has it again. */
  void full(boolean now) {
    store.full(now);
  }

  /** From now on the store has as many bytes as it has room for, and does what deletes. */
  void fillUp() {
    store.room(store.bytes());
  }

  /** From now on there is room for anything. */
  void makeRoom() {
    store.room(Long.MAX_VALUE);
  }

  /** What the engine has in an interval as of a position. */
  List<Row> look(KeyRange keys, Position at) {
    return engine.look(keys, at, store.look(keys));
  }

  private void deliver(Event event) {
    due.add(() -> context.complete(event));
  }

  /** Until nothing is left to do. */
  void run() {
    context.flush();
    boolean more = true;
    while (more) {
      more = step();
    }
  }

  /** All waits that have begun are over, and all that comes of it is done. */
  void passTime() {
    endWaits();
    run();
  }

  /** All waits that have begun are over, and nothing has come of it yet. */
  void endWaits() {
    List<Long> over = List.copyOf(timers);
    timers.clear();
    over.forEach(token -> deliver(new Event.TimerFired(token)));
  }

  /** One answer of a port; false if none is left. */
  boolean step() {
    Runnable next = due.poll();
    if (next != null) {
      next.run();
      context.flush();
    }
    return next != null;
  }

  /** A row that lies in the store, durably, and that no note speaks of. */
  void leave(Row row) {
    store.load(List.of(row));
    store.sync();
  }

  /** A metadata entry that is in the store, durably. */
  void leave(MetadataEntry entry) {
    store.write(new StoreBatch(List.of(), List.of(), List.of(entry)));
    store.sync();
  }

  /** Where the last part of the last record is. */
  Position end() {
    while (split < ledger.size()) {
      parts.addAll(RecordParts.split(ledger.get(split), parts.size() + 1));
      split++;
    }
    return new Position(parts.size());
  }

  /** What its store has. */
  MemoryStore stored() {
    return store;
  }

  /** What its store has after a crash, which takes back what was not durable, or some of it. */
  MemoryStore crashed(SplittableRandom random) {
    store.crash(random);
    return store;
  }

  /** News of the map from another node, and all that comes of it. */
  void learn(NodeId from, MapChange... changes) {
    hear(from, changes);
    run();
  }

  /** News of the map from another node, of which nothing has come yet. */
  void hear(NodeId from, MapChange... changes) {
    MapVersion last = changes[changes.length - 1].version();
    ledgerView.learn(
        from, new MapNews(List.of(changes), Optional.empty()), new ReadPoint(end(), last));
    context.flush();
  }

  private Ports ports() {
    return new Ports(
        () -> nanos,
        new WaitingTimers(),
        new SplittableRandom(1),
        new NoNetwork(),
        engine,
        new RecordsLedger(),
        new NoCoordination(),
        new NoJournal(),
        Metrics.NONE);
  }

  /** Answers reads from the list of records, each part an entry of its own. */
  private final class RecordsLedger implements Ledger {
    @Override
    public void read(long token, Position from, int bytesMax) {
      if (from.value() < ledgerFirst) {
        deliver(new Event.LedgerDone(token, new LedgerResult.Trimmed(new Position(ledgerFirst))));
        return;
      }
      List<LedgerEntry> entries = new ArrayList<>();
      reads++;
      Position end = end();
      long last = Math.min(end.value(), from.value() - 1 + entriesMax);
      for (long at = from.value(); at <= last; at++) {
        entries.add(new LedgerEntry(new Position(at), List.of(parts.get((int) at - 1))));
      }
      deliver(new Event.LedgerDone(token, onItsWay.apply(new LedgerResult.Entries(entries, end))));
    }

    @Override
    public void fence(long token) {
      throw new UnsupportedOperationException();
    }

    @Override
    public void append(long token, LedgerEntry entry) {
      throw new UnsupportedOperationException();
    }

    @Override
    public void trim(long token, Position below) {
      throw new UnsupportedOperationException();
    }
  }

  static final class NoHolds implements WriteHolds {
    @Override
    public Optional<Position> leastNoted(Copy copy) {
      return Optional.empty();
    }

    @Override
    public void awaitSettled(
        Copy copy,
        List<Bytes> keys,
        Optional<KeyRange> interval,
        Position position,
        long untilNanos,
        Runnable ready,
        Runnable late) {
      ready.run();
    }
  }

  static final class Quiet implements CopyTable.Listener {
    @Override
    public void acquired(Copy copy) {}

    @Override
    public void retired(Copy copy) {}

    @Override
    public void interrupted(Copy copy) {}

    @Override
    public void needsEpochs() {}
  }

  /** No wait ends before {@link #passTime}. */
  private final class WaitingTimers implements Timers {
    @Override
    public void schedule(long token, long delayNanos) {
      timers.add(token);
    }

    @Override
    public void cancel(long token) {
      timers.remove(token);
    }
  }

  private static final class NoNetwork implements Network {
    @Override
    public void send(NodeId to, ReadPoint point, NodeMessage message) {}

    @Override
    public void reply(ClientCall call, ClientReply reply) {}
  }

  private static final class NoCoordination implements Coordination {
    @Override
    public void join(long token, NodeId node, MemberInfo info) {}

    @Override
    public void get(long token, String key) {}

    @Override
    public void compareAndSet(long token, String key, long expectedVersion, Bytes value) {}

    @Override
    public void leader(long token) {}

    @Override
    public void standBack(long token) {}

    @Override
    public void watch(String key) {}
  }

  private static final class NoJournal implements OperatorLog {
    @Override
    public void info(String text) {}

    @Override
    public void warn(String text) {}
  }
}
