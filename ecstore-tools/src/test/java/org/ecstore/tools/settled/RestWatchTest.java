package org.ecstore.tools.settled;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.time.Duration;
import org.ecstore.tools.settled.RestWatch.Rest;
import org.junit.jupiter.api.Test;

class RestWatchTest {
  private static final long SECOND = 1_000_000_000L;

  private static RestWatch watch(int withinSeconds, int calmSeconds) {
    return new RestWatch(
        Duration.ofSeconds(withinSeconds), Duration.ofSeconds(calmSeconds), 5 * SECOND);
  }

  /** As with a replication.settle of some minutes. */
  @Test
  void restMayLastLongerThanItsBeginningIsWaitedFor() {
    RestWatch watch = watch(10, 300);
    assertEquals(Rest.AWAITED, watch.seen(false, 6 * SECOND));
    assertEquals(Rest.AWAITED, watch.seen(true, 7 * SECOND));
    assertEquals(Rest.AWAITED, watch.seen(true, 200 * SECOND));
    assertEquals(Rest.AWAITED, watch.seen(true, 305 * SECOND));
    assertEquals(Rest.REACHED, watch.seen(true, 306 * SECOND));
  }

  @Test
  void restThatWasDisturbedBeginsAnewAndMayBeLate() {
    RestWatch watch = watch(10, 4);
    assertEquals(Rest.AWAITED, watch.seen(true, 8 * SECOND));
    assertEquals(Rest.AWAITED, watch.seen(false, 9 * SECOND));
    assertEquals(Rest.AWAITED, watch.seen(true, 12 * SECOND));
    assertEquals(Rest.AWAITED, watch.seen(false, 15 * SECOND));
    assertEquals(Rest.LATE, watch.seen(false, 16 * SECOND));
  }
}
