package org.ecstore.server.loop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.ecstore.core.metrics.LoopWork;
import org.ecstore.core.port.ClientCall;
import org.ecstore.core.port.Event;
import org.ecstore.protocol.ClientRequest;
import org.junit.jupiter.api.Test;

class HandlerTimesTest {
  private static final long MILLI = 1_000_000;
  private static final Event STATUS =
      new Event.Called(new ClientCall(1, 1), new ClientRequest.Status(Optional.empty()));

  private final List<LoopWork> told = new ArrayList<>();
  private final HandlerTimes times = new HandlerTimes(told::add);

  @Test
  void whatIsQuickIsNotCounted() {
    assertEquals(Optional.empty(), times.took(STATUS, 10 * MILLI - 1, 0));
    assertEquals(Optional.empty(), times.took(LoopWork.NETWORK, "connections", 10 * MILLI - 1, 0));
    assertEquals(LongHandlers.NONE, times.seen());
    assertEquals(List.of(), told);
  }

  @Test
  void whatIsNoEventIsTimedLikeOne() {
    String line = times.took(LoopWork.BATCH, "a batch", 120 * MILLI, 0).orElseThrow();
    assertTrue(line.endsWith("120 ms: a batch"), line);
    times.took(STATUS, 10 * MILLI, 0);
    assertEquals(List.of(LoopWork.BATCH, LoopWork.REQUEST), told);
    assertEquals(new LongHandlers(2, 120 * MILLI, "a batch"), times.seen());
  }

  @Test
  void theLongestIsNamedAndOfManyInAWhileOneLineIsSaid() {
    Event timer = new Event.TimerFired(1);
    assertEquals(Optional.empty(), times.took(timer, 99 * MILLI, 0));
    String first = times.took(timer, 110 * MILLI, 0).orElseThrow();
    assertTrue(first.contains("2 times") && first.endsWith("110 ms: timer"), first);
    assertEquals(Optional.empty(), times.took(STATUS, 300 * MILLI, 5_000 * MILLI));
    assertEquals(Optional.empty(), times.took(timer, 20 * MILLI, 9_999 * MILLI));
    String next = times.took(timer, 12 * MILLI, 10_000 * MILLI).orElseThrow();
    assertTrue(next.contains("3 times") && next.endsWith("300 ms: request Status"), next);
    assertEquals(new LongHandlers(5, 300 * MILLI, "request Status"), times.seen());
  }
}
