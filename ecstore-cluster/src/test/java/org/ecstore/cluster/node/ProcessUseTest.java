package org.ecstore.cluster.node;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.math.BigDecimal;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.ecstore.server.loop.RequestWaits;
import org.ecstore.txn.limit.NodeUse;
import org.junit.jupiter.api.Test;

class ProcessUseTest {
  private static final long MILLI = 1_000_000;
  private static final RequestWaits.Seen NONE = RequestWaits.Seen.NONE;

  private final AtomicLong clock = new AtomicLong(Long.MAX_VALUE - 5);
  private final AtomicLong used = new AtomicLong(7_000 * MILLI);
  private final ProcessUse use = new ProcessUse(0.5, clock::get, used::get);

  private NodeUse after(long millis, long usedMillis, RequestWaits.Seen waits) {
    clock.addAndGet(millis * MILLI);
    used.addAndGet(usedMillis * MILLI);
    return use.look(waits);
  }

  @Test
  void whatWasUsedIsAPartOfTheCapacity() {
    assertEquals(NodeUse.UNKNOWN, use.look(NONE));
    assertEquals(new NodeUse(400, 0), after(1_000, 200, NONE));
    assertEquals(new NodeUse(1_000, 0), after(2_000, 1_000, NONE));
    assertEquals(new NodeUse(0, 0), after(60_000, 0, NONE));
  }

  @Test
  void itIsLookedAtOnceASecond() {
    use.look(NONE);
    assertEquals(NodeUse.UNKNOWN, after(999, 499, NONE));
    assertEquals(new NodeUse(998, 0), after(1, 0, NONE));
    assertEquals(new NodeUse(998, 0), after(999, 0, NONE));
    assertEquals(new NodeUse(100, 0), after(1, 50, NONE));
  }

  @Test
  void requestsHaveWaitedOnAverageOfThoseTakenSince() {
    use.look(new RequestWaits.Seen(10, 90 * MILLI));
    assertEquals(new NodeUse(0, 20_000), after(1_000, 0, new RequestWaits.Seen(14, 170 * MILLI)));
    assertEquals(new NodeUse(0, 0), after(1_000, 0, new RequestWaits.Seen(14, 170 * MILLI)));
  }

  @Test
  void thisProcessSaysWhatItUses() {
    ProcessUse own = ProcessUse.ofThisProcess(Optional.of(new BigDecimal("0.2"))).orElseThrow();
    assertEquals(NodeUse.UNKNOWN, own.look(NONE));
    assertTrue(ProcessUse.ofThisProcess(Optional.empty()).isPresent());
  }
}
