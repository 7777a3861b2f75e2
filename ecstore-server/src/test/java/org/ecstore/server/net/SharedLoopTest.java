package org.ecstore.server.net;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class SharedLoopTest {
  private static final int ROUNDS = 20;

  /** A selector that is asked to wait for less than half a millisecond does not wait at all. */
  @Test
  void aShortWaitIsOneWaitAndNotManyTurns() {
    SharedLoop loop = new SharedLoop();
    loop.begin();
    int waits = 0;
    for (int round = 0; round < ROUNDS; round++) {
      long until = System.nanoTime() + 400_000;
      long left = until - System.nanoTime();
      do {
        loop.await(Math.max(1, left));
        waits++;
        left = until - System.nanoTime();
      } while (left > 0);
    }
    loop.end();
    assertEquals(ROUNDS, waits);
  }
}
