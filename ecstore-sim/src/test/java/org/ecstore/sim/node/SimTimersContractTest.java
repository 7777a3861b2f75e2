package org.ecstore.sim.node;

import java.util.ArrayList;
import java.util.List;
import org.ecstore.core.port.Clock;
import org.ecstore.core.port.Event;
import org.ecstore.core.port.Timers;
import org.ecstore.core.port.TimersContractTest;
import org.ecstore.id.NodeId;
import org.ecstore.sim.SimFixture;

/** The simulated timers keep the port's contract, on a clock that does not drift. */
final class SimTimersContractTest extends TimersContractTest {
  @Override
  protected Fixture newTimers() {
    return new InVirtualTime();
  }

  private static final class InVirtualTime implements Fixture {
    private final SimFixture fixture = new SimFixture(11);
    private final List<Long> fired = new ArrayList<>();
    private final SimTimers timers =
        new SimTimers(
            fixture.world(),
            fixture.world()::nowNanos,
            nanos -> nanos,
            fixture.life(new NodeId(1), this::happened));

    private void happened(Event event) {
      if (event instanceof Event.TimerFired(var token)) {
        fired.add(token);
      }
    }

    @Override
    public Timers timers() {
      return timers;
    }

    @Override
    public Clock clock() {
      return fixture.world().scheduler()::nowNanos;
    }

    @Override
    public List<Long> pass(long nanos) {
      fired.clear();
      long until = fixture.world().scheduler().nowNanos() + nanos;
      while (fixture.world().scheduler().step(until)) {
        // Each step runs one task.
      }
      return List.copyOf(fired);
    }
  }
}
