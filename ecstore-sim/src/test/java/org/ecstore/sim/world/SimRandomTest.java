package org.ecstore.sim.world;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.function.LongPredicate;
import org.junit.jupiter.api.Test;

final class SimRandomTest {
  private static final int DRAWS = 20_000;
  private static final long MICRO = SwarmSettings.MICRO;
  private static final long MILLI = SwarmSettings.MILLI;
  private static final long SECOND = SwarmSettings.SECOND;

  private static double share(long low, long high, LongPredicate counts) {
    SimRandom random = new SimRandom(1);
    int counted = 0;
    for (int i = 0; i < DRAWS; i++) {
      long drawn = random.skewedNanos(low, high);
      assertTrue(drawn >= low && drawn <= high, drawn + " of " + low + " to " + high);
      counted += counts.test(drawn) ? 1 : 0;
    }
    return (double) counted / DRAWS;
  }

  private static void assertFair(double share) {
    assertTrue(share > 0.1 && share < 0.3, "a share of " + share);
  }

  /** Counted in nanoseconds four crashes in five were shorter than 115 ms. */
  @Test
  void aFairShareOfSpansIsMuchLongerThanTheLeast() {
    assertFair(share(50 * MILLI, 10 * SECOND, nanos -> nanos > 2 * SECOND));
    assertFair(share(MILLI, 5 * SECOND, nanos -> nanos > SECOND));
    assertFair(share(10 * MILLI, 2 * SECOND, nanos -> nanos > 200 * MILLI));
    assertFair(share(1, 2 * SECOND, nanos -> nanos > 100 * MILLI));
  }

  /** What is to happen before the next message arrives does so in microseconds. */
  @Test
  void whatMayBeSoonIsSoonInManyCases() {
    assertTrue(share(MICRO, SECOND, nanos -> nanos < MILLI) > 0.3);
    assertTrue(share(MICRO, SECOND, nanos -> nanos > 100 * MILLI) > 0.1);
  }

  @Test
  void aSpanWithoutLengthIsDrawn() {
    assertEquals(5 * MILLI, new SimRandom(1).skewedNanos(5 * MILLI, 5 * MILLI));
    assertTrue(new SimRandom(1).skewedNanos(1, 3) <= 3);
  }
}
