package org.ecstore.client.routing;

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;

/** Monotonic time, waiting and chance, so that tests need none of the real ones. */
public interface ClientTime {
  /** Nanoseconds since some moment of its own. */
  long nanos();

  /** Milliseconds since 1970, by the clock on the wall, which may be set. */
  default long millis() {
    return System.currentTimeMillis();
  }

  /** Waits. Returns false at once if the thread is interrupted, which it then still is. */
  boolean pause(long nanos);

  /** Uniform in [0, 1). */
  double random();

  /**
   * Has something done beside the caller, on a daemon thread that ends with it. Returns false if
   * there is no room for a thread at the moment.
   */
  default boolean beside(String name, Runnable work) {
    try {
      Thread thread = new Thread(work, name);
      thread.setDaemon(true);
      thread.start();
      return true;
    } catch (OutOfMemoryError e) {
      return false;
    }
  }

  /** That of the machine. */
  static ClientTime system() {
    return new ClientTime() {
      @Override
      public long nanos() {
        return System.nanoTime();
      }

      @Override
      public boolean pause(long nanos) {
        try {
          TimeUnit.NANOSECONDS.sleep(nanos);
          return true;
        } catch (InterruptedException e) {
          Thread.currentThread().interrupt();
          return false;
        }
      }

      @Override
      public double random() {
        return ThreadLocalRandom.current().nextDouble();
      }
    };
  }
}
