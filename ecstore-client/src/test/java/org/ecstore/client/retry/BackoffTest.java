package org.ecstore.client.retry;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class BackoffTest {
  private static final double ALMOST_ONE = Math.nextDown(1.0);

  @Test
  void ceilingDoublesUpToTheMaximum() {
    Backoff backoff = new Backoff(100, 1000);
    assertEquals(99, backoff.delayNanos(1, ALMOST_ONE));
    assertEquals(199, backoff.delayNanos(2, ALMOST_ONE));
    assertEquals(399, backoff.delayNanos(3, ALMOST_ONE));
    assertEquals(799, backoff.delayNanos(4, ALMOST_ONE));
    assertEquals(999, backoff.delayNanos(5, ALMOST_ONE));
    assertEquals(999, backoff.delayNanos(1000, ALMOST_ONE));
  }

  @Test
  void jitterReachesDownToZero() {
    assertEquals(0, new Backoff(100, 1000).delayNanos(7, 0));
    assertEquals(50, new Backoff(100, 1000).delayNanos(1, 0.5));
  }

  @Test
  void hugeValuesDoNotOverflow() {
    Backoff backoff = new Backoff(1, Long.MAX_VALUE);
    for (int failures = 1; failures < 200; failures++) {
      assertTrue(backoff.delayNanos(failures, ALMOST_ONE) >= 0);
    }
  }

  @Test
  void senselessValuesAreRefused() {
    assertThrows(IllegalArgumentException.class, () -> new Backoff(0, 10));
    assertThrows(IllegalArgumentException.class, () -> new Backoff(11, 10));
  }

  @Test
  void deadlineSurvivesTheClocksOverflow() {
    Deadline deadline = Deadline.after(Long.MAX_VALUE - 5, Duration.ofNanos(10));
    assertTrue(!deadline.isOver(Long.MAX_VALUE));
    assertEquals(5, deadline.left(Long.MAX_VALUE));
    assertTrue(deadline.isOver(Long.MIN_VALUE + 4));
    Deadline later = Deadline.after(Long.MAX_VALUE, Duration.ofNanos(10));
    assertEquals(deadline, Deadline.earlier(deadline, later));
    assertEquals(deadline, Deadline.earlier(later, deadline));
  }
}
