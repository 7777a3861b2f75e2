package org.ecstore.core.port;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.TreeSet;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What {@link Timers} and the {@link Clock} beside them promise, for every driver of nodes. */
public abstract class TimersContractTest {
  private static final long MILLI = 1_000_000L;

  /** Timers under test, on a clock that the test moves. */
  public interface Fixture {
    Timers timers();

    Clock clock();

    /** Lets time pass, and hands over the tokens that fire meanwhile, in order. */
    List<Long> pass(long nanos);
  }

  private Fixture fixture;

  protected abstract Fixture newTimers();

  @BeforeEach
  final void open() {
    fixture = newTimers();
  }

  @Test
  void aTimerFiresOnceAndNotBeforeItsDelay() {
    fixture.timers().schedule(1, 50 * MILLI);
    assertEquals(List.of(), fixture.pass(49 * MILLI));
    assertEquals(List.of(1L), fixture.pass(1_000 * MILLI));
    assertEquals(List.of(), fixture.pass(1_000 * MILLI));
  }

  @Test
  void theDelayCountsFromTheCallAndTheClockMovesWithIt() {
    long start = fixture.clock().nanos();
    fixture.pass(500 * MILLI);
    fixture.timers().schedule(7, 100 * MILLI);
    assertEquals(List.of(), fixture.pass(99 * MILLI));
    assertEquals(List.of(7L), fixture.pass(500 * MILLI));
    assertTrue(fixture.clock().nanos() - start >= 600 * MILLI);
  }

  @Test
  void aCancelledTimerDoesNotFire() {
    fixture.timers().schedule(1, 10 * MILLI);
    fixture.timers().schedule(2, 10 * MILLI);
    fixture.timers().cancel(1);
    fixture.timers().cancel(99);
    assertEquals(List.of(2L), fixture.pass(1_000 * MILLI));
  }

  @Test
  void aTokenThatIsScheduledAgainFiresOnceAtItsNewTime() {
    fixture.timers().schedule(3, 10 * MILLI);
    fixture.timers().schedule(3, 300 * MILLI);
    assertEquals(List.of(), fixture.pass(299 * MILLI));
    assertEquals(List.of(3L), fixture.pass(1_000 * MILLI));
  }

  @Test
  void manyTimersAllFire() {
    TreeSet<Long> expected = new TreeSet<>();
    for (long token = 0; token < 1_000; token++) {
      fixture.timers().schedule(token, (token * 7919 % 100) * MILLI);
      expected.add(token);
    }
    List<Long> fired = fixture.pass(1_000 * MILLI);
    assertEquals(1_000, fired.size());
    assertEquals(expected, new TreeSet<>(fired));
  }

  @Test
  void aTimerOfNoDelayFiresLaterAndNotInTheCall() {
    fixture.timers().schedule(5, 0);
    assertEquals(List.of(5L), fixture.pass(100 * MILLI));
  }
}
