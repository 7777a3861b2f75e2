package org.ecstore.sim.check;

import static org.ecstore.sim.check.HandMade.list;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.ecstore.core.ledger.LedgerRecord;
import org.ecstore.core.map.MapChange;
import org.ecstore.core.map.RangeDescriptor;
import org.ecstore.core.map.RangeMap;
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
import org.ecstore.model.ReadLevel;
import org.ecstore.sim.history.SimKeys;
import org.junit.jupiter.api.Test;

/** Each way in which a history can contradict the ledger is found. */
final class PositionCheckerTest {
  private static final Bytes X = SimKeys.list(0);

  private final HandMade made = new HandMade();

  private void appendAtTwo() {
    made.txn(1).at(1, 0, 10).readsAbsent(X).writes(list(X, 0, 11)).committed(2);
  }

  @Test
  void serialAppendsAreFine() {
    appendAtTwo();
    made.txn(2)
        .strong()
        .at(2, 20, 30)
        .reads(list(X, 2, 11))
        .writes(list(X, 0, 11, 21))
        .committed(3);
    made.txn(3).at(3, 0, 40).scans(KeyRange.ALL, list(X, 3, 11, 21)).readOnly();
    assertEquals(List.of(), made.positionRules());
  }

  @Test
  void readOfAnOlderVersionIsFound() {
    appendAtTwo();
    made.txn(2).at(2, 20, 30).readsAbsent(X).readOnly();
    assertEquals(
        List.of("a read is the newest version at or below its snapshot"), made.positionRules());
  }

  @Test
  void scanThatMissesARowIsFound() {
    appendAtTwo();
    made.txn(2).at(2, 20, 30).scans(KeyRange.ALL).readOnly();
    assertEquals(List.of("a scan is all rows as of its snapshot"), made.positionRules());
  }

  @Test
  void acknowledgedCommitThatIsNotInTheLedgerIsFound() {
    made.txn(1).at(1, 0, 10).readsAbsent(X).writes(list(X, 0, 11)).lost().committed(2);
    assertEquals(List.of("every acknowledged commit is in the ledger"), made.positionRules());
  }

  @Test
  void changeBetweenSnapshotAndCommitIsFound() {
    appendAtTwo();
    made.txn(2).at(1, 0, 30).readsAbsent(X).writes(list(SimKeys.list(1), 0, 21)).committed(3);
    assertEquals(List.of("reads hold until the commit"), made.positionRules());
  }

  @Test
  void lostUpdateUnderSnapshotIsolationIsFound() {
    appendAtTwo();
    made.txn(2).snapshotIsolation().at(1, 0, 30).readsAbsent(X).writes(list(X, 0, 21)).committed(3);
    assertEquals(List.of("no lost update under SNAPSHOT"), made.positionRules());
  }

  @Test
  void phantomIsFound() {
    appendAtTwo();
    made.txn(2).at(1, 0, 30).scans(KeyRange.ALL).writes(list(SimKeys.list(1), 0, 21)).committed(3);
    assertEquals(
        List.of("scanned intervals hold until the commit (no phantoms)"), made.positionRules());
  }

  @Test
  void staleStrongSnapshotIsFound() {
    appendAtTwo();
    made.txn(2).strong().at(1, 20, 30).readsAbsent(X).readOnly();
    assertEquals(
        List.of("a strong snapshot is at or after everything acknowledged before (rule 9)"),
        made.positionRules());
  }

  @Test
  void boundedSnapshotOlderThanItsLagIsFound() {
    appendAtTwo();
    made.txn(2).at(ReadLevel.bounded(Duration.ofMillis(5))).at(1, 5_000_020, 5_000_030).readOnly();
    assertEquals(
        List.of("a bounded snapshot is no older than its lag (rule 9)"), made.positionRules());
  }

  @Test
  void boundedSnapshotWithinItsLagIsRight() {
    appendAtTwo();
    made.txn(2).at(ReadLevel.bounded(Duration.ofMillis(5))).at(1, 5_000_000, 5_000_030).readOnly();
    assertEquals(List.of(), made.positionRules());
  }

  @Test
  void localSnapshotMayBeOlderThanItsSession() {
    appendAtTwo();
    made.txn(1).at(ReadLevel.LOCAL).at(1, 20, 30).readsAbsent(X).readOnly();
    made.atEnd(list(X, 2, 11));
    assertEquals(List.of(), made.positionRules());
    assertEquals(List.of(), made.orderRules());
  }

  @Test
  void sessionThatGoesBackIsFound() {
    appendAtTwo();
    made.txn(1).at(1, 20, 30).readsAbsent(X).readOnly();
    assertEquals(List.of("a session never goes back (rule 9)"), made.positionRules());
  }

  @Test
  void snapshotAboveTheLedgerIsFound() {
    made.txn(1).at(9, 0, 10).readOnly();
    assertEquals(List.of("a snapshot is durable"), made.positionRules());
  }

  @Test
  void commitUnderAnOldEpochCountsForNothing() {
    made.record(2, bump(2));
    made.txn(1).at(1, 0, 10).readsAbsent(X).writes(list(X, 0, 11)).committed(3);
    assertEquals(List.of("every acknowledged commit is in the ledger"), made.positionRules());
    assertEquals(1, made.model.voidCommits());
  }

  @Test
  void secondRecordOfATransactionCountsForNothing() {
    TxnId id = new TxnId(1, 1);
    made.record(2, new LedgerRecord.Abort(id, new Position(1)));
    made.record(
        3,
        new LedgerRecord.Commit(
            id,
            new NodeId(1),
            1,
            new Position(1),
            new MapVersion(1),
            Isolation.SERIALIZABLE,
            List.of(new LedgerRecord.RangeVote(new RangeId(1), new Epoch(1))),
            List.of(new KeyWrite(X, Optional.of(Bytes.of(1))))));
    assertEquals(Optional.empty(), made.model.read(X, 9));
    assertEquals(1, made.model.voidCommits());
  }

  @Test
  void epochThatDoesNotGrowIsFound() {
    made.record(2, bump(1));
    assertEquals(List.of("epochs only grow"), made.positionRules());
  }

  @Test
  void changeThatLeavesKeysWithoutARangeIsFound() {
    RangeDescriptor some =
        new RangeDescriptor(
            new RangeId(1), KeyRange.from(X), new Epoch(2), new NodeId(1), 2, List.of());
    made.record(
        2,
        new LedgerRecord.EpochChange(
            new MapChange(new MapVersion(2), List.of(new RangeId(1)), List.of(some), "less")));
    assertEquals(List.of("each key is in one range (rule 15)"), made.positionRules());
  }

  @Test
  void checkpointWithAnotherMapIsFound() {
    made.record(
        2, new LedgerRecord.Checkpoint(RangeMap.EMPTY, Position.ZERO, Position.ZERO, List.of()));
    assertEquals(
        List.of("a checkpoint holds the map as of its place (rule 7)"), made.positionRules());
  }

  private void checkpoint(long position, long floor, LedgerRecord.Settled... outcomes) {
    made.record(
        position,
        new LedgerRecord.Checkpoint(
            made.model.map(), Position.ZERO, new Position(floor), List.of(outcomes)));
  }

  @Test
  void outcomeBelowTheFloorMayExpire() {
    appendAtTwo();
    checkpoint(3, 3);
    made.txn(2).at(1, 20, 30).readsAbsent(X).writes(list(X, 0, 21)).expired(3);
    assertEquals(List.of(), made.positionRules());
  }

  @Test
  void floorThatNoCheckpointSaysIsFound() {
    appendAtTwo();
    checkpoint(3, 3);
    made.txn(2).at(1, 20, 30).readsAbsent(X).writes(list(X, 0, 21)).expired(4);
    assertEquals(
        List.of("the outcome floor is that of a checkpoint (rule 7)"), made.positionRules());
  }

  @Test
  void expiredOutcomeThatIsRecordedAtTheFloorIsFound() {
    checkpoint(2, 2);
    made.record(3, new LedgerRecord.Abort(new TxnId(1, 1), new Position(1)));
    made.txn(1).at(1, 20, 30).readsAbsent(X).writes(list(X, 0, 21)).expired(2);
    assertEquals(
        List.of("no outcome at or above the floor expires (rule 7)"), made.positionRules());
  }

  @Test
  void checkpointThatLacksAnOutcomeIsFound() {
    appendAtTwo();
    made.record(3, new LedgerRecord.Abort(new TxnId(7, 7), new Position(1)));
    checkpoint(4, 2, new LedgerRecord.Settled(new TxnId(1, 1), new Position(2), true));
    assertEquals(
        List.of("a checkpoint holds every outcome from its floor on (rule 7)"),
        made.positionRules());
  }

  @Test
  void outcomeFloorThatGoesBackIsFound() {
    checkpoint(2, 2);
    checkpoint(3, 1);
    assertEquals(List.of("the outcome floor never goes back (rule 7)"), made.positionRules());
  }

  @Test
  void outcomesThatAreForgottenTooSoonAreFound() {
    made.record(2, new LedgerRecord.VersionFloor(new Position(20)));
    checkpoint(41, 20);
    // Of the 40 positions before it 21 are at 20 or above.
    assertEquals(List.of(), made.model.forgottenTooSoon(21, 1_000));
    assertEquals(1, made.model.forgottenTooSoon(22, 1_000).size());
    assertEquals(List.of(), made.model.forgottenTooSoon(22, 42));
  }

  @Test
  void outcomesOfSnapshotsInUseThatAreForgottenAreFound() {
    made.record(2, new LedgerRecord.VersionFloor(new Position(19)));
    checkpoint(41, 20);
    assertEquals(1, made.model.forgottenTooSoon(5, 1_000).size());
    assertEquals(List.of(), made.model.forgottenTooSoon(5, 42));
  }

  private static LedgerRecord bump(long epoch) {
    RangeDescriptor all =
        new RangeDescriptor(
            new RangeId(1), KeyRange.ALL, new Epoch(epoch), new NodeId(1), 2, List.of());
    return new LedgerRecord.EpochChange(
        new MapChange(new MapVersion(2), List.of(new RangeId(1)), List.of(all), "again"));
  }
}
