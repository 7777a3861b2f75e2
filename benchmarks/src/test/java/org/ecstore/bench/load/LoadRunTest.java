package org.ecstore.bench.load;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class LoadRunTest {
  private static final Duration MEASURED = Duration.ofSeconds(2);
  private static final long STALL_MILLIS = 500;
  private static final double RATE = 2000;

  /** Answers at once, but for one time, in the middle, when it stalls. */
  private static Load stallingOnce(long stallMillis) {
    return stallingOnce(stallMillis, MEASURED.dividedBy(4));
  }

  private static Load stallingOnce(long stallMillis, Duration after) {
    return (_, _) -> {
      long begun = System.nanoTime();
      boolean[] stalled = {false};
      return () -> {
        if (!stalled[0] && System.nanoTime() - begun > after.toNanos()) {
          stalled[0] = true;
          // No thread counts it down.
          assertTrue(!new CountDownLatch(1).await(stallMillis, TimeUnit.MILLISECONDS));
        }
        return LoadOutcome.done("read", 1);
      };
    };
  }

  private static Measured measured(Load load, double rate) throws InterruptedException {
    Pace pace = new Pace(1, rate, Duration.ZERO, MEASURED);
    return new LoadRun(load, pace, List.of(), _ -> {}).run();
  }

  @Test
  void anOpenLoopCountsTheWaitOfAllWhoCameDuringAStall() throws InterruptedException {
    Measured measured = measured(stallingOnce(STALL_MILLIS), RATE);
    long p99 = measured.latency().getValueAtPercentile(99);
    assertTrue(p99 > TimeUnit.MILLISECONDS.toNanos(STALL_MILLIS / 2), p99 + " ns");
    assertTrue(measured.operations() <= RATE * MEASURED.toSeconds() + 1);
  }

  @Test
  void anOpenLoopCountsAStallThatOutlastsTheMeasurement() throws InterruptedException {
    Duration late = MEASURED.minusMillis(STALL_MILLIS / 2);
    Measured measured = measured(stallingOnce(2 * STALL_MILLIS, late), RATE);
    long waited = TimeUnit.MILLISECONDS.toNanos(STALL_MILLIS);
    long p95 = measured.latency().getValueAtPercentile(95);
    assertTrue(p95 > waited, p95 + " ns");
    assertEquals(RATE * MEASURED.toSeconds(), (double) measured.due(), 1);
    assertEquals(measured.due(), measured.operations());
    assertTrue(measured.perSecond() < RATE, "what ended later was not done within the time");
  }

  @Test
  void whatHasNotBegunWhenPatienceEndsIsSaidWithItsWait() throws InterruptedException {
    Pace pace = new Pace(1, RATE, Duration.ZERO, MEASURED);
    Load load = stallingOnce(3 * STALL_MILLIS, MEASURED.minusMillis(STALL_MILLIS));
    Duration timeout = Duration.ofMillis(STALL_MILLIS);
    Measured measured = new LoadRun(load, pace, List.of(), _ -> {}, timeout).run();
    long undone = measured.undone().getTotalCount();
    assertTrue(undone > RATE * STALL_MILLIS / 1000 / 2, undone + " undone");
    assertEquals(RATE * MEASURED.toSeconds(), (double) measured.due(), 1);
    assertEquals(measured.due(), measured.operations() + undone);
    assertEquals(measured.due(), measured.latency().getTotalCount());
    assertTrue(measured.undone().getMinValue() >= timeout.toNanos() * 0.99);
  }

  @Test
  void failuresOfWhatWasDueInTheWarmUpAreCountedIfTheyComeLater() throws InterruptedException {
    Duration warmUp = Duration.ofMillis(STALL_MILLIS);
    Load load =
        (_, _) ->
            () -> {
              assertTrue(!new CountDownLatch(1).await(2 * STALL_MILLIS, TimeUnit.MILLISECONDS));
              return LoadOutcome.failed("read", "UNAVAILABLE");
            };
    Pace pace = new Pace(1, RATE, warmUp, MEASURED);
    Measured measured =
        new LoadRun(load, pace, List.of(), _ -> {}, Duration.ofMillis(STALL_MILLIS)).run();
    assertTrue(measured.failed() > 0);
    assertEquals(0, measured.operations());
    assertEquals(RATE * MEASURED.toSeconds(), (double) measured.due(), 1);
  }

  @Test
  void whatDidNotBeginInTheWarmUpIsLeftOutOfAnOpenLoop() throws InterruptedException {
    Duration warmUp = Duration.ofMillis(2 * STALL_MILLIS);
    AtomicLong calls = new AtomicLong();
    Load load =
        (_, _) ->
            () -> {
              if (calls.getAndIncrement() == 0) {
                assertTrue(!new CountDownLatch(1).await(STALL_MILLIS, TimeUnit.MILLISECONDS));
              }
              return LoadOutcome.done("read", 1);
            };
    Pace pace = new Pace(1, RATE, warmUp, MEASURED);
    Measured measured = new LoadRun(load, pace, List.of(), _ -> {}).run();
    assertEquals(RATE * MEASURED.toSeconds(), (double) measured.due(), 1);
    assertEquals(measured.due(), measured.operations());
    double stalled = RATE * STALL_MILLIS / 1000;
    assertTrue(calls.get() <= measured.due() + stalled + 2, calls + " calls");
  }

  @Test
  void aClosedLoopHidesIt() throws InterruptedException {
    Measured measured = measured(stallingOnce(STALL_MILLIS), 0);
    long p99 = measured.latency().getValueAtPercentile(99);
    assertTrue(p99 < TimeUnit.MILLISECONDS.toNanos(STALL_MILLIS / 2), p99 + " ns");
    assertTrue(
        measured.latency().getMaxValue() >= TimeUnit.MILLISECONDS.toNanos(STALL_MILLIS) * 0.99);
  }

  @Test
  void failuresAndAbortsAreCountedByKindAndNotTimed() throws InterruptedException {
    AtomicLong calls = new AtomicLong();
    Load load =
        (_, _) ->
            () ->
                switch ((int) (calls.getAndIncrement() % 3)) {
                  case 0 -> new LoadOutcome("write", 2, 1, Optional.empty());
                  case 1 -> LoadOutcome.failed("write", "UNAVAILABLE");
                  default -> LoadOutcome.done("read", 1);
                };
    Measured measured = measured(load, RATE);
    assertEquals(measured.errors(), java.util.Map.of("write: UNAVAILABLE", measured.failed()));
    long writes = count(measured, "write");
    long reads = count(measured, "read");
    assertEquals(writes, measured.aborts());
    // Records count when they end, operations when they are due: some lie across an end.
    double expected = writes * 2 + reads;
    assertEquals(expected, (double) measured.records(), expected / 4);
    assertEquals(writes + reads, measured.operations());
    assertTrue(Math.abs(writes - reads) <= 1 && Math.abs(writes - measured.failed()) <= 1);
  }

  private static long count(Measured measured, String kind) {
    return measured.latencies().entrySet().stream()
        .filter(each -> each.getKey().equals(kind))
        .mapToLong(each -> each.getValue().getTotalCount())
        .sum();
  }

  @Test
  void aClientThatThrowsEndsTheRun() {
    Load load =
        (number, _) ->
            () -> {
              if (number == 1) {
                throw new IllegalStateException("a bug");
              }
              return LoadOutcome.done("read", 1);
            };
    Pace pace = new Pace(2, 0, Duration.ZERO, Duration.ofMinutes(10));
    IllegalStateException thrown =
        assertThrows(
            IllegalStateException.class, () -> new LoadRun(load, pace, List.of(), _ -> {}).run());
    assertTrue(String.valueOf(thrown.getMessage()).contains("a bug"), thrown::toString);
  }
}
