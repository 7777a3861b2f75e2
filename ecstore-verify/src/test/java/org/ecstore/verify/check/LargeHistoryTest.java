package org.ecstore.verify.check;

import static org.ecstore.verify.check.HandMade.STRICT;
import static org.ecstore.verify.check.HandMade.STRONG_SNAPSHOT;
import static org.ecstore.verify.check.HandMade.append;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.ecstore.verify.history.Elements;
import org.ecstore.verify.history.MicroOp;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Histories of a perfect store, made by chance, are clean; one stale read among them is found. Also
 * shows that the checker's time grows with the history only: the largest has 200,000 transactions.
 */
@Timeout(120)
class LargeHistoryTest {
  private static final int CLIENTS = 10;

  /** Transactions that overlap in time and commit one by one at the moment of their completion. */
  private static HandMade perfect(int transactions, Random random) {
    HandMade made = new HandMade();
    Map<Long, Elements> state = new HashMap<>();
    long position = 1;
    long element = 0;
    for (int i = 0; i < transactions; i++) {
      long process = i % CLIENTS;
      long key = i / 300 + (long) random.nextInt(5);
      Elements seen = state.getOrDefault(key, Elements.NONE);
      if (random.nextBoolean()) {
        made.done(process, position, position + 1, append(key, ++element));
        position++;
        state.put(key, seen.with(element));
      } else {
        made.done(process, position, 0, new MicroOp.ReadList(key, seen));
      }
    }
    for (Map.Entry<Long, Elements> entry : state.entrySet()) {
      made.done(99, position, 0, new MicroOp.ReadList(entry.getKey(), entry.getValue()));
    }
    return made;
  }

  @Test
  void historyOfAPerfectStoreIsClean() {
    HandMade made = perfect(200_000, new Random(1));
    assertEquals(Report.Verdict.CLEAN, made.check(STRICT).verdict());
    assertEquals(Report.Verdict.CLEAN, made.check(STRONG_SNAPSHOT).verdict());
  }

  @Test
  void oneStaleReadAmongManyIsFound() {
    HandMade made = perfect(5_000, new Random(2));
    made.done(100, 1, 0, new MicroOp.ReadList(1, Elements.NONE));
    assertEquals(List.of("G-single-realtime"), made.withoutPositions().kinds(STRICT));
  }
}
