package org.ecstore.cluster.bookkeeper;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.ecstore.cluster.bookkeeper.metadata.Metadata;
import org.ecstore.cluster.bookkeeper.segment.Futures;

/** Stands between a ledger and ZooKeeper, and does to writes of the list what a test says. */
final class Gate implements Metadata {
  private static final long ARRIVAL_SECONDS = 60;

  private final Metadata inner;
  private final ArrayDeque<Fate> fates = new ArrayDeque<>();
  private final ArrayDeque<Runnable> held = new ArrayDeque<>();
  private int writes;

  Gate(Metadata inner) {
    this.inner = inner;
  }

  /** What becomes of a write of the list. */
  enum Fate {
    /** It waits until it is let go. */
    HELD,
    /** It is done, but the answer is lost. */
    DONE_WITHOUT_ANSWER,
    /** It is lost. */
    LOST,
    /** The answer is lost, and it is done a little later. */
    DONE_LATE
  }

  /** Says what becomes of the next write that nothing was said about yet. */
  synchronized void next(Fate fate) {
    fates.add(fate);
  }

  synchronized int writes() {
    return writes;
  }

  /** Waits until a write is held. */
  synchronized void awaitHeld() throws InterruptedException {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(ARRIVAL_SECONDS);
    while (held.isEmpty()) {
      long left = TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime());
      if (left <= 0) {
        throw new AssertionError("no write of the list comes");
      }
      wait(left);
    }
  }

  /** Lets a held write go. */
  synchronized void release() {
    held.remove().run();
  }

  @Override
  public CompletableFuture<Versioned> readSegments() {
    return inner.readSegments();
  }

  @Override
  public synchronized CompletableFuture<Integer> writeSegments(byte[] data, int version) {
    writes++;
    Fate fate = fates.poll();
    if (fate == null) {
      return inner.writeSegments(data, version);
    }
    return switch (fate) {
      case HELD -> hold(data, version);
      case LOST -> lost();
      case DONE_WITHOUT_ANSWER ->
          inner.writeSegments(data, version).thenCompose(_ -> Gate.<Integer>lost());
      case DONE_LATE -> {
        CompletableFuture.delayedExecutor(60, TimeUnit.MILLISECONDS, Runnable::run)
            .execute(() -> Futures.forget(inner.writeSegments(data, version)));
        yield lost();
      }
    };
  }

  private CompletableFuture<Integer> hold(byte[] data, int version) {
    CompletableFuture<Integer> result = new CompletableFuture<>();
    held.add(
        () ->
            Futures.forget(
                inner
                    .writeSegments(data, version)
                    .whenComplete(
                        (now, failure) -> {
                          if (failure == null) {
                            result.complete(now);
                          } else {
                            result.completeExceptionally(failure);
                          }
                        })));
    notifyAll();
    return result;
  }

  private static <T> CompletableFuture<T> lost() {
    return CompletableFuture.failedFuture(new IOException("connection lost"));
  }

  @Override
  public CompletableFuture<List<String>> writableBookies() {
    return inner.writableBookies();
  }

  @Override
  public void close() {
    inner.close();
  }
}
