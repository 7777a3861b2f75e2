package org.ecstore.server.zookeeper;

import java.time.Duration;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * One thread that does what it is given, in order, and what is due. It ends with the first thing
 * that fails. Safe for use by several threads.
 */
final class Worker {
  private final ScheduledThreadPoolExecutor executor;
  private final Consumer<Throwable> failed;

  /**
   * @param failed hears of the failure, on the thread
   */
  Worker(String name, Consumer<Throwable> failed) {
    this.executor =
        new ScheduledThreadPoolExecutor(
            1, body -> Thread.ofPlatform().daemon().name(name).unstarted(body));
    this.executor.setRemoveOnCancelPolicy(true);
    this.executor.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
    this.failed = failed;
  }

  /** Does something soon; whether it will, which it will not if this has ended. */
  boolean execute(Runnable task) {
    try {
      executor.execute(() -> run(task));
      return true;
    } catch (RejectedExecutionException e) {
      return false;
    }
  }

  /** Does something later, unless this has ended by then. What is returned takes it back. */
  Runnable after(Duration delay, Runnable task) {
    try {
      Future<?> future = executor.schedule(() -> run(task), delay.toNanos(), TimeUnit.NANOSECONDS);
      return () -> future.cancel(false);
    } catch (RejectedExecutionException e) {
      return () -> {};
    }
  }

  private void run(Runnable task) {
    try {
      task.run();
    } catch (RuntimeException | Error e) {
      executor.shutdown();
      failed.accept(e);
    }
  }

  /** Takes nothing more, and waits until what it was given is done. */
  void close() {
    executor.shutdown();
    boolean interrupted = false;
    boolean ended = false;
    while (!ended) {
      try {
        ended = executor.awaitTermination(1, TimeUnit.MINUTES);
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
