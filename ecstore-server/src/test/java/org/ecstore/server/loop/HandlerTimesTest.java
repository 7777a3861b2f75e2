package org.ecstore.server.loop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Optional;
import org.ecstore.core.port.ClientCall;
import org.ecstore.core.port.Event;
import org.ecstore.protocol.ClientRequest;
import org.junit.jupiter.api.Test;

class HandlerTimesTest {
  private static final long MILLI = 1_000_000;
  private static final Event STATUS =
      new Event.Called(new ClientCall(1, 1), new ClientRequest.Status(Optional.empty()));

  private final HandlerTimes times = new HandlerTimes();

  @Test
  void whatIsQuickIsNotCounted() {
    assertEquals(Optional.empty(), times.took(STATUS, 10 * MILLI - 1, 0));
    assertEquals(LongHandlers.NONE, times.seen());
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
