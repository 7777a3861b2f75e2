package org.ecstore.bookstore.population;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongConsumer;

/** Numbers from 1 on, each with its records, that are written in batches by some threads. */
public final class BatchedFill {
  private static final int THREADS = 4;

  private final long count;
  private final int batch;
  private final LongConsumer written;
  private final AtomicLong next = new AtomicLong(1);

  private BatchedFill(long count, int batch, LongConsumer written) {
    this.count = count;
    this.batch = batch;
    this.written = written;
  }

  /** What one thread writes with. */
  public interface Writer extends AutoCloseable {
    /** Writes numbers from one to another, both included, in a transaction. */
    void write(long from, long to) throws Exception;

    @Override
    default void close() {}
  }

  /**
   * Writes all; where a thread fails the others stop.
   *
   * @param count the last number
   * @param batch how many numbers a transaction has
   * @param writers makes one for each thread
   * @param written is told how many numbers more are written, by any thread
   * @throws ExecutionException if a thread has failed, with the cause
   */
  public static void run(long count, int batch, Callable<Writer> writers, LongConsumer written)
      throws InterruptedException, ExecutionException {
    new BatchedFill(count, batch, written).run(writers);
  }

  private void run(Callable<Writer> writers) throws InterruptedException, ExecutionException {
    try (ExecutorService threads = Executors.newFixedThreadPool(THREADS)) {
      List<Future<?>> running = new ArrayList<>();
      for (int thread = 0; thread < THREADS; thread++) {
        running.add(
            threads.submit(
                () -> {
                  write(writers);
                  return true;
                }));
      }
      try {
        for (Future<?> one : running) {
          one.get();
        }
      } finally {
        stop();
      }
    }
  }

  private void stop() {
    next.set(count + 1);
  }

  private void write(Callable<Writer> writers) throws Exception {
    boolean isWhole = false;
    try (Writer writer = writers.call()) {
      for (long from = next.getAndAdd(batch); from <= count; from = next.getAndAdd(batch)) {
        long to = Math.min(count, from + batch - 1);
        writer.write(from, to);
        written.accept(to - from + 1);
      }
      isWhole = true;
    } finally {
      if (!isWhole) {
        stop();
      }
    }
  }
}
