package org.ecstore.txn.commit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import org.ecstore.id.NodeId;
import org.ecstore.id.Position;
import org.ecstore.id.ReadPoint;
import org.ecstore.id.TxnId;
import org.ecstore.key.Bytes;
import org.ecstore.key.KeyRange;
import org.ecstore.model.Isolation;
import org.junit.jupiter.api.Test;

/** A read waits for some of the intents in its way at a time, and for all of them in the end. */
class IntentSearchTest {
  private static final int HOLDERS = 1_000;
  private static final int MOST = 32;
  private static final Position READ = new Position(10);

  private final IntentTable table = new IntentTable();

  private static Bytes key(int index) {
    return Bytes.of(index >>> 8 & 0xff, index & 0xff);
  }

  private TransactionIntents write(int id, Bytes key, long noted) {
    TransactionIntents holder =
        new TransactionIntents(
            new TxnId(1, id),
            new NodeId(1),
            1,
            ReadPoint.ZERO,
            Isolation.SERIALIZABLE,
            List.of(),
            List.of(),
            List.of(key),
            List.of(),
            new Position(noted));
    assertEquals(Optional.empty(), table.place(holder, new Position(noted), Optional.empty()));
    return holder;
  }

  /** All that it waits for, one lot after the other, each of which is gone before the next. */
  private List<TransactionIntents> awaited(IntentSearch search) {
    List<TransactionIntents> all = new ArrayList<>();
    boolean more = true;
    while (more) {
      Set<TransactionIntents> lot = table.mayBeAtOrBelow(search, MOST);
      assertTrue(lot.size() <= MOST, () -> lot.size() + " at once");
      more = !lot.isEmpty() && !search.isOver();
      all.addAll(lot);
      lot.forEach(table::remove);
    }
    return all;
  }

  @Test
  void whatIsInTheWayOfAScanIsAwaitedSomeAtATime() {
    List<TransactionIntents> inTheWay = new ArrayList<>();
    for (int i = 0; i < HOLDERS; i++) {
      TransactionIntents holder = write(i, key(i), i % 2 == 0 ? 9 : 10);
      if (i % 2 == 0 && i >= 100) {
        inTheWay.add(holder);
      }
    }
    KeyRange scanned = KeyRange.of(key(100), key(HOLDERS));
    assertEquals(inTheWay, awaited(new IntentSearch(List.of(), Optional.of(scanned), READ)));
  }

  @Test
  void soAreThoseOnOneKey() {
    List<TransactionIntents> inTheWay =
        IntStream.range(0, HOLDERS).mapToObj(id -> write(id, key(1), 9)).toList();
    write(HOLDERS, key(1), 10);
    assertEquals(
        inTheWay, awaited(new IntentSearch(List.of(key(0), key(1)), Optional.empty(), READ)));
    assertEquals(1, table.all().size());
  }

  @Test
  void whatHasItsNumberAboveTheReadIsNotAwaited() {
    TransactionIntents below = write(1, key(1), 5);
    TransactionIntents above = write(2, key(1), 5);
    table.committed(below, READ);
    table.committed(above, READ.next());
    IntentSearch search = new IntentSearch(List.of(key(1)), Optional.of(KeyRange.ALL), READ);
    assertEquals(Set.of(below), table.mayBeAtOrBelow(search, MOST));
    assertTrue(search.isOver());
  }

  /** A lot may end with the last one there is. */
  @Test
  void nothingIsAwaitedTwice() {
    for (int id = 0; id < MOST; id++) {
      write(id, key(id), 9);
    }
    IntentSearch search = new IntentSearch(List.of(), Optional.of(KeyRange.ALL), READ);
    assertEquals(MOST, table.mayBeAtOrBelow(search, MOST).size());
    List.copyOf(table.all()).forEach(table::remove);
    assertEquals(Set.of(), table.mayBeAtOrBelow(search, MOST));
    assertTrue(search.isOver());
  }
}
