package org.ecstore.sim;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import org.ecstore.core.lane.Lane;
import org.ecstore.core.ledger.LedgerRecord;
import org.ecstore.core.ledger.RecordParts;
import org.ecstore.core.map.MapChange;
import org.ecstore.core.map.RangeDescriptor;
import org.ecstore.core.message.NodeMessage;
import org.ecstore.core.port.ClientCall;
import org.ecstore.core.port.Coordination;
import org.ecstore.core.port.Engine.Note;
import org.ecstore.core.port.Event;
import org.ecstore.core.port.Journal;
import org.ecstore.core.port.Ledger;
import org.ecstore.core.port.LedgerResult;
import org.ecstore.core.port.Network;
import org.ecstore.core.port.Ports;
import org.ecstore.core.port.Timers;
import org.ecstore.engines.memory.MemoryDisk;
import org.ecstore.engines.memory.MemoryEngine;
import org.ecstore.id.Epoch;
import org.ecstore.id.MapVersion;
import org.ecstore.id.NodeId;
import org.ecstore.id.Position;
import org.ecstore.id.RangeId;
import org.ecstore.id.ReadPoint;
import org.ecstore.id.TxnId;
import org.ecstore.key.Bytes;
import org.ecstore.key.KeyRange;
import org.ecstore.replication.copy.Copy;
import org.ecstore.replication.copy.CopyTable;
import org.ecstore.replication.copy.EngineWriter;
import org.ecstore.replication.copy.WriteHolds;
import org.ecstore.replication.message.ReplicationMessage.MapNews;
import org.ecstore.replication.position.Knowledge;
import org.ecstore.wire.WireWriter;
import org.ecstore.wire.client.ClientReply;
import org.ecstore.wire.client.Isolation;
import org.ecstore.wire.client.KeyWrite;
import org.ecstore.wire.client.Row;
import org.junit.jupiter.api.Test;

/**
 * What a node makes of the copies it has when ranges have moved, several changes of the map ago.
 */
final class MovedAwayAndBackTest {
  private static final NodeId A = new NodeId(1);
  private static final NodeId B = new NodeId(2);
  private static final Bytes KEY = Bytes.utf8("key");

  private final List<LedgerRecord> ledger = new ArrayList<>();
  private final Deque<Runnable> due = new ArrayDeque<>();
  private long ledgerFirst = 1;
  private final MemoryDisk disk = new MemoryDisk();
  private final Lane lane = new Lane(A, ports());
  private final Knowledge knowledge = new Knowledge(lane, 1);
  private final CopyTable copies =
      new CopyTable(lane, knowledge, new EngineWriter(lane), new NoHolds(), new Quiet());

  private void deliver(Event event) {
    due.add(() -> lane.complete(event));
  }

  private void run() {
    lane.flush();
    for (Runnable next = due.poll(); next != null; next = due.poll()) {
      next.run();
      lane.flush();
    }
  }

  private static MapChange change(long version, List<RangeId> retired, long id, NodeId primary) {
    RangeDescriptor placed =
        new RangeDescriptor(
            new RangeId(id), KeyRange.ALL, new Epoch(version), primary, 1, List.of());
    return new MapChange(new MapVersion(version), retired, List.of(placed), "test");
  }

  private void learn(MapChange... changes) {
    MapVersion last = changes[changes.length - 1].version();
    knowledge.learn(
        B,
        new MapNews(List.of(changes), Optional.empty()),
        new ReadPoint(new Position(ledger.size()), last));
    run();
  }

  @Test
  void whatTheOtherCommittedIsReplayed() {
    lane.incarnation(1);
    knowledge.onMapChange(copies::reconcile);
    MapChange first = change(1, List.of(), 1, A);
    ledger.add(new LedgerRecord.EpochChange(first));
    learn(first);
    Copy served = copies.all().getFirst();
    assertEquals(Copy.State.SERVING, served.state());
    assertEquals(new Position(1), copies.closed(served));

    MapChange away = change(2, List.of(new RangeId(1)), 2, B);
    MapChange back = change(3, List.of(new RangeId(2)), 3, A);
    ledger.add(new LedgerRecord.EpochChange(away));
    ledger.add(
        new LedgerRecord.Commit(
            new TxnId(7, 7),
            B,
            1,
            new Position(2),
            new MapVersion(2),
            Isolation.SERIALIZABLE,
            List.of(new LedgerRecord.RangeVote(new RangeId(2), new Epoch(2))),
            List.of(new KeyWrite(KEY, Optional.of(Bytes.utf8("by the other"))))));
    ledger.add(new LedgerRecord.EpochChange(back));
    learn(away, back);

    Copy again = copies.all().getFirst();
    assertEquals(new RangeId(3), again.id());
    assertTrue(again.serving(), again::toString);
    assertEquals(new Position(4), copies.closed(again));
    assertEquals(
        List.of(new Row(KEY, new Position(3), Bytes.utf8("by the other"))),
        disk.look(KeyRange.ALL, new Position(4)));
  }

  /** The note of a copy that was built and is in no map as far as the note says. */
  private static Note built(long id, Position stamp) {
    WireWriter out = new WireWriter().u8(1).rangeId(new RangeId(id)).epoch(Epoch.ZERO);
    out.range(KeyRange.ALL).position(stamp).position(stamp);
    return new Note(Bytes.utf8("copy/" + id), Optional.of(out.toBytes()));
  }

  @Test
  void whatWasBuiltStandsForWhatIsLeftOfItsRange() {
    lane.incarnation(1);
    knowledge.onMapChange(copies::reconcile);
    MapChange first = change(1, List.of(), 1, B);
    MapChange moved = change(2, List.of(new RangeId(1)), 2, A);
    Bytes middle = Bytes.utf8("m");
    MapChange split =
        new MapChange(
            new MapVersion(3),
            List.of(new RangeId(2)),
            List.of(
                new RangeDescriptor(
                    new RangeId(3),
                    KeyRange.of(Bytes.EMPTY, middle),
                    new Epoch(3),
                    B,
                    1,
                    List.of()),
                new RangeDescriptor(
                    new RangeId(4),
                    KeyRange.between(middle, Optional.empty()),
                    new Epoch(3),
                    A,
                    1,
                    List.of())),
            "test");
    for (MapChange each : List.of(first, moved, split)) {
      ledger.add(new LedgerRecord.EpochChange(each));
    }
    // A crash has taken back the notes about the range placed and about what was left of it.
    ledgerFirst = 2;
    copies.load(List.of(built(2, new Position(1))));
    learn(first, moved, split);

    Copy rest = copies.all().getFirst();
    assertEquals(new RangeId(4), rest.id());
    assertTrue(rest.serving(), rest::toString);
    assertEquals(new Position(1), rest.base());
  }

  /** As it was: what comes of a merge is called closed at its base, where its parts are not. */
  private static final class ClosedAtBase extends CopyTable {
    ClosedAtBase(Lane lane, Knowledge knowledge) {
      super(lane, knowledge, new EngineWriter(lane), new NoHolds(), new Quiet());
    }

    @Override
    protected Position inherited(RangeDescriptor descriptor, List<Copy> sources) {
      Position base = sources.stream().map(Copy::base).reduce(Position.ZERO, Position::max);
      return Position.max(super.inherited(descriptor, sources), base);
    }
  }

  private static Note following(long id, KeyRange keys, Position base, Position closed) {
    WireWriter out = new WireWriter().u8(1).rangeId(new RangeId(id)).epoch(new Epoch(1));
    out.range(keys).position(base).position(closed);
    return new Note(Bytes.utf8("copy/" + id), Optional.of(out.toBytes()));
  }

  private static RangeDescriptor followed(long id, KeyRange keys, long epoch) {
    return new RangeDescriptor(new RangeId(id), keys, new Epoch(epoch), B, 1, List.of(A));
  }

  /**
   * Of two adjacent copies one lags at 1, and the other was made anew at 3. They are merged, and
   * the copy goes on from the ledger: what it has then.
   */
  private List<Row> mergedAndCaughtUp(CopyTable table) {
    Bytes middle = Bytes.utf8("m");
    KeyRange low = KeyRange.of(Bytes.EMPTY, middle);
    KeyRange high = KeyRange.between(middle, Optional.empty());
    lane.incarnation(1);
    knowledge.onMapChange(table::reconcile);
    table.load(
        List.of(
            following(1, low, new Position(1), new Position(1)),
            following(2, high, new Position(3), new Position(3))));
    MapChange first =
        new MapChange(
            new MapVersion(1),
            List.of(),
            List.of(followed(1, low, 1), followed(2, high, 1)),
            "test");
    ledger.add(new LedgerRecord.EpochChange(first));
    ledger.add(
        new LedgerRecord.Commit(
            new TxnId(7, 7),
            B,
            1,
            new Position(1),
            new MapVersion(1),
            Isolation.SERIALIZABLE,
            List.of(new LedgerRecord.RangeVote(new RangeId(1), new Epoch(1))),
            List.of(new KeyWrite(KEY, Optional.of(Bytes.utf8("below the base"))))));
    ledger.add(new LedgerRecord.NoOp());
    MapChange merge =
        new MapChange(
            new MapVersion(2),
            List.of(new RangeId(1), new RangeId(2)),
            List.of(followed(3, KeyRange.ALL, 2)),
            "test");
    ledger.add(new LedgerRecord.EpochChange(merge));
    learn(first, merge);

    Copy merged = table.all().getFirst();
    assertEquals(new RangeId(3), merged.id());
    assertTrue(merged.following(), merged::toString);
    assertEquals(new Position(3), merged.base());
    table.catchUp(merged, new Position(4), () -> {});
    run();
    assertEquals(new Position(4), table.closed(merged));
    return disk.look(KeyRange.ALL, new Position(4));
  }

  @Test
  void whatComesOfAMergeGetsWhatItsLesserPartLacked() {
    assertEquals(
        List.of(new Row(KEY, new Position(2), Bytes.utf8("below the base"))),
        mergedAndCaughtUp(copies));
  }

  @Test
  void whatComesOfAMergeAndIsCalledClosedAtItsBaseLacksIt() {
    assertEquals(List.of(), mergedAndCaughtUp(new ClosedAtBase(lane, knowledge)));
  }

  private Ports ports() {
    return new Ports(
        () -> 0,
        new NoTimers(),
        new SplittableRandom(1),
        new NoNetwork(),
        MemoryEngine.open(disk, new SplittableRandom(2), due::add, this::deliver),
        new RecordsLedger(),
        new NoCoordination(),
        new NoJournal());
  }

  /** Answers reads from the list of records, each an entry of its own. */
  private final class RecordsLedger implements Ledger {
    @Override
    public void read(long token, Position from, int bytesMax) {
      if (from.value() < ledgerFirst) {
        deliver(new Event.LedgerDone(token, new LedgerResult.Trimmed(new Position(ledgerFirst))));
        return;
      }
      List<LedgerEntry> entries = new ArrayList<>();
      for (long at = from.value(); at <= ledger.size(); at++) {
        entries.add(
            new LedgerEntry(new Position(at), RecordParts.split(ledger.get((int) at - 1), at)));
      }
      deliver(
          new Event.LedgerDone(
              token, new LedgerResult.Entries(entries, new Position(ledger.size()))));
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

  private static final class NoHolds implements WriteHolds {
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

  private static final class Quiet implements CopyTable.Listener {
    @Override
    public void acquired(Copy copy) {}

    @Override
    public void retired(Copy copy) {}

    @Override
    public void interrupted(Copy copy) {}

    @Override
    public void needsEpochs() {}
  }

  private static final class NoTimers implements Timers {
    @Override
    public void schedule(long token, long delayNanos) {}

    @Override
    public void cancel(long token) {}
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
    public void watch(String key) {}
  }

  private static final class NoJournal implements Journal {
    @Override
    public void info(String text) {}

    @Override
    public void warn(String text) {}
  }
}
