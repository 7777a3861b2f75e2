package org.ecstore.sim.check;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.Optional;
import org.ecstore.id.Epoch;
import org.ecstore.id.NodeId;
import org.ecstore.id.Position;
import org.ecstore.id.RangeId;
import org.ecstore.key.Bytes;
import org.ecstore.key.KeyRange;
import org.ecstore.model.Row;
import org.ecstore.replication.copy.Copy;
import org.ecstore.sim.history.SimKeys;
import org.ecstore.txn.node.NodeInspection.CopyView;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class StoredRowsTest {
  private static final NodeId NODE = new NodeId(1);
  private static final Bytes A = SimKeys.list(0);
  private static final Bytes B = SimKeys.list(1);

  private final HandMade made = new HandMade();
  private final StoredRows stored = new StoredRows(made.model);

  /** Key A is written at 10, 20 and 30, key B at 20. */
  @BeforeEach
  void threeCommits() {
    made.txn(1).writes(a(10)).committed(10);
    made.txn(1).writes(a(20)).writes(b()).committed(20);
    made.txn(1).writes(a(30)).committed(30);
  }

  private static Row a(long version) {
    return HandMade.list(A, version, version);
  }

  private static Row b() {
    return HandMade.list(B, 20, 2);
  }

  private static CopyView copy(long durableFolded, long base, long closed) {
    return copy(durableFolded, base, base, closed);
  }

  private static CopyView copy(long durableFolded, long base, long rows, long closed) {
    return new CopyView(
        new RangeId(1),
        new Epoch(1),
        KeyRange.ALL,
        Copy.State.SERVING,
        new Position(base),
        new Position(rows),
        new Position(closed),
        new Position(durableFolded));
  }

  private boolean isFound(int life, CopyView copy, Row... rows) {
    Optional<Finding> found = stored.check(NODE, life, copy, () -> List.of(rows));
    found.ifPresent(one -> assertEquals(StoredRows.RULE, one.rule()));
    return found.isPresent();
  }

  @Test
  void eachKeyIsAsOfTheDurableFoldOrLater() {
    assertEquals(false, isFound(1, copy(20, 20, 30), a(20), b()));
    assertEquals(false, isFound(2, copy(20, 30, 30), a(30), b()), "amid a fold through 30");
    assertEquals(true, isFound(3, copy(20, 20, 30), a(10), b()), "A is as of 10");
    assertEquals(true, isFound(4, copy(20, 20, 30), a(20)), "B is not there");
    assertEquals(true, isFound(5, copy(20, 20, 20), a(30), b()), "A is of a later fold");
    assertEquals(false, isFound(6, copy(0, 0, 30)), "nothing was folded");
    assertEquals(false, isFound(7, copy(10, 30, 10), a(20), b()), "a restart amid a fold");
  }

  /** Of two copies the one had folded ahead of where the other was closed. */
  @Test
  void aMergedCopyHasRowsAfterItsClosedPosition() {
    assertEquals(false, isFound(1, copy(10, 20, 30, 20), a(30), b()));
    assertEquals(true, isFound(2, copy(10, 20, 20, 20), a(30), b()));
  }

  /** A crash came between the end of a note and the clear of what it spoke of. */
  @Test
  void whatLiesUnderACopyThatHasNothingYetIsClearedBeforeItHas() {
    assertEquals(true, StoredRows.isYetToBeCleared(copy(0, 0, 0)));
    assertEquals(false, StoredRows.isYetToBeCleared(copy(0, 0, 20)));
    assertEquals(false, StoredRows.isYetToBeCleared(copy(0, 20, 0)), "filled beside folds");
    assertEquals(true, isFound(1, copy(0, 0, 20), a(30), b()), "it is there still");
  }

  @Test
  void itLooksOnceForEachFoldAndStart() {
    assertEquals(false, isFound(1, copy(10, 10, 30), a(10)));
    assertEquals(false, isFound(1, copy(10, 10, 30)), "it has looked at this fold");
    assertEquals(true, isFound(1, copy(20, 20, 30), a(10)), "at this one it has not");
    assertEquals(false, isFound(1, copy(20, 20, 30), a(10)));
    assertEquals(true, isFound(2, copy(20, 20, 30), a(10)), "at this start it has not");
  }
}
