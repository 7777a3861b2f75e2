package org.ecstore.bookstore;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What several threads want at once, and one of them does: the others wait for that one and take
 * its result, or its failure. While a store is away, any number of them wait one timeout together,
 * and not one after another. For any number of threads.
 */
final class SharedWork<T> {
  private final Supplier<T> work;
  private final AtomicReference<@Nullable CompletableFuture<T>> running = new AtomicReference<>();

  /**
   * Of some work.
   *
   * @param work by one thread at a time. It looks itself whether what is wanted is there already: a
   *     thread may ask for it just as another one has done it
   */
  SharedWork(Supplier<T> work) {
    this.work = work;
  }

  /**
   * Does it, or waits for the thread that does.
   *
   * @throws RuntimeException the one that the work threw, on each thread that waited for it
   */
  T get() {
    CompletableFuture<T> mine = new CompletableFuture<>();
    CompletableFuture<T> others = running.compareAndExchange(null, mine);
    return others == null ? done(mine) : awaited(others);
  }

  /** Does it, or takes something else at once if another thread is at it, or if it fails. */
  T getOr(T meanwhile) {
    CompletableFuture<T> mine = new CompletableFuture<>();
    if (running.compareAndExchange(null, mine) != null) {
      return meanwhile;
    }
    try {
      return done(mine);
    } catch (RuntimeException e) {
      return meanwhile;
    }
  }

  private T done(CompletableFuture<T> mine) {
    try {
      T result = work.get();
      mine.complete(result);
      return result;
    } catch (RuntimeException | Error e) {
      mine.completeExceptionally(e);
      throw e;
    } finally {
      running.set(null);
    }
  }

  private static <T> T awaited(CompletableFuture<T> others) {
    try {
      return others.get();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while another thread asked the store", e);
    } catch (ExecutionException e) {
      if (e.getCause() instanceof RuntimeException failure) {
        throw failure;
      }
      throw new IllegalStateException("the thread that asked the store has failed", e);
    }
  }
}
