package org.ecstore.engines.window;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.ecstore.core.port.EngineResult;
import org.ecstore.core.port.Event;
import org.ecstore.engines.window.WindowThreads.Bounds;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What the threads of an engine take, in which order it is done, and what they refuse. */
@Timeout(60)
final class WindowThreadsTest {
  private static final long HOUR_NANOS = TimeUnit.HOURS.toNanos(1);

  private final CountDownLatch busy = new CountDownLatch(1);
  private final CountDownLatch go = new CountDownLatch(1);

  /** Results of reads, and what was refused as its negative. */
  private final List<Long> done = new CopyOnWriteArrayList<>();

  private WindowThreads threads(int readsMax, long readWaitNanos, int changesMax) {
    return new WindowThreads(
        "test", new Bounds(1, readsMax, readWaitNanos, changesMax, false), this::take);
  }

  private void take(Event event) {
    long token = ((Event.EngineDone) event).token();
    done.add(token);
    if (Math.abs(token) == 1) {
      block();
    }
  }

  private static Event result(long token) {
    return new Event.EngineDone(token, new EngineResult.Applied());
  }

  private static boolean read(WindowThreads threads, long token) {
    return threads.read(false, () -> Optional.of(result(token)), () -> result(-token));
  }

  private void change(WindowThreads threads, long token) {
    threads.change(() -> done.add(token), () -> done.add(-token));
  }

  /** Until it is told to go on. */
  private void block() {
    busy.countDown();
    awaitQuietly(go);
  }

  private static void awaitQuietly(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  /** The result of the first read keeps the thread. */
  private void blockReads(WindowThreads threads) {
    assertTrue(read(threads, 1));
    awaitQuietly(busy);
  }

  @Test
  void readsBeyondTheBoundAreRefusedAtOnce() {
    WindowThreads threads = threads(3, HOUR_NANOS, 10);
    blockReads(threads);
    assertTrue(read(threads, 2) && read(threads, 3) && read(threads, 4));
    assertFalse(read(threads, 5));
    go.countDown();
    threads.close();
    assertEquals(List.of(1L, 2L, 3L, 4L), done);
  }

  /** Those behind them are done at once, and not after work that no caller waits for any more. */
  @Test
  void readsThatHaveWaitedTooLongAreRefusedWithoutBeingDone() {
    WindowThreads threads = threads(10, 1, 10);
    blockReads(threads);
    assertTrue(read(threads, 2) && read(threads, 3));
    go.countDown();
    threads.close();
    assertEquals(List.of(-2L, -3L), done.subList(1, 3));
  }

  /** Of a server that does not answer the first one of them. */
  @Test
  void noShortReadWaitsForAnotherOneThatAsksAServer() {
    Bounds bounds = new Bounds(2, 10, HOUR_NANOS, 10, false).withServer();
    CountDownLatch second = new CountDownLatch(1);
    WindowThreads threads =
        new WindowThreads(
            "test",
            bounds,
            event -> {
              take(event);
              second.countDown();
            });
    threads.read(
        false,
        () -> {
          block();
          return Optional.of(result(3));
        },
        () -> result(-3));
    awaitQuietly(busy);
    assertTrue(read(threads, 2));
    awaitQuietly(second);
    assertEquals(List.of(2L), done);
    go.countDown();
    threads.close();
    assertEquals(List.of(2L, 3L), done);
  }

  /** As four scans of a server that is slow, and more: there were four threads. */
  @Test
  void readsThatHangLeaveOthersAThread() {
    Bounds bounds = new Bounds(Bounds.DEFAULT.readers(), 100, HOUR_NANOS, 10, false).withServer();
    int hanging = 15;
    CountDownLatch hang = new CountDownLatch(hanging);
    CountDownLatch answered = new CountDownLatch(1);
    WindowThreads threads =
        new WindowThreads(
            "test",
            bounds,
            event -> {
              done.add(((Event.EngineDone) event).token());
              answered.countDown();
            });
    for (int i = 0; i < hanging; i++) {
      threads.read(
          true,
          () -> {
            hang.countDown();
            awaitQuietly(go);
            return Optional.of(result(3));
          },
          () -> result(-3));
    }
    awaitQuietly(hang);
    assertTrue(read(threads, 2));
    awaitQuietly(answered);
    assertEquals(List.of(2L), done);
    go.countDown();
    threads.close();
    assertEquals(Collections.nCopies(hanging, 3L), done.subList(1, done.size()));
  }

  @Test
  void changesBeyondTheBoundAreRefusedAtOnce() {
    WindowThreads threads = threads(10, HOUR_NANOS, 2);
    threads.change(this::block, () -> done.add(-1L));
    awaitQuietly(busy);
    for (long token = 2; token <= 5; token++) {
      change(threads, token);
    }
    assertEquals(List.of(-4L, -5L), done);
    go.countDown();
    threads.close();
    assertEquals(List.of(-4L, -5L, 2L, 3L), done);
  }

  @Test
  void aChangeThatFailsKeepsNoOtherFromBeingDone() {
    WindowThreads threads = threads(10, HOUR_NANOS, 10);
    threads.change(
        () -> {
          throw new IllegalStateException("a bug");
        },
        () -> done.add(-1L));
    change(threads, 2);
    threads.close();
    assertEquals(List.of(2L), done);
  }

  @Test
  void whatWasTakenBeforeTheEndIsDoneAndTheRestIsRefused() {
    WindowThreads threads = threads(10, HOUR_NANOS, 10);
    blockReads(threads);
    assertTrue(read(threads, 2));
    change(threads, 3);
    go.countDown();
    threads.close();
    assertTrue(done.containsAll(List.of(1L, 2L, 3L)), done::toString);
    change(threads, 4);
    assertEquals(-4L, done.getLast());
    assertFalse(read(threads, 5));
  }
}
