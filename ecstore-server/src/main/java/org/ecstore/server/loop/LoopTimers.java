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
 */
final class LoopTimers implements Timers {
  private final Clock clock;
  private final TreeSet<Timer> byDue = new TreeSet<>();
  private final Map<Long, Timer> byToken = new HashMap<>();
  private long scheduled;

  LoopTimers(Clock clock) {
    this.clock = clock;
  }

  /** The sequence number keeps timers of one moment in the order they were scheduled. */
  private record Timer(long dueNanos, long sequence, long token) implements Comparable<Timer> {
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
    Timer timer = new Timer(clock.nanos() + delayNanos, scheduled++, token);
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

  /** Nanoseconds until the earliest timer is due, at least 0; {@code idle} if there is none. */
  long nanosToNext(long nowNanos, long idle) {
    return byDue.isEmpty() ? idle : Math.max(0, byDue.first().dueNanos() - nowNanos);
  }
}
