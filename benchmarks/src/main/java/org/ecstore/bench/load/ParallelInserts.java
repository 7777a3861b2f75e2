package org.ecstore.bench.load;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Puts records into a store, by several threads. */
public final class ParallelInserts {
  private static final int LOADERS = 32;

  private ParallelInserts() {}

  /** Inserts records until none is left; called by several threads at once. */
  @FunctionalInterface
  public interface Inserter {
    void insert() throws Exception;
  }

  /**
   * Inserts all.
   *
   * @throws IllegalStateException if one cannot be inserted
   */
  public static void run(Inserter inserter) throws InterruptedException {
    try (ExecutorService threads = Executors.newFixedThreadPool(LOADERS)) {
      List<Future<?>> running = new ArrayList<>();
      for (int i = 0; i < LOADERS; i++) {
        running.add(
            threads.submit(
                () -> {
                  inserter.insert();
                  return true;
                }));
      }
      for (Future<?> one : running) {
        one.get();
      }
    } catch (ExecutionException e) {
      throw new IllegalStateException("cannot load the records: " + e.getCause(), e);
    }
  }
}
