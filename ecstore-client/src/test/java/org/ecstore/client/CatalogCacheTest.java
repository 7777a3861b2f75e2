package org.ecstore.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.ecstore.client.error.UnavailableException;
import org.ecstore.client.fake.FakeCluster;
import org.ecstore.client.fake.FakeTime;
import org.ecstore.client.fake.Fault;
import org.ecstore.client.fake.WaitingThreads;
import org.ecstore.client.retry.Backoff;
import org.ecstore.client.retry.Deadline;
import org.ecstore.client.session.Backend;
import org.ecstore.protocol.ClientRequest;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class CatalogCacheTest {
  private static final int READERS = 12;
  private static final Duration SHORT = Duration.ofMillis(200);

  private final FakeTime time = new FakeTime(1);
  private final FakeCluster fake = new FakeCluster(time, "n1:1");
  private final Backend backend =
      new Backend(
          fake,
          time,
          new Backoff(1_000_000, 100_000_000),
          Duration.ofSeconds(5),
          Duration.ofSeconds(30),
          1);
  private final CatalogCache cache = new CatalogCache(backend, EcStoreOptions.DEFAULT);

  @AfterEach
  void close() {
    backend.close();
  }

  /**
   * Each read of the catalog takes longer than what it finds holds for. Of those that ask meanwhile
   * one has to read again, and the others take that.
   */
  @Test
  void readersDoNotReadASlowCatalogOneAfterTheOther() throws InterruptedException {
    AtomicInteger reads = new AtomicInteger();
    CountDownLatch held = new CountDownLatch(1);
    fake.plan(
        (address, request) -> {
          if (request instanceof ClientRequest.Begin) {
            reads.incrementAndGet();
            hold(held);
            time.advance(CatalogCache.CONFIRMED_FOR.toNanos() + 1);
          }
          return new Fault.None();
        });
    AtomicInteger confirmed = new AtomicInteger();
    WaitingThreads readers =
        WaitingThreads.start(
            READERS,
            () -> {
              cache.confirmed(Deadline.after(time.nanos(), Duration.ofMinutes(5)));
              confirmed.incrementAndGet();
            });
    held.countDown();
    readers.join();
    assertEquals(READERS, confirmed.get());
    assertTrue(reads.get() < READERS / 2, reads::toString);
  }

  private CatalogVersion confirmedWithin(Duration most) {
    return cache.confirmed(Deadline.after(time.nanos(), most));
  }

  /** Each caller would begin it anew otherwise, and none would ever have it. */
  @Test
  void aReadThatIsLongerThanAnyCallerHasTimeForGoesOnForTheNext() {
    time.takeBeside();
    fake.plan((address, request) -> new Fault.SlowReply());
    assertThrows(UnavailableException.class, () -> confirmedWithin(SHORT));
    fake.plan((address, request) -> new Fault.None());
    assertEquals(1, time.runBeside());
    fake.plan((address, request) -> new Fault.NotSent());
    assertEquals(0, confirmedWithin(SHORT).number());
  }

  /** What is known is asked for again ahead of time, by one that may have no time for that. */
  @Test
  void whoHasLittleTimeIsAnsweredByWhatMayStillBeReliedOn() {
    time.takeBeside();
    CatalogVersion known = confirmedWithin(Duration.ofMinutes(5));
    time.advance(CatalogCache.CONFIRMED_FOR.toNanos() / 2 + 1);
    fake.plan((address, request) -> new Fault.SlowReply());
    long asked = time.nanos();
    assertEquals(known, confirmedWithin(SHORT));
    assertTrue(time.nanos() > asked, "it was asked for");
    assertTrue(time.nanos() - asked < SHORT.toNanos(), "and there is time left");
    time.advance(CatalogCache.CONFIRMED_FOR.toNanos());
    assertEquals(1, time.runBeside());
    assertThrows(UnavailableException.class, () -> confirmedWithin(SHORT));
  }

  /** What is known ends with the first half of its time, and there was no second one. */
  @Test
  void whoAsksAheadOfTimeHasAllItsTimeForThat() {
    CatalogVersion known = confirmedWithin(Duration.ofMinutes(5));
    time.advance(CatalogCache.CONFIRMED_FOR.toNanos() / 2 + 1);
    long back = time.nanos() + Duration.ofSeconds(8).toNanos();
    fake.plan((address, request) -> time.nanos() < back ? new Fault.NotSent() : new Fault.None());
    assertEquals(known.number(), confirmedWithin(Duration.ofSeconds(10)).number());
    assertTrue(time.nanos() >= back, "nodes were away");
  }

  private static void hold(CountDownLatch latch) {
    try {
      assertTrue(latch.await(30, TimeUnit.SECONDS));
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
}
