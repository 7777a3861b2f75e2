package org.ecstore.cluster.bookkeeper.segment;

import java.util.concurrent.Executor;

/**
 * What owns the state of a ledger: it runs one task after another, and has the clock by which they
 * wait. What the libraries answer on their threads is handed over to it; it never waits for
 * anything. What is handed over after the end is dropped.
 */
public interface Owner extends Executor {
  /** Hands over a task; whether it was taken, which it is not after the end. */
  boolean submit(Runnable task);

  @Override
  default void execute(Runnable task) {
    // If it is not taken, the ledger is closed and every call was answered.
    boolean _ = submit(task);
  }

  /** Runs a task later. */
  void after(long millis, Runnable task);

  /** The same, for a task that is most likely not needed; what it returns calls it off. */
  Runnable unlessCalledOff(long millis, Runnable task);

  /** Runs a task again and again, with a pause between. */
  void every(long millis, Runnable task);

  /** A clock that only goes forward, in nanoseconds; it may have any origin. */
  long nanos();

  /** Ends when it has done what was handed over. */
  void close();
}
