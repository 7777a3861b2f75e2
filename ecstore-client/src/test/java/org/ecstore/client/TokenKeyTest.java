package org.ecstore.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.ecstore.client.error.EcStoreException;
import org.ecstore.client.error.UnavailableException;
import org.ecstore.client.fake.Fault;
import org.ecstore.client.fake.WaitingThreads;
import org.ecstore.client.retry.Deadline;
import org.ecstore.client.routing.ClientTime;
import org.ecstore.client.token.PageTokens;
import org.ecstore.id.ReadPoint;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The key of tokens is asked for by one thread, for all that need it. */
@Timeout(60)
class TokenKeyTest {
  private static final int THREADS = 8;

  private final AtomicInteger asked = new AtomicInteger();
  private final CountDownLatch away = new CountDownLatch(1);
  private volatile boolean answers;

  private final PageTokens tokens =
      new PageTokens(
          this::key,
          ClientTime.system(),
          () -> Deadline.after(System.nanoTime(), Duration.ofSeconds(30)));
  private final Queue<EcStoreException> failures = new ConcurrentLinkedQueue<>();

  /** A store that does not answer until its time is up. */
  private byte[] key() {
    asked.incrementAndGet();
    if (answers) {
      return new byte[16];
    }
    try {
      assertTrue(away.await(30, TimeUnit.SECONDS));
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
    throw new UnavailableException("no node could be asked before the deadline", null);
  }

  private void seal() {
    try {
      tokens.formatSession(ReadPoint.ZERO);
    } catch (EcStoreException e) {
      failures.add(e);
    }
  }

  /** Each of them would try for the whole time otherwise, one after the other. */
  @Test
  void thoseWhoWaitTakeTheFailureOfTheOneThatAsks() throws InterruptedException {
    WaitingThreads threads = WaitingThreads.start(THREADS, this::seal);
    away.countDown();
    threads.join();
    assertEquals(THREADS, failures.size());
    assertEquals(1, asked.get());
    assertThrows(UnavailableException.class, () -> tokens.formatSession(ReadPoint.ZERO));
    assertEquals(2, asked.get(), "who comes later asks anew");
    answers = true;
    tokens.formatSession(ReadPoint.ZERO);
    tokens.formatSession(ReadPoint.ZERO);
    assertEquals(3, asked.get());
  }

  /** It took all the time that the store has for an operation. */
  @Test
  void withinATransactionItTakesNoLongerThanThatHas() {
    Duration most = Duration.ofSeconds(3);
    try (StoreFixture fixture = new StoreFixture(1)) {
      fixture.cluster.plan((address, request) -> new Fault.NotSent());
      long start = fixture.time.nanos();
      assertThrows(
          UnavailableException.class,
          () ->
              fixture
                  .store
                  .within(most)
                  .transact(
                      tx -> {
                        asked.incrementAndGet();
                        return fixture.store.sealedToken();
                      }));
      Duration took = Duration.ofNanos(fixture.time.nanos() - start);
      assertTrue(asked.get() > 0, "it began");
      assertTrue(took.compareTo(most) <= 0, "took " + took);
    }
  }
}
