package org.ecstore.server.loop;

import java.util.ArrayList;
import java.util.List;
import org.ecstore.core.port.Clock;
import org.ecstore.core.port.Timers;
import org.ecstore.core.port.TimersContractTest;

/** The timers of an event loop keep the port's contract. */
final class EventLoopTimersContractTest extends TimersContractTest {
  @Override
  protected Fixture newTimers() {
    return new OnAClock();
  }

  private static final class OnAClock implements Fixture {
    private long nowNanos = Long.MAX_VALUE - 20;
    private final LoopTimers timers = new LoopTimers(() -> nowNanos);

    @Override
    public Timers timers() {
      return timers;
    }

    @Override
    public Clock clock() {
      return () -> nowNanos;
    }

    @Override
    public List<Long> pass(long nanos) {
      nowNanos += nanos;
      List<Long> fired = new ArrayList<>();
      for (Long token = timers.pollDue(nowNanos); token != null; token = timers.pollDue(nowNanos)) {
        fired.add(token);
      }
      return fired;
    }
  }
}
