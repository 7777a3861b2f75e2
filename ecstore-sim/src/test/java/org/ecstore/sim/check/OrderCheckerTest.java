package org.ecstore.sim.check;

import static org.ecstore.sim.check.HandMade.list;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.Optional;
import org.ecstore.id.Position;
import org.ecstore.key.Bytes;
import org.ecstore.key.KeyRange;
import org.ecstore.model.Row;
import org.ecstore.sim.history.SimKeys;
import org.junit.jupiter.api.Test;

/** Each anomaly, written by hand, is found; and what is allowed is not reported. */
final class OrderCheckerTest {
  private static final String ONE_ORDER = "transactions have one order";
  private static final String ONE_VERSION_ORDER = "all see one order of versions (no lost update)";
  private static final String LOST = "every acknowledged write is there";
  private static final Bytes X = SimKeys.list(0);
  private static final Bytes Y = SimKeys.list(1);

  private final HandMade made = new HandMade();

  @Test
  void serialAppendsAreFine() {
    made.txn(1).at(1, 0, 10).readsAbsent(X).writes(list(X, 0, 11)).committed(2);
    made.txn(2)
        .at(2, 20, 30)
        .strong()
        .reads(list(X, 2, 11))
        .writes(list(X, 0, 11, 21))
        .committed(3);
    made.txn(1).at(3, 40, 50).reads(list(X, 3, 11, 21)).readOnly();
    made.atEnd(list(X, 3, 11, 21));
    assertEquals(List.of(), made.orderRules());
  }

  @Test
  void lostUpdateIsFound() {
    made.txn(1).at(1, 0, 10).readsAbsent(X).writes(list(X, 0, 11)).committed(2);
    made.txn(2).at(1, 0, 10).readsAbsent(X).writes(list(X, 0, 21)).committed(3);
    made.atEnd(list(X, 3, 21));
    assertEquals(List.of(ONE_VERSION_ORDER, LOST), made.orderRules());
  }

  @Test
  void lostUpdateUnderSnapshotIsolationIsFound() {
    made.txn(1).snapshotIsolation().at(1, 0, 10).readsAbsent(X).writes(list(X, 0, 11)).committed(2);
    made.txn(2).snapshotIsolation().at(1, 0, 10).readsAbsent(X).writes(list(X, 0, 21)).committed(3);
    made.atEnd(list(X, 3, 21));
    assertEquals(List.of(ONE_VERSION_ORDER, LOST), made.orderRules());
  }

  private void writeSkew(boolean snapshotIsolation) {
    HandMade.Txn one = made.txn(1).at(1, 0, 10).readsAbsent(X).readsAbsent(Y);
    HandMade.Txn two = made.txn(2).at(1, 0, 10).readsAbsent(X).readsAbsent(Y);
    if (snapshotIsolation) {
      one.snapshotIsolation();
      two.snapshotIsolation();
    }
    one.writes(list(X, 0, 11)).committed(2);
    two.writes(list(Y, 0, 21)).committed(3);
    made.atEnd(list(X, 2, 11));
    made.atEnd(list(Y, 3, 21));
  }

  @Test
  void writeSkewOfSerializableTransactionsIsFound() {
    writeSkew(false);
    assertEquals(List.of(ONE_ORDER), made.orderRules());
  }

  @Test
  void writeSkewOfSnapshotTransactionsIsAllowed() {
    writeSkew(true);
    assertEquals(List.of(), made.orderRules());
  }

  @Test
  void readSkewUnderSnapshotIsolationIsFound() {
    made.txn(1)
        .snapshotIsolation()
        .at(1, 0, 10)
        .writes(list(X, 0, 11))
        .writes(list(Y, 0, 12))
        .committed(2);
    made.txn(2).snapshotIsolation().at(1, 0, 20).reads(list(X, 2, 11)).readsAbsent(Y).readOnly();
    made.atEnd(list(X, 2, 11));
    made.atEnd(list(Y, 2, 12));
    assertEquals(List.of(ONE_ORDER), made.orderRules());
  }

  @Test
  void longForkIsFound() {
    made.txn(1).snapshotIsolation().at(1, 0, 10).writes(list(X, 0, 11)).committed(2);
    made.txn(2).snapshotIsolation().at(1, 0, 10).writes(list(Y, 0, 21)).committed(3);
    made.txn(3).snapshotIsolation().at(2, 0, 20).reads(list(X, 2, 11)).readsAbsent(Y).readOnly();
    made.txn(4).snapshotIsolation().at(3, 0, 20).readsAbsent(X).reads(list(Y, 3, 21)).readOnly();
    made.atEnd(list(X, 2, 11));
    made.atEnd(list(Y, 3, 21));
    assertEquals(List.of(ONE_ORDER), made.orderRules());
  }

  @Test
  void staleStrongReadIsFound() {
    made.txn(1).at(1, 0, 10).readsAbsent(X).writes(list(X, 0, 11)).committed(2);
    made.txn(2).strong().at(1, 20, 30).readsAbsent(X).readOnly();
    made.atEnd(list(X, 2, 11));
    assertEquals(List.of(ONE_ORDER), made.orderRules());
  }

  @Test
  void staleReadOfAnotherSessionIsAllowed() {
    made.txn(1).at(1, 0, 10).readsAbsent(X).writes(list(X, 0, 11)).committed(2);
    made.txn(2).at(1, 20, 30).readsAbsent(X).readOnly();
    made.atEnd(list(X, 2, 11));
    assertEquals(List.of(), made.orderRules());
  }

  @Test
  void sessionThatMissesItsOwnWriteIsFound() {
    made.txn(1).at(1, 0, 10).readsAbsent(X).writes(list(X, 0, 11)).committed(2);
    made.txn(1).at(1, 20, 30).readsAbsent(X).readOnly();
    made.atEnd(list(X, 2, 11));
    assertEquals(List.of(ONE_ORDER), made.orderRules());
  }

  /** What a session does next may be before what it does not know the outcome of: seed 30000882. */
  @Test
  void sessionThatMissesWhatItDoesNotKnowTheOutcomeOfIsAllowed() {
    made.txn(1).at(1, 0, 10).readsAbsent(X).writes(list(X, 0, 11)).unknown();
    made.txn(1).at(1, 20, 30).readsAbsent(X).readOnly();
    made.atEnd(list(X, 2, 11));
    assertEquals(List.of(), made.orderRules());
  }

  @Test
  void sessionThatMissesItsWriteBehindAnUnknownOutcomeIsFound() {
    made.txn(1).at(1, 0, 10).readsAbsent(X).writes(list(X, 0, 11)).committed(2);
    made.txn(1).at(2, 15, 18).readsAbsent(Y).writes(list(Y, 0, 12)).unknown();
    made.txn(1).at(1, 20, 30).readsAbsent(X).readOnly();
    made.atEnd(list(X, 2, 11));
    made.atEnd(list(Y, 3, 12));
    assertEquals(List.of(ONE_ORDER), made.orderRules());
  }

  @Test
  void sessionThatMissesWhatItWasShownBeforeAnUnknownOutcomeIsFound() {
    made.txn(2).at(1, 0, 10).readsAbsent(X).writes(list(X, 0, 11)).committed(2);
    made.txn(1).at(2, 15, 18).reads(list(X, 2, 11)).writes(list(Y, 0, 12)).unknown();
    made.txn(1).at(1, 20, 30).readsAbsent(X).readOnly();
    made.atEnd(list(X, 2, 11));
    assertEquals(List.of(ONE_ORDER), made.orderRules());
  }

  @Test
  void appendAppliedTwiceIsFound() {
    made.txn(1).at(1, 0, 10).readsAbsent(X).writes(list(X, 0, 11)).unknown();
    made.txn(1).at(2, 20, 30).reads(list(X, 2, 11)).writes(list(X, 0, 11, 11)).committed(3);
    made.atEnd(list(X, 3, 11, 11));
    assertEquals(List.of("nothing is applied twice"), made.orderRules());
  }

  @Test
  void abortedWriteThatIsReadIsFound() {
    made.txn(1).at(1, 0, 10).readsAbsent(X).writes(list(X, 0, 11)).aborted();
    made.txn(2).at(2, 20, 30).reads(list(X, 2, 11)).readOnly();
    made.atEnd(list(X, 2, 11));
    assertEquals(List.of("no aborted write is seen (G1a)"), made.orderRules());
  }

  @Test
  void acknowledgedWriteThatIsLostIsFound() {
    made.txn(1).at(1, 0, 10).readsAbsent(X).writes(list(X, 0, 11)).committed(2);
    made.finals.put(X, Optional.empty());
    assertEquals(List.of(ONE_VERSION_ORDER, LOST), made.orderRules());
  }

  @Test
  void phantomIsFound() {
    Bytes row = SimKeys.row(0, 7);
    Row inserted = new Row(row, new Position(2), Bytes.of(1));
    made.txn(1).at(1, 0, 10).readsAbsent(X).writes(inserted).writes(list(Y, 0, 11)).committed(2);
    made.txn(2)
        .at(1, 0, 10)
        .scans(KeyRange.single(row))
        .readsAbsent(Y)
        .writes(list(X, 0, 21))
        .committed(3);
    made.atEnd(list(X, 3, 21));
    made.atEnd(list(Y, 2, 11));
    assertEquals(List.of(ONE_ORDER), made.orderRules());
  }

  @Test
  void unknownOutcomeMayHaveHappenedOrNot() {
    made.txn(1).at(1, 0, 10).readsAbsent(X).writes(list(X, 0, 11)).unknown();
    made.txn(2).at(1, 0, 10).readsAbsent(Y).writes(list(Y, 0, 21)).unknown();
    made.txn(3).at(2, 20, 30).reads(list(X, 2, 11)).readsAbsent(Y).readOnly();
    made.atEnd(list(X, 2, 11));
    assertEquals(List.of(), made.orderRules());
  }
}
