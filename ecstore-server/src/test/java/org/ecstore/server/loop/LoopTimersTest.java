package org.ecstore.server.loop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import org.junit.jupiter.api.Test;

class LoopTimersTest {
  private static final long MILLI = 1_000_000L;
  private static final long IDLE = 1_000 * MILLI;

  /** A clock that is about to turn over. */
  private long now = Long.MAX_VALUE - 3 * MILLI;

  private final LoopTimers timers = new LoopTimers(() -> now);

  private long nanosToNext() {
    return timers.nanosToNext(now, IDLE);
  }

  @Test
  void withoutATimerThereIsNoNeedToWake() {
    assertEquals(IDLE, nanosToNext());
  }

  @Test
  void aTimerAloneFiresAnEighthOfItsDelayLate() {
    timers.schedule(1, 16 * MILLI);
    assertEquals(18 * MILLI, nanosToNext());
    now += 18 * MILLI;
    assertEquals(0, nanosToNext());
    assertEquals(1, timers.pollDue(now));
  }

  @Test
  void aTimerOfLongDelayFiresFiveMillisecondsLateAtMost() {
    timers.schedule(1, 800 * MILLI);
    assertEquals(805 * MILLI, nanosToNext());
  }

  @Test
  void aTimerOfNoDelayFiresAtOnce() {
    timers.schedule(1, 800 * MILLI);
    timers.schedule(2, 0);
    assertEquals(0, nanosToNext());
  }

  @Test
  void aTimerMayWaitForOneThatMayNot() {
    timers.schedule(1, 40 * MILLI);
    now += 39 * MILLI;
    timers.schedule(2, 2 * MILLI);
    assertEquals(
        2_250_000, nanosToNext(), "of the first 6 are left, of the second 2 and an eighth");
    now += nanosToNext();
    assertEquals(1, timers.pollDue(now));
    assertEquals(2, timers.pollDue(now));
    assertNull(timers.pollDue(now));
  }

  @Test
  void noTimerWaitsForOneThatComesAfterItsSlack() {
    timers.schedule(1, 40 * MILLI);
    timers.schedule(2, 46 * MILLI);
    assertEquals(45 * MILLI, nanosToNext());
  }
}
