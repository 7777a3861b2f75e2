package org.ecstore.cluster.bookkeeper.segment;

import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** The {@link Owner} of a ledger in a process: a thread, and the machine's clock. */
public final class OwnerThread implements Owner {
  private static final long END_MILLIS = 60_000;

  private final ScheduledThreadPoolExecutor executor;
  private final Consumer<Throwable> bug;

  /**
   * A thread.
   *
   * @param bug is told, on that thread, of an unexpected exception
   */
  public OwnerThread(String name, Consumer<Throwable> bug) {
    this.bug = bug;
    this.executor =
        new ScheduledThreadPoolExecutor(
            1, task -> Thread.ofPlatform().name(name).daemon().unstarted(task));
    executor.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
    executor.setContinueExistingPeriodicTasksAfterShutdownPolicy(false);
    executor.setRemoveOnCancelPolicy(true);
  }

  @Override
  public long nanos() {
    return System.nanoTime();
  }

  @Override
  public boolean submit(Runnable task) {
    try {
      executor.execute(() -> run(task));
      return true;
    } catch (RejectedExecutionException e) {
      return false;
    }
  }

  @Override
  public void after(long millis, Runnable task) {
    Runnable _ = unlessCalledOff(millis, task);
  }

  @Override
  public Runnable unlessCalledOff(long millis, Runnable task) {
    try {
      ScheduledFuture<?> begun = executor.schedule(() -> run(task), millis, TimeUnit.MILLISECONDS);
      return () -> begun.cancel(false);
    } catch (RejectedExecutionException e) {
      // After the end nothing is waited for.
      return () -> {};
    }
  }

  @Override
  public void every(long millis, Runnable task) {
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

  @Override
  public void close() {
    executor.shutdown();
    try {
      executor.awaitTermination(END_MILLIS, TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
