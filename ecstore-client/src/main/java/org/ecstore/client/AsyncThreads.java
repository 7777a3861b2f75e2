package org.ecstore.client;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Runs asynchronous work: each piece on a virtual thread where the JDK has them, from 21 on, so
 * that what waits for answers keeps no thread of the system; elsewhere on some daemon threads that
 * end when idle. What is running and what waits is bounded on both.
 */
final class AsyncThreads implements Executor, AutoCloseable {
  /** Pieces of work that run at once on virtual threads; the others wait. */
  static final int RUNNING_MAX = 1_000;

  /** Of platform threads there are so many. */
  private static final int THREADS = 64;

  /** Pieces of work that run or wait. */
  static final int WORK_MAX = 4096 + THREADS;

  private final ExecutorService threads;
  private final AtomicInteger work = new AtomicInteger();
  private final Semaphore running;

  private AsyncThreads(ExecutorService threads, int runningMax) {
    this.threads = threads;
    this.running = new Semaphore(runningMax);
  }

  /** On virtual threads if there are some. */
  static AsyncThreads start() {
    return virtual()
        .map(threads -> new AsyncThreads(threads, RUNNING_MAX))
        .orElseGet(AsyncThreads::onPlatformThreads);
  }

  static AsyncThreads onPlatformThreads() {
    ThreadPoolExecutor pool =
        new ThreadPoolExecutor(
            THREADS,
            THREADS,
            10,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(),
            task -> {
              Thread thread = new Thread(task, "ecstore-client-async");
              thread.setDaemon(true);
              return thread;
            });
    pool.allowCoreThreadTimeOut(true);
    // The pool bounds what runs; what waits when it is closed must find no one in its way.
    return new AsyncThreads(pool, WORK_MAX);
  }

  /** By reflection, since this library is compiled for Java 17. */
  private static Optional<ExecutorService> virtual() {
    try {
      Method method = Executors.class.getMethod("newVirtualThreadPerTaskExecutor");
      return Optional.of((ExecutorService) method.invoke(null));
    } catch (NoSuchMethodException | IllegalAccessException | InvocationTargetException e) {
      // Java 17; or 19 and 20, which have them as a preview and refuse it.
      return Optional.empty();
    }
  }

  @Override
  public void execute(Runnable piece) {
    if (work.incrementAndGet() > WORK_MAX) {
      work.decrementAndGet();
      throw new RejectedExecutionException(WORK_MAX + " pieces of work run or wait");
    }
    try {
      threads.execute(() -> run(piece));
    } catch (RejectedExecutionException e) {
      work.decrementAndGet();
      throw e;
    }
  }

  private void run(Runnable piece) {
    // Work of a closed store finds that out by itself.
    running.acquireUninterruptibly();
    try {
      piece.run();
    } finally {
      running.release();
      work.decrementAndGet();
    }
  }

  /** What is still waiting runs here, to find the store closed and say so to its future. */
  @Override
  public void close() {
    List<Runnable> waiting = threads.shutdownNow();
    waiting.forEach(Runnable::run);
  }
}
