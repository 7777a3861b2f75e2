package org.ecstore.sim;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import org.ecstore.core.ledger.LedgerRecord;
import org.ecstore.core.map.MapChange;
import org.ecstore.core.map.RangeDescriptor;
import org.ecstore.core.port.Engine.MetadataEntry;
import org.ecstore.engines.memory.MemoryStore;
import org.ecstore.id.Epoch;
import org.ecstore.id.MapVersion;
import org.ecstore.id.NodeId;
import org.ecstore.id.Position;
import org.ecstore.id.RangeId;
import org.ecstore.id.TxnId;
import org.ecstore.key.Bytes;
import org.ecstore.key.KeyRange;
import org.ecstore.model.Isolation;
import org.ecstore.model.KeyWrite;
import org.ecstore.model.Row;
import org.ecstore.replication.copy.Copy;
import org.ecstore.replication.copy.CopyTable;
import org.ecstore.replication.copy.EngineWriter;
import org.ecstore.wire.WireWriter;
import org.junit.jupiter.api.Test;

/**
 * What a node makes of the copies it has when ranges have moved, several changes of the map ago.
 */
final class MovedAwayAndBackTest {
  private static final NodeId A = new NodeId(1);
  private static final NodeId B = new NodeId(2);
  private static final Bytes KEY = Bytes.utf8("key");

  private final LoneNode node = new LoneNode(A);
  private final CopyTable copies = node.copies;

  private static MapChange change(long version, List<RangeId> retired, long id, NodeId primary) {
    RangeDescriptor placed =
        new RangeDescriptor(
            new RangeId(id), KeyRange.ALL, new Epoch(version), primary, 1, List.of());
    return new MapChange(new MapVersion(version), retired, List.of(placed), "test");
  }

  private void learn(MapChange... changes) {
    node.learn(B, changes);
  }

  @Test
  void whatTheOtherCommittedIsReplayed() {
    node.context.incarnation(1);
    node.ledgerView.onMapChange(copies::reconcile);
    MapChange first = change(1, List.of(), 1, A);
    node.ledger.add(new LedgerRecord.EpochChange(first));
    learn(first);
    Copy served = copies.all().getFirst();
    assertEquals(Copy.State.SERVING, served.state());
    assertEquals(new Position(1), copies.closed(served));

    MapChange away = change(2, List.of(new RangeId(1)), 2, B);
    MapChange back = change(3, List.of(new RangeId(2)), 3, A);
    node.ledger.add(new LedgerRecord.EpochChange(away));
    node.ledger.add(
        new LedgerRecord.Commit(
            new TxnId(7, 7),
            B,
            1,
            new Position(2),
            new MapVersion(2),
            Isolation.SERIALIZABLE,
            List.of(new LedgerRecord.RangeVote(new RangeId(2), new Epoch(2))),
            List.of(new KeyWrite(KEY, Optional.of(Bytes.utf8("by the other"))))));
    node.ledger.add(new LedgerRecord.EpochChange(back));
    learn(away, back);

    Copy again = copies.all().getFirst();
    assertEquals(new RangeId(3), again.id());
    assertTrue(again.serving(), again::toString);
    assertEquals(new Position(4), copies.closed(again));
    assertEquals(
        List.of(new Row(KEY, new Position(3), Bytes.utf8("by the other"))),
        node.look(KeyRange.ALL, new Position(4)));
  }

  /** The note of a copy that was built and is in no map as far as the note says. */
  private static MetadataEntry built(long id, Position stamp) {
    WireWriter out = new WireWriter().u8(2).rangeId(new RangeId(id)).epoch(Epoch.ZERO);
    out.range(KeyRange.ALL).position(stamp).position(stamp);
    return new MetadataEntry(Bytes.utf8("copy/" + id), Optional.of(out.toBytes()));
  }

  @Test
  void whatWasBuiltStandsForWhatIsLeftOfItsRange() {
    node.context.incarnation(1);
    node.ledgerView.onMapChange(copies::reconcile);
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
      node.ledger.add(new LedgerRecord.EpochChange(each));
    }
    // A crash has taken back the notes about the range placed and about what was left of it.
    node.ledgerFirst = 2;
    copies.load(List.of(built(2, new Position(1))));
    learn(first, moved, split);

    Copy rest = copies.all().getFirst();
    assertEquals(new RangeId(4), rest.id());
    assertTrue(rest.serving(), rest::toString);
    assertEquals(new Position(1), rest.base());
  }

  /** Seed 456142 at 5e7b4a1: the note was durable, and the clear before it was not (rule W4). */
  @Test
  void aCopyBegunFromNothingIsNotedAfterItsClear() {
    int noted = 0;
    for (int steps = 0; steps < 12; steps++) {
      for (int seed = 0; seed < 20; seed++) {
        LoneNode each = new LoneNode(A);
        each.leave(new Row(KEY, new Position(7), Bytes.utf8("of a copy that was taken away")));
        each.context.incarnation(1);
        each.ledgerView.onMapChange(each.copies::reconcile);
        MapChange first = change(1, List.of(), 1, A);
        each.ledger.add(new LedgerRecord.EpochChange(first));
        each.hear(B, first);
        for (int i = 0; i < steps; i++) {
          each.step();
        }
        MemoryStore left = each.crashed(new SplittableRandom(seed));
        if (!left.metadata().isEmpty()) {
          noted++;
          assertEquals(List.of(), left.look(KeyRange.ALL), "after " + steps + " steps");
        }
      }
    }
    assertTrue(noted > 0);
  }

  /**
   * A range has come to this node, which has its only copy and starts again. It hears first of a
   * map by which the range is still the other's, and then of the one it had acted on.
   */
  private Copy heardOfAnOlderMap(CopyTable table) {
    node.leave(new Row(KEY, new Position(1), Bytes.utf8("in no ledger any more")));
    node.context.incarnation(2);
    node.ledgerView.onMapChange(table::reconcile);
    WireWriter note = new WireWriter().u8(2).rangeId(new RangeId(2)).epoch(new Epoch(2));
    note.range(KeyRange.ALL).position(new Position(2)).position(new Position(2));
    table.load(List.of(new MetadataEntry(Bytes.utf8("copy/2"), Optional.of(note.toBytes()))));
    MapChange others = change(1, List.of(), 1, B);
    MapChange moved = change(2, List.of(new RangeId(1)), 2, A);
    node.ledger.add(new LedgerRecord.EpochChange(others));
    node.ledger.add(new LedgerRecord.EpochChange(moved));
    node.ledgerFirst = 2;
    learn(others);
    learn(moved);
    return table.all().getFirst();
  }

  @Test
  void aMapOlderThanItsNotesTakesNothingFromANode() {
    Copy kept = heardOfAnOlderMap(copies);
    assertEquals(new Position(2), kept.closed(), kept::toString);
    assertEquals(
        List.of(new Row(KEY, new Position(1), Bytes.utf8("in no ledger any more"))),
        node.look(KeyRange.ALL, new Position(2)));
  }

  @Test
  void aNodeThatBelievesAnOlderMapLosesTheOnlyCopy() {
    Copy dropped =
        heardOfAnOlderMap(
            new PlantedReshaping.OlderMapActedOn.Copies(
                node.context,
                node.ledgerView,
                new EngineWriter(node.context),
                new LoneNode.NoHolds(),
                new LoneNode.Quiet()));
    assertEquals(Position.ZERO, dropped.closed(), dropped::toString);
    assertEquals(List.of(), node.look(KeyRange.ALL, new Position(2)));
  }

  /** As it was: what comes of a merge is called closed at its base, where its parts are not. */
  private static final class ClosedAtBase extends CopyTable {
    ClosedAtBase(LoneNode node) {
      super(
          node.context,
          node.ledgerView,
          new EngineWriter(node.context),
          new LoneNode.NoHolds(),
          new LoneNode.Quiet());
    }

    @Override
    protected Position inherited(RangeDescriptor descriptor, List<Copy> sources) {
      Position base = sources.stream().map(Copy::base).reduce(Position.ZERO, Position::max);
      return Position.max(super.inherited(descriptor, sources), base);
    }
  }

  private static MetadataEntry following(long id, KeyRange keys, Position base, Position closed) {
    WireWriter out = new WireWriter().u8(2).rangeId(new RangeId(id)).epoch(new Epoch(1));
    out.range(keys).position(base).position(closed);
    return new MetadataEntry(Bytes.utf8("copy/" + id), Optional.of(out.toBytes()));
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
    node.context.incarnation(1);
    node.ledgerView.onMapChange(table::reconcile);
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
    node.ledger.add(new LedgerRecord.EpochChange(first));
    node.ledger.add(
        new LedgerRecord.Commit(
            new TxnId(7, 7),
            B,
            1,
            new Position(1),
            new MapVersion(1),
            Isolation.SERIALIZABLE,
            List.of(new LedgerRecord.RangeVote(new RangeId(1), new Epoch(1))),
            List.of(new KeyWrite(KEY, Optional.of(Bytes.utf8("below the base"))))));
    node.ledger.add(new LedgerRecord.NoOp());
    MapChange merge =
        new MapChange(
            new MapVersion(2),
            List.of(new RangeId(1), new RangeId(2)),
            List.of(followed(3, KeyRange.ALL, 2)),
            "test");
    node.ledger.add(new LedgerRecord.EpochChange(merge));
    learn(first, merge);

    Copy merged = table.all().getFirst();
    assertEquals(new RangeId(3), merged.id());
    assertTrue(merged.following(), merged::toString);
    assertEquals(new Position(3), merged.base());
    table.catchUp(merged, new Position(4), () -> {});
    node.run();
    assertEquals(new Position(4), table.closed(merged));
    return node.look(KeyRange.ALL, new Position(4));
  }

  @Test
  void whatComesOfAMergeGetsWhatItsLesserPartLacked() {
    assertEquals(
        List.of(new Row(KEY, new Position(2), Bytes.utf8("below the base"))),
        mergedAndCaughtUp(copies));
  }

  @Test
  void whatComesOfAMergeAndIsCalledClosedAtItsBaseLacksIt() {
    assertEquals(List.of(), mergedAndCaughtUp(new ClosedAtBase(node)));
  }
}
