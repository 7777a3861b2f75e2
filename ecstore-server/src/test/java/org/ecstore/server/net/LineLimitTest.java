package org.ecstore.server.net;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class LineLimitTest {
  @Test
  void linesBeyondTheLimitAreLeftOutAndCountedInTheNextPeriod() {
    LineLimit limit = new LineLimit(2, Duration.ofNanos(100));
    assertEquals(0, limit.take(1_000));
    assertEquals(0, limit.take(1_001));
    assertEquals(-1, limit.take(1_002));
    assertEquals(-1, limit.take(1_100));
    assertEquals(2, limit.take(1_101));
    assertEquals(0, limit.take(1_102));
    assertEquals(-1, limit.take(1_103));
  }
}
