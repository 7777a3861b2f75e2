package org.ecstore.server.loop;

import java.util.HashMap;
import java.util.Map;
import java.util.TreeSet;
import org.ecstore.check.Check;
import org.ecstore.core.port.Clock;
import org.ecstore.core.port.Timers;
import org.jspecify.annotations.Nullable;

/**
 * The timers of one event loop, kept and fired on its thread. A token has one timer: to schedule it
 * again replaces it.
 *
 * <p>A timer has slack, as those of Linux have: it may wait for an eighth of its delay longer, 5 ms
 * at most, for another to fire with it. Each time that a thread wakes for a timer costs more than
 * what most do.
 */
final class LoopTimers implements Timers {
  private static final int SLACK_PART = 8;
  private static final long SLACK_NANOS_MAX = 5_000_000L;

  private final Clock clock;
  private final TreeSet<Timer> byDue = new TreeSet<>();
  private final Map<Long, Timer> byToken = new HashMap<>();
  private long scheduled;

  LoopTimers(Clock clock) {
    this.clock = clock;
  }

  /** The sequence number keeps timers of one moment in the order they were scheduled. */
  private record Timer(long dueNanos, long slackNanos, long sequence, long token)
      implements Comparable<Timer> {
    @Override
    public int compareTo(Timer other) {
      int byDue = Long.compare(dueNanos - other.dueNanos, 0);
      return byDue != 0 ? byDue : Long.compare(sequence, other.sequence);
    }
  }

  @Override
  public void schedule(long token, long delayNanos) {
    Check.that(delayNanos >= 0, "a timer fires in the future");
    cancel(token);
    long slack = Math.min(delayNanos / SLACK_PART, SLACK_NANOS_MAX);
    Timer timer = new Timer(clock.nanos() + delayNanos, slack, scheduled++, token);
    byDue.add(timer);
    byToken.put(token, timer);
  }

  @Override
  public void cancel(long token) {
    Timer timer = byToken.remove(token);
    if (timer != null) {
      byDue.remove(timer);
    }
  }

  /** Takes the token of the earliest timer that is due; null if none is. */
  @Nullable Long pollDue(long nowNanos) {
    if (byDue.isEmpty() || byDue.first().dueNanos() - nowNanos > 0) {
      return null;
    }
    Timer timer = byDue.removeFirst();
    byToken.remove(timer.token());
    return timer.token();
  }

  /**
   * Nanoseconds for which no timer has to fire, at least 0; {@code idle} if there is none. What is
   * due by then fires together.
   */
  long nanosToNext(long nowNanos, long idle) {
    long next = idle;
    for (Timer timer : byDue) {
      long due = timer.dueNanos() - nowNanos;
      if (due >= next) {
        break;
      }
      next = Math.min(next, Math.max(0, due + timer.slackNanos()));
    }
    return next;
  }
}
