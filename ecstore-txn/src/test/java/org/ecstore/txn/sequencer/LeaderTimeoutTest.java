package org.ecstore.txn.sequencer;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A node that pauses again and again is not suspected each time; one that froze once is (0038). */
class LeaderTimeoutTest {
  private static final long MILLI = 1_000_000L;
  private static final long SECOND = 1_000 * MILLI;

  private final LeaderTimeout timeout = new LeaderTimeout();
  private long now;

  /** The node is silent for so long and goes on; whether it was suspected. */
  private boolean pause(long nanos) {
    now += nanos;
    boolean suspected = nanos > timeout.nanos(now);
    timeout.silent(nanos, now);
    if (suspected) {
      timeout.suspectedInVain(nanos, now);
    }
    return suspected;
  }

  private long suspicions(int pauses, long nanos, long everyNanos) {
    return IntStream.range(0, pauses)
        .filter(
            _ -> {
              now += everyNanos - nanos;
              return pause(nanos);
            })
        .count();
  }

  /** Whatever the clock's zero is. */
  @ParameterizedTest
  @ValueSource(longs = {0, -3_141_500_000_000L, 9_223_372_036_000_000_000L})
  void pausesThatTwiceTheTimeWouldNotHaveBorneAreBorneFromTheThirdOn(long zero) {
    now = zero;
    assertEquals(2, suspicions(100, 1_500 * MILLI, 20 * SECOND));
    assertEquals(2 * SECOND, timeout.nanos(now));
  }

  @Test
  void pauseThatTwiceTheTimeWouldHaveBorneIsBorneFromTheSecondOn() {
    assertEquals(1, suspicions(100, 900 * MILLI, 20 * SECOND));
  }

  @Test
  void oneLongFreezeChangesNothing() {
    assertEquals(true, pause(3 * SECOND));
    assertEquals(LeaderTimeout.FIRST_NANOS, timeout.nanos(now));
    // Another one so much later has nothing to do with it.
    assertEquals(10, suspicions(10, 3 * SECOND, LeaderTimeout.AGAIN_NANOS + 4 * SECOND));
    assertEquals(LeaderTimeout.FIRST_NANOS, timeout.nanos(now));
  }

  /** What both need, and no more. */
  @Test
  void pauseThatFollowsALongerOneIsBorneAndTheLongerOneIsNot() {
    assertEquals(true, pause(3_500 * MILLI));
    now += 10 * SECOND;
    assertEquals(true, pause(1_500 * MILLI));
    assertEquals(2 * SECOND, timeout.nanos(now));
  }

  @Test
  void pausesBeyondTheMostAreNeverBorne() {
    assertEquals(100, suspicions(100, 5 * SECOND, 20 * SECOND));
    assertEquals(LeaderTimeout.FIRST_NANOS, timeout.nanos(now));
    assertEquals(2, suspicions(100, 4 * SECOND, 20 * SECOND));
    assertEquals(LeaderTimeout.FIRST_NANOS << LeaderTimeout.DOUBLINGS_MAX, timeout.nanos(now));
  }

  @Test
  void timeThatIsNotNeededAnyMoreIsHalvedAgainAndAgain() {
    assertEquals(2, suspicions(10, 1_500 * MILLI, 20 * SECOND));
    now += LeaderTimeout.UNNEEDED_NANOS;
    assertEquals(2 * SECOND, timeout.nanos(now));
    now += SECOND;
    assertEquals(SECOND, timeout.nanos(now));
    assertEquals(SECOND, timeout.nanos(now + LeaderTimeout.UNNEEDED_NANOS - SECOND));
    now += LeaderTimeout.UNNEEDED_NANOS;
    assertEquals(LeaderTimeout.FIRST_NANOS, timeout.nanos(now));
  }
}
