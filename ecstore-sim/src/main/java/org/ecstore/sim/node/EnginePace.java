package org.ecstore.sim.node;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.ecstore.core.port.EngineResult;
import org.ecstore.core.port.Event;
import org.ecstore.engines.memory.Completions;
import org.ecstore.sim.world.SimRandom;
import org.ecstore.sim.world.SwarmSettings;
import org.ecstore.sim.world.World;

/**
 * When the calls of one engine complete: each after a delay. In some lives some reads stay under
 * way until versions have been deleted under them, which chance alone would hardly ever bring
 * about.
 */
final class EnginePace implements Completions {
  private static final long HELD_NANOS_MAX = 3 * SwarmSettings.SECOND;

  private final World world;
  private final LongSupplier delayNanos;
  private final SimRandom random;
  private final double holds;
  private final List<Runnable> held = new ArrayList<>();
  private final List<Runnable> stopped = new ArrayList<>();
  private boolean hangs;

  EnginePace(World world, SimRandom random, LongSupplier delayNanos) {
    this.world = world;
    this.random = random;
    this.delayNanos = delayNanos;
    this.holds = random.chance(0.4) ? random.skewed(1, 300) / 1000.0 : 0;
  }

  @Override
  public void later(Runnable completion) {
    after(completion);
  }

  /** A step of a read: maybe it comes only when versions have been deleted. */
  void read(Runnable completion) {
    read(completion, holds > 0 && world.faulty() && random.chance(holds));
  }

  private void read(Runnable completion, boolean isHeld) {
    if (!isHeld) {
      after(completion);
      return;
    }
    held.add(completion);
    world
        .scheduler()
        .after(
            random.skewed(SwarmSettings.MILLI, HELD_NANOS_MAX),
            () -> {
              if (held.remove(completion)) {
                completion.run();
              }
            });
  }

  /** What gets the results, and sees when versions have been deleted. */
  Consumer<Event> watching(Consumer<Event> sink) {
    return event -> {
      sink.accept(event);
      if (event instanceof Event.EngineDone done && done.result() instanceof EngineResult.Folded) {
        release();
      }
    };
  }

  private void release() {
    List<Runnable> free = List.copyOf(held);
    held.clear();
    if (!free.isEmpty()) {
      world.happened("versions deleted under a read");
    }
    free.forEach(this::after);
  }

  /** From now on nothing that is asked of the engine comes to an end, or all does that waits. */
  void hang(boolean now) {
    hangs = now;
    if (!now) {
      List<Runnable> free = List.copyOf(stopped);
      stopped.clear();
      free.forEach(this::after);
    }
  }

  private void after(Runnable completion) {
    if (hangs) {
      stopped.add(completion);
      return;
    }
    world.scheduler().after(delayNanos.getAsLong(), completion);
  }
}
