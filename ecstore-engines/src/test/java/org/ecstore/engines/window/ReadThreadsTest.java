package org.ecstore.engines.window;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.ecstore.core.port.EngineResult;
import org.ecstore.core.port.Event;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
final class ReadThreadsTest {
  private final CountDownLatch busy = new CountDownLatch(1);
  private final CountDownLatch go = new CountDownLatch(1);
  private final List<Long> done = new CopyOnWriteArrayList<>();

  /** The first result keeps its thread until it is told to go on. */
  private void take(Event event) {
    long token = ((Event.EngineDone) event).token();
    done.add(token);
    if (token == 1) {
      busy.countDown();
      awaitQuietly(go);
    }
  }

  private static void awaitQuietly(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  private static ReadThreads.Read readOf(long token) {
    Event result = new Event.EngineDone(token, new EngineResult.Applied());
    return new ReadThreads.Read(false, System.nanoTime(), () -> result, () -> result);
  }

  /** A thread that had found nothing to do was handing over results meanwhile. */
  @Test
  void readsThatWereTakenJustBeforeTheEndAreDone() throws InterruptedException {
    ReadThreads threads = new ReadThreads("reads-", 1, 10, TimeUnit.HOURS.toNanos(1), this::take);
    assertTrue(threads.submit(readOf(1)));
    awaitQuietly(busy);
    assertTrue(threads.submit(readOf(2)));
    Thread closer = Thread.ofPlatform().start(threads::stop);
    while (!threads.isStopping()) {
      Thread.onSpinWait();
    }
    go.countDown();
    closer.join();
    assertEquals(List.of(1L, 2L), done);
    assertFalse(threads.submit(readOf(3)));
  }
}
