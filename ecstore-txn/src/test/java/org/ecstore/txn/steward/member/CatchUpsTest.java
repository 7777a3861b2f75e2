package org.ecstore.txn.steward.member;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.ecstore.core.map.RangeDescriptor;
import org.ecstore.core.map.RangeMap;
import org.ecstore.id.Epoch;
import org.ecstore.id.MapVersion;
import org.ecstore.id.NodeId;
import org.ecstore.id.Position;
import org.ecstore.id.RangeId;
import org.ecstore.key.Bytes;
import org.ecstore.key.KeyRange;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** For how long the ledger is kept for copies that were placed in memory. */
class CatchUpsTest {
  private static final NodeId PRIMARY = new NodeId(1);
  private static final NodeId IN_MEMORY = new NodeId(2);
  private static final NodeId OTHER = new NodeId(3);
  private static final RangeId PLACED = new RangeId(7);
  private static final Position THERE = new Position(100);
  private static final Position LATER = new Position(120);
  private static final long TIMEOUT = 1_000;
  private static final Bytes M = Bytes.utf8("m");

  private final CatchUps catchUps = new CatchUps();
  private final Map<RangeId, Position> reported = new TreeMap<>();

  @BeforeEach
  void place() {
    catchUps.add(PLACED, IN_MEMORY, KeyRange.ALL, Optional.of(THERE), 0);
  }

  private static RangeDescriptor range(long id, KeyRange keys, NodeId... secondaries) {
    return new RangeDescriptor(
        new RangeId(id), keys, new Epoch(id), PRIMARY, 1, List.of(secondaries));
  }

  private List<RangeId> done(long nanos, RangeDescriptor... ranges) {
    RangeMap map = RangeMap.of(new MapVersion(9), List.of(ranges));
    return catchUps.takeDone(
        map,
        LATER,
        (range, holder) ->
            holder.equals(IN_MEMORY)
                ? Optional.ofNullable(reported.get(range.id()))
                : Optional.empty(),
        nanos,
        TIMEOUT);
  }

  @Test
  void untilTheCopyIsClosedWhereItWasPlacedAndOnce() {
    RangeDescriptor placed = range(7, KeyRange.ALL, OTHER, IN_MEMORY);
    assertEquals(List.of(), done(1, placed), "it has said nothing");
    reported.put(PLACED, new Position(99));
    assertEquals(List.of(), done(2, placed));
    reported.put(PLACED, THERE);
    assertEquals(List.of(PLACED), done(3, placed));
    assertEquals(List.of(), done(4, placed));
  }

  @Test
  void forNoLongerThanACopyMayTakeToBeBuilt() {
    RangeDescriptor placed = range(7, KeyRange.ALL, IN_MEMORY);
    assertEquals(List.of(), done(TIMEOUT - 1, placed));
    assertEquals(List.of(PLACED), done(TIMEOUT, placed));
  }

  @Test
  void whatComesOfTheRangeCountsWhereTheNodeHoldsIt() {
    RangeDescriptor left = range(8, KeyRange.of(Bytes.EMPTY, M), IN_MEMORY);
    RangeDescriptor right = range(9, KeyRange.from(M), IN_MEMORY);
    reported.put(left.id(), THERE);
    assertEquals(List.of(), done(1, left, right), "the other half has to read on");
    assertEquals(List.of(PLACED), done(2, left, range(10, KeyRange.from(M), OTHER)));
  }

  /** Its record is below what is durable once the map is known that has it. */
  @Test
  void whereItWasNotKnownToBePlacedUntilItHasWhatWasDurableWhenThatWasSeen() {
    catchUps.add(PLACED, IN_MEMORY, KeyRange.ALL, Optional.empty(), 0);
    RangeDescriptor placed = range(7, KeyRange.ALL, IN_MEMORY);
    reported.put(PLACED, THERE);
    assertEquals(List.of(), done(1, placed));
    reported.put(PLACED, LATER);
    assertEquals(List.of(PLACED), done(2, placed));
    catchUps.add(PLACED, IN_MEMORY, KeyRange.ALL, Optional.empty(), 0);
    assertEquals(List.of(PLACED), done(3, range(1, KeyRange.ALL, OTHER)), "it was not placed");
  }

  @Test
  void notForANodeThatHoldsNoneOfTheKeysAnyMore() {
    assertEquals(List.of(PLACED), done(1, range(8, KeyRange.ALL, OTHER)));
  }

  @Test
  void notOnceAnotherNodeHasLed() {
    catchUps.clear();
    assertEquals(List.of(), done(TIMEOUT, range(7, KeyRange.ALL, IN_MEMORY)));
  }
}
