package org.ecstore.client.routing;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.ecstore.client.error.EcStoreException;
import org.ecstore.client.error.ErrorCode;
import org.ecstore.client.error.OverloadedException;
import org.ecstore.client.error.UnavailableException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(value = 60, unit = TimeUnit.SECONDS)
class OneForAllTest {
  private static final Duration LONG = Duration.ofSeconds(30);

  private final OneForAll numbers = new OneForAll("a number");

  /** Work runs again after the one kind, and not after the other. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void whoWaitsIsToldOfTheSameKindOfFailure(boolean isOverload) throws Exception {
    CountDownLatch asked = new CountDownLatch(1);
    CountDownLatch answered = new CountDownLatch(1);
    EcStoreException failure =
        isOverload ? new OverloadedException("busy", null) : new UnavailableException("away", null);
    AtomicReference<Thread> waiting = new AtomicReference<>();
    ExecutorService threads = Executors.newFixedThreadPool(2);
    try {
      Future<EcStoreException> first =
          threads.submit(
              () ->
                  assertThrows(
                      UnavailableException.class,
                      () ->
                          numbers.get(
                              LONG,
                              Optional::empty,
                              () -> {
                                asked.countDown();
                                awaitQuietly(answered);
                                throw failure;
                              })));
      asked.await();
      Future<UnavailableException> second =
          threads.submit(
              () -> {
                waiting.set(Thread.currentThread());
                return assertThrows(
                    UnavailableException.class,
                    () ->
                        numbers.get(
                            LONG,
                            Optional::empty,
                            () -> {
                              throw new AssertionError("it was asked for again");
                            }));
              });
      await()
          .until(
              () -> {
                Thread thread = waiting.get();
                return thread != null && thread.getState() == Thread.State.TIMED_WAITING;
              });
      answered.countDown();
      assertEquals(failure, first.get());
      assertEquals(isOverload ? ErrorCode.OVERLOADED : ErrorCode.UNAVAILABLE, second.get().code());
    } finally {
      threads.shutdownNow();
    }
  }

  @Test
  void whatIsAtHandIsGivenToAThreadThatIsInterrupted() {
    Thread.currentThread().interrupt();
    try {
      assertEquals(1, numbers.get(LONG, () -> Optional.of(1), () -> 2));
    } finally {
      assertTrue(Thread.interrupted());
    }
  }

  private static void awaitQuietly(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
}
