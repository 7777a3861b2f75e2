package org.ecstore.core.testing;

import java.time.Duration;

/**
 * Time that passes because a test is about that: a slow sender, a silence longer than a session. A
 * test that waits for something uses {@link Await}.
 */
public final class Pause {
  private Pause() {}

  public static void of(Duration time) throws InterruptedException {
    Thread.sleep(time);
  }
}
