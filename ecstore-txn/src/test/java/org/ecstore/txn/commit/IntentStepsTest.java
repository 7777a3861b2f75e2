package org.ecstore.txn.commit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.ecstore.id.NodeId;
import org.ecstore.id.Position;
import org.ecstore.id.ReadPoint;
import org.ecstore.id.TxnId;
import org.ecstore.key.Bytes;
import org.ecstore.key.KeyRange;
import org.ecstore.model.Isolation;
import org.junit.jupiter.api.Test;

/** How much of a large transaction is done in one step, counted in comparisons of keys. */
class IntentStepsTest {
  private static final int KEYS = 20_000;
  private static final int STEP = 100;

  /** Of a search in a tree of as many keys, three trees to look into for each key. */
  private static final long COMPARISONS_MAX = STEP * 3L * 2 * 16;

  private static final Position SNAPSHOT = new Position(10);

  private long comparisons;
  private final IntentTable table =
      new IntentTable(
          (left, right) -> {
            comparisons++;
            return left.compareTo(right);
          });

  private static Bytes key(int index) {
    return Bytes.of(index >>> 16 & 0xff, index >>> 8 & 0xff, index & 0xff);
  }

  private static List<Bytes> keys() {
    return IntStream.range(0, KEYS).mapToObj(IntentStepsTest::key).toList();
  }

  private static TransactionIntents holder(
      long id, List<Bytes> reads, List<KeyRange> intervals, List<Bytes> writes) {
    return new TransactionIntents(
        new TxnId(1, id),
        new NodeId(1),
        1,
        ReadPoint.ZERO,
        Isolation.SERIALIZABLE,
        reads,
        intervals,
        writes,
        List.of(),
        SNAPSHOT);
  }

  private int placedInSteps(TransactionIntents holder) {
    table.enter(holder);
    int steps = 0;
    while (!holder.isPlaced()) {
      comparisons = 0;
      assertEquals(Optional.empty(), table.place(holder, SNAPSHOT, Optional.of(SNAPSHOT), STEP));
      assertTrue(comparisons <= COMPARISONS_MAX, () -> comparisons + " comparisons in one step");
      steps++;
    }
    return steps;
  }

  @Test
  void marksArePlacedAndTakenAwaySomeAtATime() {
    TransactionIntents large = holder(1, keys(), List.of(), keys());
    assertEquals(2 * KEYS / STEP, placedInSteps(large));
    int steps = 1;
    comparisons = 0;
    while (!table.takeAway(large, STEP)) {
      assertTrue(comparisons <= COMPARISONS_MAX, () -> comparisons + " comparisons in one step");
      comparisons = 0;
      steps++;
    }
    assertEquals(2 * KEYS / STEP, steps);
    assertTrue(table.leave(large));
    assertFalse(table.leave(large));
    assertTrue(table.isEmpty());
    assertEquals(
        Optional.empty(),
        table.place(holder(2, List.of(), List.of(), keys()), SNAPSHOT, Optional.of(SNAPSHOT)));
  }

  @Test
  void anIntervalIsSearchedSomeKeysAtATimeAndItsMarkIsThereFromTheFirst() {
    TransactionIntents written = holder(1, List.of(), List.of(), keys());
    table.place(written, SNAPSHOT, Optional.of(SNAPSHOT));
    table.committed(written, SNAPSHOT);
    TransactionIntents scans = holder(2, List.of(), List.of(KeyRange.ALL), List.of());
    table.enter(scans);
    assertEquals(Optional.empty(), table.place(scans, SNAPSHOT, Optional.of(SNAPSHOT), STEP));
    assertFalse(scans.isPlaced());
    TransactionIntents comes = holder(3, List.of(), List.of(), List.of(key(KEYS + 1)));
    assertEquals(
        Optional.of(scans),
        table.place(comes, SNAPSHOT, Optional.empty()).map(IntentTable.Foreign::holder));
    table.remove(comes);
    table.remove(scans);
    assertTrue(placedInSteps(holder(4, List.of(), List.of(KeyRange.ALL), List.of())) > KEYS / STEP);
  }

  @Test
  void aKeyOfTheLastStepIsInTheWayOfAForeignMark() {
    TransactionIntents there = holder(1, List.of(key(KEYS - 1)), List.of(), List.of());
    table.place(there, SNAPSHOT, Optional.empty());
    TransactionIntents comes = holder(2, List.of(), List.of(), keys());
    table.enter(comes);
    Optional<IntentTable.Foreign> found = Optional.empty();
    while (found.isEmpty()) {
      assertFalse(comes.isPlaced());
      found = table.place(comes, SNAPSHOT, Optional.empty(), STEP);
    }
    assertEquals(there, found.get().holder());
    table.remove(comes);
    assertEquals(
        Optional.empty(),
        table.place(holder(3, List.of(key(0)), List.of(), List.of()), SNAPSHOT, Optional.empty()));
  }

  @Test
  void whatATransactionReadsAndWritesItselfIsNotInItsWay() {
    TransactionIntents own = holder(1, keys(), List.of(KeyRange.ALL), keys());
    assertTrue(placedInSteps(own) >= 2 * KEYS / STEP);
    assertTrue(table.remove(own));
  }

  @Test
  void ofManyMarksOnOneKeyEachIsTakenAwayByItself() {
    KeyIntents intents = new KeyIntents();
    List<TransactionIntents> all =
        IntStream.range(0, 100)
            .mapToObj(id -> holder(id, List.of(), List.of(), List.of(key(1))))
            .toList();
    all.forEach(intents::add);
    assertEquals(all, List.copyOf(intents.all()));
    all.stream().skip(1).forEach(intents::remove);
    assertEquals(List.of(all.getFirst()), List.copyOf(intents.all()));
    assertFalse(intents.contains(all.getLast()));
    intents.remove(all.getFirst());
    assertTrue(intents.isEmpty());
  }
}
