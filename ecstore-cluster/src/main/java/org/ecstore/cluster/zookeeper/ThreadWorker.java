package org.ecstore.cluster.zookeeper;

import java.time.Duration;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** A thread. It ends with the first thing that fails. */
final class ThreadWorker implements Worker {
  private final ScheduledThreadPoolExecutor executor;
  private final Consumer<Throwable> failed;

  /**
   * @param failed hears of the failure, on the thread
   */
  ThreadWorker(String name, Consumer<Throwable> failed) {
    this.executor =
        new ScheduledThreadPoolExecutor(
            1, body -> Thread.ofPlatform().daemon().name(name).unstarted(body));
    this.executor.setRemoveOnCancelPolicy(true);
    this.executor.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
    this.failed = failed;
  }

  @Override
  public boolean execute(Runnable task) {
    try {
      executor.execute(() -> run(task));
      return true;
    } catch (RejectedExecutionException e) {
      return false;
    }
  }

  @Override
  public Runnable after(Duration delay, Runnable task) {
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

  @Override
  public long nanos() {
    return System.nanoTime();
  }

  @Override
  public void close() {
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
