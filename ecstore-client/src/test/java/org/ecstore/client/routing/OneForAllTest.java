package org.ecstore.client.routing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.function.Supplier;
import org.ecstore.client.error.EcStoreException;
import org.ecstore.client.error.ErrorCode;
import org.ecstore.client.error.OverloadedException;
import org.ecstore.client.error.UnavailableException;
import org.ecstore.client.fake.FakeTime;
import org.ecstore.client.fake.WaitingThreads;
import org.ecstore.client.retry.Deadline;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@Timeout(value = 60, unit = TimeUnit.SECONDS)
class OneForAllTest {
  private static final Duration LONG = Duration.ofSeconds(30);
  private static final int THREADS = 4;

  private final FakeTime time = new FakeTime(1);
  private final OneForAll numbers = new OneForAll("no number", time);
  private final AtomicInteger asked = new AtomicInteger();
  private final CountDownLatch held = new CountDownLatch(1);

  /** What became of each call: a code, or how much time was left when it was asked for. */
  private final ConcurrentLinkedQueue<Object> ends = new ConcurrentLinkedQueue<>();

  private Deadline within(Duration most) {
    return Deadline.after(time.nanos(), most);
  }

  private static EcStoreException failure(ErrorCode code) {
    return switch (code) {
      case OVERLOADED -> new OverloadedException("busy", null);
      case UNAVAILABLE -> new UnavailableException("away", null);
      default -> new EcStoreException(code, "of its own", null);
    };
  }

  /** The first to ask is held up, and then ends like this; the others end at once. */
  private Function<Deadline, Integer> first(Supplier<Integer> end) {
    return deadline -> {
      int number = asked.incrementAndGet();
      if (number == 1) {
        try {
          assertTrue(held.await(30, TimeUnit.SECONDS));
        } catch (InterruptedException e) {
          throw new IllegalStateException(e);
        }
        return end.get();
      }
      return Math.toIntExact(TimeUnit.NANOSECONDS.toSeconds(deadline.left(time.nanos())));
    };
  }

  private void call(Duration most, Function<Deadline, Integer> ask) {
    try {
      ends.add(numbers.get(within(most), Optional::empty, ask));
    } catch (EcStoreException e) {
      ends.add(e.code());
    }
  }

  private void call(Function<Deadline, Integer> ask) throws InterruptedException {
    WaitingThreads threads = WaitingThreads.start(THREADS, () -> call(LONG, ask));
    held.countDown();
    threads.join();
  }

  /** Work runs again after the one kind, and not after the other. */
  @ParameterizedTest
  @EnumSource(names = {"UNAVAILABLE", "OVERLOADED"})
  void thoseWhoWaitAreToldOfTheSameKindOfFailure(ErrorCode code) throws Exception {
    call(
        first(
            () -> {
              throw failure(code);
            }));
    assertEquals(Collections.nCopies(THREADS, code), List.copyOf(ends));
    assertEquals(1, asked.get());
  }

  @ParameterizedTest
  @EnumSource(names = {"UNAVAILABLE", "OVERLOADED"})
  void whoHasMoreTimeThanTheOneThatFailedAsks(ErrorCode code) throws Exception {
    Function<Deadline, Integer> ask =
        first(
            () -> {
              throw failure(code);
            });
    WaitingThreads one = WaitingThreads.start(1, () -> call(LONG.multipliedBy(2), ask));
    WaitingThreads patient = WaitingThreads.start(1, () -> call(LONG.multipliedBy(4), ask));
    held.countDown();
    one.join();
    patient.join();
    assertEquals(Set.of(code, 120), Set.copyOf(ends));
  }

  /** Their own transactions are not in doubt, and they may be luckier. */
  @ParameterizedTest
  @EnumSource(names = {"CONFLICT", "UNKNOWN_OUTCOME", "WRONG_ARGUMENT", "PROTOCOL"})
  void otherFailuresAreOfTheOneThatHasThem(ErrorCode code) throws Exception {
    call(
        first(
            () -> {
              throw failure(code);
            }));
    assertTrue(ends.remove(code));
    assertEquals(Collections.nCopies(THREADS - 1, 30), List.copyOf(ends));
  }

  /** A call would take twice its time otherwise. */
  @Test
  void whoHasWaitedHasTheRestOfItsTimeToAsk() throws Exception {
    call(
        first(
            () -> {
              time.advance(LONG.toNanos() * 2 / 3);
              return -1;
            }));
    assertTrue(ends.remove(-1));
    assertEquals(Collections.nCopies(THREADS - 1, 10), List.copyOf(ends));
  }

  @Test
  void whoHasWaitedAllItsTimeDoesNotAsk() throws Exception {
    call(
        first(
            () -> {
              time.advance(LONG.toNanos() + 1);
              return -1;
            }));
    assertTrue(ends.remove(-1));
    assertEquals(Collections.nCopies(THREADS - 1, ErrorCode.UNAVAILABLE), List.copyOf(ends));
    assertEquals(1, asked.get());
  }

  private int tooSlow(Deadline deadline) {
    asked.incrementAndGet();
    throw failure(ErrorCode.UNAVAILABLE);
  }

  @Test
  void whatNoCallerHasTimeForGoesOnBesideThem() throws Exception {
    time.takeBeside();
    OneForAll hurried = new OneForAll("no number", time, LONG.multipliedBy(3));
    assertThrows(
        UnavailableException.class,
        () -> hurried.get(within(LONG), Optional::empty, this::tooSlow));
    assertEquals(
        Optional.empty(),
        hurried.getUnlessAsked(within(LONG), this::tooSlow),
        "it is asked for still");
    AtomicInteger got = new AtomicInteger();
    Supplier<Optional<Integer>> there =
        () -> got.get() == 0 ? Optional.empty() : Optional.of(got.get());
    WaitingThreads next =
        WaitingThreads.start(1, () -> ends.add(hurried.get(within(LONG), there, this::tooSlow)));
    got.set(7);
    assertEquals(1, time.runBeside());
    next.join();
    assertEquals(List.of(7), List.copyOf(ends));
    assertEquals(2, asked.get(), "by the first, and beside it");
    assertEquals(0, time.runBeside(), "it does not go on for ever");
  }

  /** As where there is no room for a thread. */
  @Test
  void whereNothingCanGoOnTheNextOneAsks() {
    OneForAll hurried = new OneForAll("no number", time, LONG.multipliedBy(3));
    for (int i = 1; i <= 2; i++) {
      assertThrows(
          UnavailableException.class,
          () -> hurried.get(within(LONG), Optional::empty, this::tooSlow));
      assertEquals(i, asked.get());
    }
  }

  /** It was taken to be asked for ever after. */
  @Test
  void whereGoingOnFailsTheNextOneAsks() {
    ClientTime full =
        new ClientTime() {
          @Override
          public long nanos() {
            return time.nanos();
          }

          @Override
          public boolean pause(long nanos) {
            return time.pause(nanos);
          }

          @Override
          public double random() {
            return time.random();
          }

          @Override
          public boolean beside(String name, Runnable work) {
            throw new IllegalStateException("no thread");
          }
        };
    OneForAll hurried = new OneForAll("no number", full, LONG.multipliedBy(3));
    assertThrows(
        IllegalStateException.class,
        () -> hurried.get(within(LONG), Optional::empty, this::tooSlow));
    assertEquals(Optional.of(7), hurried.getUnlessAsked(within(LONG), deadline -> 7));
  }

  @Test
  void whoWaitsInVainForWhatGoesOnIsToldForWhatItDoes() {
    time.takeBeside();
    OneForAll hurried = new OneForAll("no number", time, LONG.multipliedBy(3));
    EcStoreException first =
        assertThrows(
            UnavailableException.class,
            () -> hurried.get(within(LONG), Optional::empty, this::tooSlow));
    EcStoreException late =
        assertThrows(
            UnavailableException.class,
            () -> hurried.get(within(Duration.ZERO), Optional::empty, this::tooSlow));
    assertSame(first, late.getCause());
    assertEquals(1, asked.get());
  }

  @Test
  void whatIsAskedWithinAskingWaitsForNothing() {
    String got =
        numbers.get(
            within(LONG),
            Optional::empty,
            outer -> "outer " + numbers.get(outer, Optional::empty, inner -> "inner"));
    assertEquals("outer inner", got);
  }

  @Test
  void whatIsAtHandIsGivenToAThreadThatIsInterrupted() {
    Thread.currentThread().interrupt();
    try {
      assertEquals(1, numbers.get(within(LONG), () -> Optional.of(1), deadline -> 2));
    } finally {
      assertTrue(Thread.interrupted());
    }
  }
}
