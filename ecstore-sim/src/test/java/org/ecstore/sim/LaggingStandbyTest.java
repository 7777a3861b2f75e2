package org.ecstore.sim;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.ecstore.core.ledger.LedgerRecord;
import org.ecstore.core.map.RangeMap;
import org.ecstore.id.NodeId;
import org.ecstore.id.Position;
import org.ecstore.id.TxnId;
import org.ecstore.txn.node.NodeSettings;
import org.ecstore.txn.sequencer.Sequencer;
import org.junit.jupiter.api.Test;

/** A standby reads on in the ledger, from the newest checkpoint that it knows (rules 6, 7). */
class LaggingStandbyTest {
  private static final int CHECKPOINT_RECORDS = 100;
  private static final int RECORDS = 1_000;

  private final LoneNode node = new LoneNode(new NodeId(1));
  private final Sequencer sequencer =
      new Sequencer(node.context, node.ledgerView, bounds(), List::of, () -> {});

  private static Sequencer.Bounds bounds() {
    Sequencer.Bounds usual = NodeSettings.defaults("test", "").sequencer();
    return new Sequencer.Bounds(
        usual.appender(),
        usual.outcomesKept(),
        usual.outcomesMax(),
        CHECKPOINT_RECORDS,
        usual.retentionNanos(),
        usual.floorStep());
  }

  private void append(int records) {
    for (int i = 0; i < records; i++) {
      long at = node.ledger.size() + 1L;
      node.ledger.add(new LedgerRecord.Abort(new TxnId(7, at), Position.ZERO));
    }
  }

  /** A checkpoint with one outcome of all that were before; its position. */
  private Position checkpoint() {
    Position at = new Position(node.ledger.size() + 1L);
    LedgerRecord.Settled last = new LedgerRecord.Settled(new TxnId(9, 1), at, false);
    node.ledger.add(new LedgerRecord.Checkpoint(RangeMap.EMPTY, Position.ZERO, at, List.of(last)));
    return at;
  }

  /** It lets some records gather between two reads. */
  private void readOn() {
    node.run();
    for (int i = 0; i < RECORDS; i++) {
      node.passTime();
    }
  }

  private void standBy() {
    node.entriesMax = 10;
    sequencer.follow(true);
    node.step();
    assertEquals(Sequencer.State.STANDBY, sequencer.state());
  }

  @Test
  void oneThatLacksMuchBeginsAtTheCheckpoint() {
    append(RECORDS);
    Position checkpoint = checkpoint();
    append(20);
    standBy();
    sequencer.checkpointAt(checkpoint);
    readOn();
    assertTrue(node.reads < 10, () -> node.reads + " reads");
    assertEquals(21, sequencer.outcomesKept());
    assertEquals(checkpoint, sequencer.lastCheckpoint());
  }

  @Test
  void oneThatLacksLittleReadsOn() {
    append(CHECKPOINT_RECORDS);
    Position checkpoint = checkpoint();
    append(20);
    standBy();
    sequencer.checkpointAt(checkpoint);
    readOn();
    assertTrue(node.reads >= (CHECKPOINT_RECORDS + 21) / 10, () -> node.reads + " reads");
    assertEquals(21, sequencer.outcomesKept());
  }

  @Test
  void aNodeThatDoesNotStandByReadsNothing() {
    append(RECORDS);
    Position checkpoint = checkpoint();
    sequencer.checkpointAt(checkpoint);
    readOn();
    assertEquals(0, node.reads);
    assertEquals(Sequencer.State.IDLE, sequencer.state());
  }
}
