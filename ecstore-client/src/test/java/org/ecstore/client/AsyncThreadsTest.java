package org.ecstore.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.ecstore.client.error.UnavailableException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

@Timeout(60)
class AsyncThreadsTest {
  static Stream<AsyncThreads> both() {
    return Stream.of(AsyncThreads.start(), AsyncThreads.onPlatformThreads());
  }

  @ParameterizedTest
  @MethodSource("both")
  void whatIsTooMuchIsRefusedAndTheRestIsDone(AsyncThreads threads) throws Exception {
    CountDownLatch go = new CountDownLatch(1);
    CountDownLatch done = new CountDownLatch(AsyncThreads.WORK_MAX);
    AtomicInteger atOnce = new AtomicInteger();
    AtomicInteger most = new AtomicInteger();
    try (threads) {
      for (int i = 0; i < AsyncThreads.WORK_MAX; i++) {
        threads.execute(
            () -> {
              most.accumulateAndGet(atOnce.incrementAndGet(), Math::max);
              await(go);
              atOnce.decrementAndGet();
              done.countDown();
            });
      }
      assertThrows(RejectedExecutionException.class, () -> threads.execute(() -> {}));
      go.countDown();
      assertTrue(done.await(30, TimeUnit.SECONDS));
      assertTrue(most.get() <= AsyncThreads.RUNNING_MAX, most::toString);
      // There is room again.
      CompletableFuture<String> last = new CompletableFuture<>();
      executeSoon(threads, () -> last.complete("done"));
      assertEquals("done", last.get(30, TimeUnit.SECONDS));
    }
  }

  /** The last pieces count for a moment after what they did is seen. */
  private static void executeSoon(AsyncThreads threads, Runnable piece) {
    while (true) {
      try {
        threads.execute(piece);
        return;
      } catch (RejectedExecutionException e) {
        Thread.onSpinWait();
      }
    }
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Also where what runs takes no notice of the end. */
  @ParameterizedTest
  @MethodSource("both")
  void whatWaitsAtTheEndIsRunAllTheSame(AsyncThreads threads) throws Exception {
    Semaphore held = new Semaphore(0);
    int running = 64;
    for (int i = 0; i < running; i++) {
      threads.execute(held::acquireUninterruptibly);
    }
    int waiting = AsyncThreads.WORK_MAX - running;
    CountDownLatch done = new CountDownLatch(waiting);
    for (int i = 0; i < waiting; i++) {
      executeSoon(threads, done::countDown);
    }
    threads.close();
    assertTrue(done.await(30, TimeUnit.SECONDS));
    assertThrows(RejectedExecutionException.class, () -> threads.execute(() -> {}));
    held.release(running);
  }

  @Test
  void aThousandReadsThatWaitKeepNoThreadOfTheSystem() {
    assertTrue(Runtime.version().feature() >= 21, "the tests of this library run on a later Java");
    try (StoreFixture fixture = new StoreFixture(1)) {
      String thread = fixture.store.readAsync(at -> Thread.currentThread().toString()).join();
      assertTrue(thread.startsWith("VirtualThread"), thread);
    }
  }

  @Test
  void aStoreWithTooMuchToDoSaysSo() {
    try (StoreFixture fixture =
        new StoreFixture(
            1,
            EcStoreOptions.DEFAULT.executor(
                piece -> {
                  throw new RejectedExecutionException("full");
                }))) {
      assertThrows(UnavailableException.class, () -> fixture.store.readAsync(at -> 1));
    }
  }
}
