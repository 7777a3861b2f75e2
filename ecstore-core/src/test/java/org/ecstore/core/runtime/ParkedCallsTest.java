package org.ecstore.core.runtime;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.Predicate;
import org.ecstore.core.runtime.ParkedCalls.Parked;
import org.junit.jupiter.api.Test;

class ParkedCallsTest {
  private static final int MAX = 20;

  private final ParkedCalls<Integer> calls = new ParkedCalls<>(MAX);
  private final List<String> ran = new ArrayList<>();

  private Parked<Integer> park(int cause, long untilNanos) {
    return calls
        .park(cause, untilNanos, () -> ran.add("ready " + cause), () -> ran.add("late " + cause))
        .orElseThrow();
  }

  @Test
  void thoseThatEndTogetherEndInTheirOrder() {
    park(3, 10);
    park(1, 10);
    park(2, 10);
    calls.wake(cause -> cause != 1);
    assertEquals(List.of("ready 3", "ready 2"), ran);
    calls.expire(9);
    assertEquals(1, calls.size());
    calls.expire(10);
    assertEquals(List.of("ready 3", "ready 2", "late 1"), ran);
    assertEquals(0, calls.size());
  }

  @Test
  void whereTooManyWaitOneMoreIsLateAtOnce() {
    for (int i = 0; i < MAX; i++) {
      park(i, 10);
    }
    assertTrue(calls.park(99, 10, () -> ran.add("ready"), () -> ran.add("late")).isEmpty());
    assertEquals(List.of("late"), ran);
    assertEquals(MAX, calls.size());
    calls.wake(cause -> cause == 0);
    park(100, 10);
    assertEquals(MAX, calls.size());
  }

  @Test
  void deadlinesHoldWhereTheClockWrapsAround() {
    park(1, Long.MIN_VALUE + 1);
    calls.expire(Long.MAX_VALUE);
    assertEquals(List.of(), ran);
    calls.expire(Long.MIN_VALUE + 2);
    assertEquals(List.of("late 1"), ran);
  }

  @Test
  void whatIsTakenNeverEndsAgain() {
    Parked<Integer> one = park(1, 10);
    assertTrue(calls.take(one));
    assertFalse(calls.take(one));
    calls.wake(_ -> true);
    calls.expire(10);
    assertEquals(List.of(), ran);
  }

  /** As with a read that is resumed, has to wait again, and learns that the node has gone on. */
  @Test
  void oneThatRunsMayParkAgainAndWakeOthers() {
    for (int i = 0; i < MAX; i++) {
      int cause = i;
      calls.park(
          cause,
          10,
          () -> {
            ran.add("ready " + cause);
            park(cause + MAX, 20);
            calls.wake(other -> other < MAX);
          },
          () -> ran.add("late " + cause));
    }
    calls.wake(cause -> cause % 2 == 0);
    assertEquals(MAX, ran.size());
    assertEquals("ready 0", ran.getFirst());
    assertEquals("ready 1", ran.get(1));
    assertEquals(MAX, calls.size());
    calls.expire(20);
    assertEquals(2 * MAX, ran.size());
    assertEquals("late " + MAX, ran.get(MAX));
  }

  /** One that waits, as a list that is searched would have it. */
  private record Waiting(int cause, long untilNanos, Parked<Integer> parked) {}

  @Test
  void anyCourseIsThatOfAList() {
    for (int seed = 0; seed < 300; seed++) {
      new Course(seed).run();
    }
  }

  private static final class Course {
    private final Random random;
    private final ParkedCalls<Integer> calls = new ParkedCalls<>(MAX);
    private final List<Waiting> model = new ArrayList<>();
    private final List<String> ran = new ArrayList<>();
    private final List<String> expected = new ArrayList<>();
    private int parked;
    private long now = Long.MAX_VALUE - 50;

    Course(int seed) {
      random = new Random(seed);
    }

    void run() {
      for (int step = 0; step < 200; step++) {
        switch (random.nextInt(8)) {
          case 0 -> wake(3 + random.nextInt(3));
          case 1 -> expire();
          case 2, 3 -> take();
          default -> park();
        }
        assertEquals(expected, ran);
        assertEquals(model.size(), calls.size());
      }
    }

    private void park() {
      int cause = parked++;
      long until = now + random.nextInt(30);
      if (model.size() >= MAX) {
        expected.add("late " + cause);
      }
      calls
          .park(cause, until, () -> ran.add("ready " + cause), () -> ran.add("late " + cause))
          .ifPresent(one -> model.add(new Waiting(cause, until, one)));
    }

    private void wake(int divisor) {
      end("ready ", one -> one.cause() % divisor == 0);
      calls.wake(cause -> cause % divisor == 0);
    }

    private void expire() {
      now += random.nextInt(20);
      end("late ", one -> one.untilNanos() - now <= 0);
      calls.expire(now);
    }

    private void end(String how, Predicate<Waiting> goes) {
      model.stream().filter(goes).forEach(one -> expected.add(how + one.cause()));
      model.removeIf(goes);
    }

    private void take() {
      if (!model.isEmpty()) {
        Waiting one = model.remove(random.nextInt(model.size()));
        assertEquals(one.cause(), one.parked().cause());
        assertTrue(calls.take(one.parked()));
      }
    }
  }
}
