package org.ecstore.core.testing;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;
import org.awaitility.pollinterval.IterativePollInterval;

/**
 * How tests wait for what happens elsewhere: the thread of the test looks often at first and every
 * 32 ms later, and fails after two minutes with what it waited for. What a condition throws ends
 * the wait.
 */
public final class Await {
  private static final Duration PATIENCE = Duration.ofMinutes(2);
  private static final Duration LOOK_AT_FIRST = Duration.ofMillis(1);
  private static final Duration LOOK_LATER = Duration.ofMillis(32);

  private Await() {}

  /**
   * Returns once something holds.
   *
   * @param what is waited for, in a sentence; failures say it
   * @param holds is asked again and again; it may act, as one who sends until an answer comes
   */
  public static void until(String what, Callable<Boolean> holds) {
    patiently(what).until(holds);
  }

  /** Returns what is there once something is. */
  public static <T> T present(String what, Callable<Optional<T>> found) {
    AtomicReference<Optional<T>> last = new AtomicReference<>(Optional.empty());
    until(
        what,
        () -> {
          last.set(found.call());
          return last.get().isPresent();
        });
    return last.get().orElseThrow();
  }

  /** Failures of other threads are those of other tests: classes run beside each other. */
  private static ConditionFactory patiently(String what) {
    return Awaitility.await(what)
        .dontCatchUncaughtExceptions()
        .pollInSameThread()
        .pollDelay(0, TimeUnit.MILLISECONDS)
        .pollInterval(IterativePollInterval.iterative(Await::later, LOOK_AT_FIRST))
        .atMost(PATIENCE);
  }

  private static Duration later(Duration last) {
    return last.compareTo(LOOK_LATER) < 0 ? last.multipliedBy(2) : LOOK_LATER;
  }
}
