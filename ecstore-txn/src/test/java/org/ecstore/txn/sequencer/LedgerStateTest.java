package org.ecstore.txn.sequencer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.util.List;
import org.ecstore.core.ledger.LedgerRecord;
import org.ecstore.core.ledger.LedgerRecord.CoordinatorLife;
import org.ecstore.core.ledger.LedgerRecord.Settled;
import org.ecstore.core.map.RangeMap;
import org.ecstore.id.MapVersion;
import org.ecstore.id.NodeId;
import org.ecstore.id.Position;
import org.ecstore.id.TxnId;
import org.ecstore.model.Isolation;
import org.junit.jupiter.api.Test;

/** Whose commits a sequencer knows of (decision 0118). */
class LedgerStateTest {
  private static final TxnId EARLY = new TxnId(1, 1);
  private static final TxnId LATE = new TxnId(1, 2);
  private static final CoordinatorLife LIFE = new CoordinatorLife(new NodeId(4), 5);

  private static LedgerRecord commit(TxnId txn) {
    return new LedgerRecord.Commit(
        txn,
        LIFE.node(),
        LIFE.incarnation(),
        Position.ZERO,
        MapVersion.ZERO,
        Isolation.SERIALIZABLE,
        List.of(),
        List.of());
  }

  private static CoordinatorLife whose(LedgerState state, TxnId txn) {
    Settled settled = state.outcomes().get(txn);
    assertNotNull(settled);
    return settled.by();
  }

  private static LedgerRecord checkpoint(long floor, List<Settled> outcomes) {
    return new LedgerRecord.Checkpoint(
        RangeMap.EMPTY, Position.ZERO, new Position(floor), outcomes);
  }

  @Test
  void whatWasReadAsARecordSaysWhoseItIsAfterTheNextCheckpointToo() {
    LedgerState state = new LedgerState(new Position(1));
    state.take(new Position(1), commit(EARLY), _ -> true);
    state.take(new Position(2), commit(LATE), _ -> true);
    assertEquals(LIFE, whose(state, EARLY));
    Settled held = new Settled(LATE, new Position(2), true);
    state.take(new Position(3), checkpoint(2, List.of(held)), _ -> true);
    assertNull(state.outcomes().get(EARLY), "below the floor");
    assertEquals(LIFE, whose(state, LATE));
  }

  @Test
  void whatWasReadInACheckpointDoesNotSay() {
    LedgerState state = new LedgerState(new Position(7));
    Settled held = new Settled(EARLY, new Position(2), true);
    state.take(new Position(7), checkpoint(2, List.of(held)), _ -> true);
    assertEquals(CoordinatorLife.UNKNOWN, whose(state, EARLY));
    state.take(new Position(8), commit(LATE), _ -> true);
    assertEquals(LIFE, whose(state, LATE));
  }
}
