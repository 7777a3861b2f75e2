package org.ecstore.client.fake;

import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import org.ecstore.client.routing.ClientTime;

/**
 * Time that passes only when a caller waits, and seeded chance. Safe for use by several threads.
 */
public final class FakeTime implements ClientTime {
  private static final long START_MILLIS = 4_000_000_000_000L;

  private final AtomicLong nanos = new AtomicLong(1_000_000_000);
  private final Random random;

  public FakeTime(long seed) {
    random = new Random(seed);
  }

  @Override
  public long nanos() {
    return nanos.get();
  }

  @Override
  public long millis() {
    return START_MILLIS + nanos.get() / 1_000_000;
  }

  @Override
  public boolean pause(long pauseNanos) {
    advance(pauseNanos);
    return !Thread.currentThread().isInterrupted();
  }

  /** Lets time pass. */
  public void advance(long byNanos) {
    nanos.addAndGet(byNanos);
  }

  @Override
  public double random() {
    return random.nextDouble();
  }
}
