package org.ecstore.sim;

import java.util.HashMap;
import java.util.Map;
import java.util.function.LongUnaryOperator;
import org.ecstore.core.port.Event;
import org.ecstore.core.port.Timers;

/** One life's timers, counted by its machine's own clock; they fire late now and then. */
final class SimTimers implements Timers {
  private final World world;
  private final LongUnaryOperator realNanos;
  private final Life life;
  private final SimRandom random;
  private final Map<Long, Long> armed = new HashMap<>();
  private long arming;

  /** {@code realNanos} says how long a span of the machine's own clock really takes. */
  SimTimers(World world, LongUnaryOperator realNanos, Life life) {
    this.world = world;
    this.realNanos = realNanos;
    this.life = life;
    this.random = world.random("timers" + life.name());
  }

  @Override
  public void schedule(long token, long delayNanos) {
    long mine = ++arming;
    armed.put(token, mine);
    long late = random.chance(0.05) ? random.between(0L, 20_000_000L) : 0;
    world
        .scheduler()
        .after(
            realNanos.applyAsLong(delayNanos) + late,
            () -> {
              Long current = armed.get(token);
              if (current != null && current == mine) {
                armed.remove(token);
                life.post(new Event.TimerFired(token));
              }
            });
  }

  @Override
  public void cancel(long token) {
    armed.remove(token);
  }
}
