package org.ecstore.client.fake;

import java.util.Queue;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import org.ecstore.client.routing.ClientTime;

/**
 * Time that passes only when a caller waits, and seeded chance. Safe for use by several threads.
 */
public final class FakeTime implements ClientTime {
  private static final long START_MILLIS = 4_000_000_000_000L;

  private final AtomicLong nanos = new AtomicLong(1_000_000_000);
  private final Random random;
  private final Queue<Runnable> beside = new ConcurrentLinkedQueue<>();
  private volatile boolean takesBeside;

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

  /** From now on work beside callers is taken. It is done when a test says so. */
  public void takeBeside() {
    takesBeside = true;
  }

  @Override
  public boolean beside(String name, Runnable work) {
    return takesBeside && beside.add(work);
  }

  /** Does what was to be done beside callers so far. Returns how many pieces of work that were. */
  public int runBeside() {
    int done = 0;
    for (Runnable work = beside.poll(); work != null; work = beside.poll()) {
      work.run();
      done++;
    }
    return done;
  }

  @Override
  public double random() {
    return random.nextDouble();
  }
}
