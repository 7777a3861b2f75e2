package org.ecstore.sim;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.ecstore.core.ledger.LedgerRecord;
import org.ecstore.core.map.MapChange;
import org.ecstore.core.map.RangeDescriptor;
import org.ecstore.core.port.LedgerResult;
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
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A round of folds waits for copies that read the ledger, as long as it may (decision 0093). */
class FoldsBesideReplaysTest {
  private static final NodeId SELF = new NodeId(1);
  private static final NodeId OTHER = new NodeId(2);
  private static final RangeId RANGE = new RangeId(1);
  private static final Epoch EPOCH = new Epoch(1);
  private static final int COMMITS = 100;
  private static final int READ_FIRST = 40;
  private static final long AHEAD_NANOS = 1_000;
  private static final Position END = new Position(COMMITS + 1L);

  private final LoneNode node = new LoneNode(SELF);

  /** So many reads of the ledger are handed what comes next, and others nothing. */
  private int readsLeft = 1;

  private Pruner pruner(long aheadPositions) {
    return new Pruner(
        node.context,
        node.copies,
        new CopyPersistence(node.context, node.copies, node.writer, Long.MAX_VALUE),
        new Pruner.Bounds(1, 1, AHEAD_NANOS, aheadPositions));
  }

  /** A copy that has read a part of what it lacks, and waits for the ledger. */
  @BeforeEach
  void readsTheLedger() {
    RangeDescriptor range =
        new RangeDescriptor(RANGE, KeyRange.ALL, EPOCH, OTHER, 1, List.of(SELF));
    MapChange map = new MapChange(new MapVersion(1), List.of(), List.of(range), "test");
    node.ledger.add(new LedgerRecord.EpochChange(map));
    node.context.incarnation(1);
    node.ledgerView.onMapChange(node.copies::reconcile);
    node.copies.load(List.of(LoneNode.note(RANGE, KeyRange.ALL, 1)));
    node.learn(OTHER, map);
    for (int i = 0; i < COMMITS; i++) {
      long at = node.ledger.size() + 1L;
      node.ledger.add(LoneNode.commit(OTHER, Bytes.of((int) at), at));
    }
    node.entriesMax = READ_FIRST;
    node.onItsWay =
        read -> readsLeft-- > 0 ? read : new LedgerResult.Entries(List.of(), read.end());
    node.copies.catchUp(copy(), END, () -> {});
    node.run();
    assertEquals(new Position(1L + READ_FIRST), copy().closed());
    assertTrue(node.copies.isCatchingUp(copy()));
  }

  private Copy copy() {
    return node.copies.all().getFirst();
  }

  private void looksAt(Pruner pruner) {
    pruner.floor(END);
    node.run();
    node.passTime();
  }

  @Test
  void waitUntilTheLedgerIsRead() {
    Pruner pruner = pruner(Long.MAX_VALUE);
    looksAt(pruner);
    assertEquals(new Position(1), copy().folded());
    readsLeft = COMMITS;
    node.passTime();
    assertFalse(node.copies.isCatchingUp(copy()));
    node.nanos += 1;
    node.passTime();
    assertEquals(END, copy().folded());
    assertEquals(END, pruner.pruned());
  }

  @Test
  void doNotWaitWhileTheWindowIsHalfFull() {
    Pruner pruner = pruner(Long.MAX_VALUE);
    node.engine.windowBytesMax(node.engine.windowBytes() * 3 / 2);
    looksAt(pruner);
    assertEquals(copy().closed(), copy().folded());
    assertTrue(node.copies.isCatchingUp(copy()));
  }

  @Test
  void waitNoLongerThanPositionsMayGrowOld() {
    Pruner pruner = pruner(Long.MAX_VALUE);
    looksAt(pruner);
    node.nanos += AHEAD_NANOS;
    node.passTime();
    assertEquals(copy().closed(), copy().folded());
    assertTrue(node.copies.isCatchingUp(copy()));
  }

  @Test
  void doNotWaitWhereManyPositionsAreNotFolded() {
    Pruner pruner = pruner(READ_FIRST - 1);
    looksAt(pruner);
    assertEquals(copy().closed(), copy().folded());
    assertTrue(node.copies.isCatchingUp(copy()));
  }
}
