package org.ecstore.sim.world;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

final class SchedulerTest {
  private record Due(long timeNanos, int given) {}

  private final Scheduler scheduler = new Scheduler();
  private final List<Due> given = new ArrayList<>();
  private final List<Due> ran = new ArrayList<>();

  private void give(long timeNanos, Runnable then) {
    Due due = new Due(Math.max(timeNanos, scheduler.nowNanos()), given.size());
    given.add(due);
    scheduler.at(
        timeNanos,
        () -> {
          assertEquals(due.timeNanos(), scheduler.nowNanos());
          ran.add(due);
          then.run();
        });
  }

  /** Tasks give tasks, some for a time that is over, many for one time. */
  @Test
  void tasksRunInOrderOfTimeAndThenAsTheyWereGiven() {
    Random random = new Random(7);
    for (int i = 0; i < 2_000; i++) {
      give(random.nextInt(500), () -> give(random.nextInt(700), () -> {}));
    }
    int steps = 0;
    while (scheduler.step(Long.MAX_VALUE)) {
      steps++;
    }
    assertEquals(4_000, steps);
    List<Due> expected = new ArrayList<>(given);
    expected.sort(Comparator.comparingLong(Due::timeNanos).thenComparingInt(Due::given));
    assertEquals(expected, ran);
  }

  @Test
  void timeMovesToTheLimitWhereNothingIsDue() {
    give(100, () -> {});
    assertFalse(scheduler.step(99));
    assertEquals(99, scheduler.nowNanos());
    assertEquals(List.of(), ran);
    assertTrue(scheduler.step(100));
    assertEquals(100, scheduler.nowNanos());
    assertFalse(scheduler.step(50));
    assertEquals(100, scheduler.nowNanos());
  }
}
