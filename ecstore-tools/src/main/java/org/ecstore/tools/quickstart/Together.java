package org.ecstore.tools.quickstart;

import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorCompletionService;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** Tasks on threads of their own that succeed together: the first failure ends the others. */
final class Together implements AutoCloseable {
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final ExecutorCompletionService<Boolean> done = new ExecutorCompletionService<>(threads);
  private int started;

  /** What a task does. */
  interface Task {
    void run() throws Exception;
  }

  void go(Task task) {
    Callable<Boolean> callable =
        () -> {
          task.run();
          return true;
        };
    var _ = done.submit(callable);
    started++;
  }

  /**
   * Waits until all have ended.
   *
   * @throws IllegalStateException if one failed, with its failure as the cause
   */
  void await() throws InterruptedException {
    for (int i = 0; i < started; i++) {
      try {
        done.take().get();
      } catch (ExecutionException e) {
        Throwable cause = e.getCause() == null ? e : e.getCause();
        throw new IllegalStateException(String.valueOf(cause.getMessage()), cause);
      }
    }
  }

  /** Ends what still runs. */
  @Override
  public void close() {
    threads.shutdownNow();
    threads.close();
  }
}
