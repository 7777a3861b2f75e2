package org.ecstore.core.runtime;

import org.ecstore.core.port.Clock;
import org.ecstore.core.port.OperatorLog;
import org.ecstore.core.port.Repeats;

/** An operator log that says what {@link Repeats} lets through. For one thread. */
public final class RateLimitedLog implements OperatorLog {
  private final OperatorLog log;
  private final Repeats repeats;

  /** Over the operator log that lines go to. */
  public RateLimitedLog(OperatorLog log, Clock clock) {
    this.log = log;
    this.repeats = new Repeats(clock);
  }

  @Override
  public void info(String text) {
    repeats.toSay(text).ifPresent(log::info);
  }

  @Override
  public void warn(String text) {
    repeats.toSay(text).ifPresent(log::warn);
  }

  /** What was tried has succeeded, or is not tried any more: the next line is news again. */
  public void settled() {
    repeats.settled();
  }
}
