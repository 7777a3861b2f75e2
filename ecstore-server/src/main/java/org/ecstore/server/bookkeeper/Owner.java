package org.ecstore.server.bookkeeper;

import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * The one thread that owns the state of a ledger. What the libraries answer on their threads is
 * handed over to it; it never waits for anything. What is handed over after the end is dropped.
 */
final class Owner implements Executor {
  private static final long END_MILLIS = 60_000;

  private final ScheduledThreadPoolExecutor executor;
  private final Consumer<Throwable> bug;

  /**
   * A thread.
   *
   * @param bug is told, on that thread, of an exception that nobody expected
   */
  Owner(String name, Consumer<Throwable> bug) {
    this.bug = bug;
    this.executor =
        new ScheduledThreadPoolExecutor(
            1, task -> Thread.ofPlatform().name(name).daemon().unstarted(task));
    executor.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
    executor.setContinueExistingPeriodicTasksAfterShutdownPolicy(false);
  }

  @Override
  public void execute(Runnable task) {
    // If it is not taken, the ledger is closed and everybody was answered.
    boolean _ = submit(task);
  }

  /** Hands over a task; whether it was taken, which it is not after the end. */
  boolean submit(Runnable task) {
    try {
      executor.execute(() -> run(task));
      return true;
    } catch (RejectedExecutionException e) {
      return false;
    }
  }

  /** Runs a task later. */
  void after(long millis, Runnable task) {
    try {
      ScheduledFuture<?> _ = executor.schedule(() -> run(task), millis, TimeUnit.MILLISECONDS);
    } catch (RejectedExecutionException e) {
      // As above.
    }
  }

  /** Runs a task again and again, with a pause between. */
  void every(long millis, Runnable task) {
    ScheduledFuture<?> _ =
        executor.scheduleWithFixedDelay(() -> run(task), millis, millis, TimeUnit.MILLISECONDS);
  }

  private void run(Runnable task) {
    try {
      task.run();
    } catch (RuntimeException | Error e) {
      bug.accept(e);
    }
  }

  /** Ends the thread when it has done what was handed over. */
  void close() {
    executor.shutdown();
    try {
      executor.awaitTermination(END_MILLIS, TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
