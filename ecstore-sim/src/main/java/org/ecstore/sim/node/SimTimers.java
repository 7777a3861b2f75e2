package org.ecstore.sim.node;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.LongSupplier;
import java.util.function.LongUnaryOperator;
import org.ecstore.check.Check;
import org.ecstore.core.port.Event;
import org.ecstore.core.port.Timers;
import org.ecstore.sim.world.Life;
import org.ecstore.sim.world.SimRandom;
import org.ecstore.sim.world.World;

/**
 * One life's timers, counted by its machine's own clock; one in twenty fires late, none before that
 * clock has got there, and all at once where it has jumped.
 */
final class SimTimers implements Timers {
  /** No clock is more exact than this. */
  private static final long ROUNDING_NANOS = 1_000L;

  private static final long LOOK_AGAIN_NANOS = 5_000_000L;

  private record Armed(long arming, long deadlineNanos) {}

  private final World world;
  private final LongSupplier clockNanos;
  private final LongUnaryOperator realNanos;
  private final Life life;
  private final SimRandom random;
  private final Map<Long, Armed> armed = new TreeMap<>();
  private long arming;

  /** {@code realNanos} says how long a span of the machine's own clock really takes. */
  SimTimers(World world, LongSupplier clockNanos, LongUnaryOperator realNanos, Life life) {
    this.world = world;
    this.clockNanos = clockNanos;
    this.realNanos = realNanos;
    this.life = life;
    this.random = world.random("timers" + life.name());
  }

  @Override
  public void schedule(long token, long delayNanos) {
    // As strict as the real ones: a node that asks for this ends there.
    Check.that(delayNanos >= 0, "a timer runs out later", token, delayNanos);
    long mine = ++arming;
    armed.put(token, new Armed(mine, clockNanos.getAsLong() + delayNanos));
    long late = random.chance(0.05) ? random.between(0L, 20_000_000L) : 0;
    world.scheduler().after(realNanos.applyAsLong(delayNanos) + late, () -> look(token, mine));
  }

  private void look(long token, long mine) {
    Armed current = armed.get(token);
    if (current == null || current.arming() != mine) {
      return;
    }
    long left = current.deadlineNanos() - clockNanos.getAsLong();
    if (left > ROUNDING_NANOS) {
      long again = Math.max(LOOK_AGAIN_NANOS, realNanos.applyAsLong(left));
      world.scheduler().after(again, () -> look(token, mine));
    } else {
      armed.remove(token);
      life.post(new Event.TimerFired(token));
    }
  }

  /** The clock has jumped: everything that is due by it fires, in order. */
  void clockJumped() {
    List<Map.Entry<Long, Armed>> due = new ArrayList<>();
    for (Map.Entry<Long, Armed> entry : armed.entrySet()) {
      if (entry.getValue().deadlineNanos() - clockNanos.getAsLong() <= 0) {
        due.add(Map.entry(entry.getKey(), entry.getValue()));
      }
    }
    due.sort((a, b) -> Long.compare(a.getValue().deadlineNanos(), b.getValue().deadlineNanos()));
    for (Map.Entry<Long, Armed> entry : due) {
      armed.remove(entry.getKey());
      life.post(new Event.TimerFired(entry.getKey()));
    }
  }

  @Override
  public void cancel(long token) {
    armed.remove(token);
  }
}
