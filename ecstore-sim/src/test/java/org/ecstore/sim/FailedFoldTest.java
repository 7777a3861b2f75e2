package org.ecstore.sim;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Optional;
import org.ecstore.core.ledger.LedgerRecord;
import org.ecstore.core.map.MapChange;
import org.ecstore.core.map.RangeDescriptor;
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
import org.ecstore.replication.copy.CopyPersistence;
import org.ecstore.replication.copy.Pruner;
import org.junit.jupiter.api.Test;

/** A fold that the store refuses (W1, W9, decisions 0059 and 0094). */
class FailedFoldTest {
  private static final NodeId SELF = new NodeId(1);
  private static final Position END = new Position(2);

  private final LoneNode node = new LoneNode(SELF);
  private final CopyPersistence persistence =
      new CopyPersistence(node.context, node.copies, node.writer, 2);

  /** One round and no more: by a clock that stands still none is due by time. */
  private final Pruner pruner =
      new Pruner(
          node.context,
          node.copies,
          persistence,
          new Pruner.Bounds(1, 1_000, Long.MAX_VALUE, Long.MAX_VALUE)) {
        @Override
        protected void persist(Runnable then) {
          super.persist(
              () -> {
                node.full(refuses);
                then.run();
              });
        }
      };

  /** Whether the store has room for what is noted before a fold, and none for the fold. */
  private boolean refuses;

  private void commitOne() {
    KeyRange all = KeyRange.between(Bytes.EMPTY, Optional.empty());
    RangeDescriptor range =
        new RangeDescriptor(new RangeId(1), all, new Epoch(1), SELF, 1, List.of());
    MapChange map = new MapChange(new MapVersion(1), List.of(), List.of(range), "test");
    node.ledger.add(new LedgerRecord.EpochChange(map));
    node.ledger.add(
        new LedgerRecord.Commit(
            new TxnId(7, 1),
            SELF,
            1,
            new Position(1),
            new MapVersion(1),
            Isolation.SERIALIZABLE,
            List.of(),
            List.of(new KeyWrite(Bytes.utf8("k"), Optional.of(Bytes.utf8("v"))))));
    node.context.incarnation(1);
    node.ledgerView.onMapChange(node.copies::reconcile);
    node.learn(new NodeId(2), map);
  }

  @Test
  void isDoneAgainWithTheNextLookOnceTheStoreTakesIt() {
    commitOne();
    assertEquals(END, node.copies.closed(node.copies.all().getFirst()));
    refuses = true;
    pruner.floor(END);
    node.run();
    assertEquals(Position.ZERO, pruner.pruned());
    refuses = false;
    node.full(false);
    node.passTime();
    assertEquals(END, pruner.pruned());
    assertEquals(END, node.copies.all().getFirst().folded());
  }

  /** As of a disk on which a note finds room, and the rows of a fold do not. */
  @Test
  void againAndAgainSaysThatTheStoreIsStuck() {
    commitOne();
    refuses = true;
    pruner.floor(END);
    node.run();
    persistence.look();
    assertFalse(persistence.isStuck());
    persistence.look();
    assertTrue(persistence.isStuck());
    assertEquals(1, persistence.stuckSeconds());
    assertEquals(
        Optional.of("folds fail, for 1 s: start the store again, or make room for it"),
        persistence.trouble());
    refuses = false;
    node.full(false);
    node.passTime();
    persistence.look();
    assertFalse(persistence.isStuck());
    assertEquals(Optional.empty(), persistence.trouble());
  }
}
