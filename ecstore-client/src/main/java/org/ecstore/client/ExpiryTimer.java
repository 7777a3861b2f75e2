package org.ecstore.client;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Has what is over deleted from time to time, on a daemon thread that begins with the first record
 * which this store writes with a lifetime. Where the cluster has no time for it the pauses double,
 * up to sixteen times what was said. Safe for use by several threads.
 */
final class ExpiryTimer implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(ExpiryTimer.class);
  private static final int SLOWER_MAX = 16;

  private final ExpirySweeper sweeper;
  private final Duration every;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition end = lock.newCondition();
  private volatile boolean begun;
  private boolean closed;

  /**
   * One that has not begun.
   *
   * @param every how long it rests on average; zero if it never begins
   */
  ExpiryTimer(ExpirySweeper sweeper, Duration every) {
    this.sweeper = sweeper;
    this.every = every;
  }

  /** A record with a lifetime was written. */
  void begin() {
    if (begun || every.isZero()) {
      return;
    }
    lock.lock();
    try {
      if (!begun && !closed) {
        Thread thread = new Thread(this::run, "ecstore-client-expiry");
        thread.setDaemon(true);
        thread.setContextClassLoader(ExpiryTimer.class.getClassLoader());
        thread.start();
        begun = true;
      }
    } finally {
      lock.unlock();
    }
  }

  private void run() {
    int slower = 1;
    try {
      while (rest(slower)) {
        Optional<? extends RuntimeException> failure = sweep();
        if (failure.isPresent() && slower == 1) {
          LOG.warn("what has expired is deleted later: {}", failure.get().toString());
        }
        slower = failure.isPresent() ? Math.min(SLOWER_MAX, 2 * slower) : 1;
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Why it was not done, as far as it was not. */
  private Optional<? extends RuntimeException> sweep() {
    try {
      return sweeper.sweep().failure();
    } catch (RuntimeException e) {
      return Optional.of(e);
    }
  }

  /** Half the time to one and a half: processes that began together do not sweep together. */
  private boolean rest(int slower) throws InterruptedException {
    double part = 0.5 + ThreadLocalRandom.current().nextDouble();
    long left = (long) (every.toNanos() * slower * part);
    lock.lockInterruptibly();
    try {
      while (!closed && left > 0) {
        left = end.awaitNanos(left);
      }
      return !closed;
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void close() {
    lock.lock();
    try {
      closed = true;
      end.signalAll();
    } finally {
      lock.unlock();
    }
  }
}
