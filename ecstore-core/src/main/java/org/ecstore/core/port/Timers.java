package org.ecstore.core.port;

/** One-shot timers by token; firing is an {@link Event.TimerFired}. */
public interface Timers {
  /** Fires once after a delay, counted from now. */
  void schedule(long token, long delayNanos);

  /** Forgets a timer; an event already on its way may still arrive. */
  void cancel(long token);
}
