package org.ecstore.sim;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Optional;
import org.ecstore.core.ledger.LedgerRecord;
import org.ecstore.core.map.MapChange;
import org.ecstore.core.map.RangeDescriptor;
import org.ecstore.core.port.Engine.VersionedWrite;
import org.ecstore.id.Epoch;
import org.ecstore.id.MapVersion;
import org.ecstore.id.NodeId;
import org.ecstore.id.Position;
import org.ecstore.id.RangeId;
import org.ecstore.key.Bytes;
import org.ecstore.key.KeyRange;
import org.ecstore.replication.copy.Copy;
import org.ecstore.replication.copy.CopyPersistence;
import org.ecstore.replication.copy.Pruner;
import org.junit.jupiter.api.Test;

/** When rounds of pruning begin (rule 14 says what may go, the engines' contract what does). */
class PrunerRoundsTest {
  private static final NodeId SELF = new NodeId(1);
  private static final int LEFT_OUT = 12;

  private final LoneNode node = new LoneNode(SELF);
  private long floor = 10;
  private int rounds;
  private final Pruner pruner =
      new Pruner(
          node.context,
          node.copies,
          new CopyPersistence(node.copies, node.writer),
          node.writer,
          5_000_000_000L) {
        @Override
        protected Position below(Position target, Copy copy) {
          rounds++; // One step for the one range.
          return super.below(target, copy);
        }
      };

  private void begin() {
    RangeDescriptor range =
        new RangeDescriptor(
            new RangeId(1), KeyRange.ALL, new Epoch(1), new NodeId(2), 1, List.of(SELF));
    MapChange map = new MapChange(new MapVersion(1), List.of(), List.of(range), "test");
    node.ledger.add(new LedgerRecord.EpochChange(map));
    node.context.incarnation(1);
    node.ledgerView.onMapChange(node.copies::reconcile);
    node.learn(new NodeId(2), map);
    assertTrue(node.copies.all().getFirst().following());
    pass(2);
    assertEquals(1, rounds);
  }

  /** The floor moves on, as it does with each append, and a wait between rounds is over. */
  private void pass(int times) {
    for (int i = 0; i < times; i++) {
      pruner.floor(new Position(++floor));
      node.passTime();
    }
  }

  private void write(long version) {
    node.writer.apply(
        List.of(
            new VersionedWrite(
                Bytes.of(1), new Position(version), Optional.of(Bytes.utf8("value")))),
        List.of(),
        () -> {});
    node.run();
  }

  @Test
  void aStoreThatIsQuietIsLeftAloneMostOfTheTime() {
    begin();
    pass(LEFT_OUT);
    assertEquals(1, rounds);
    pass(2);
    assertEquals(2, rounds);
  }

  @Test
  void whatIsWrittenHasTheNextRoundBegin() {
    begin();
    pass(3);
    write(5);
    pass(2);
    assertEquals(2, rounds);
  }

  /** A round that came before the floor had passed what was written has not seen to it. */
  @Test
  void whatWasAboveTheFloorIsSeenToInALaterRound() {
    begin();
    write(floor + 4);
    pass(8);
    assertTrue(rounds >= 4, () -> rounds + " rounds");
    int seen = rounds;
    pass(4);
    assertEquals(seen, rounds);
  }
}
