package org.ecstore.sim.node;

import java.util.ArrayList;
import java.util.List;
import java.util.function.LongSupplier;
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
  private Kind next = Kind.OTHER;

  /** What the call is that completes next. */
  private enum Kind {
    READ,
    PRUNE,
    OTHER
  }

  EnginePace(World world, SimRandom random, LongSupplier delayNanos) {
    this.world = world;
    this.random = random;
    this.delayNanos = delayNanos;
    this.holds = random.chance(0.4) ? random.skewed(1, 300) / 1000.0 : 0;
  }

  /** Makes a call that reads. */
  void read(Runnable call) {
    as(Kind.READ, call);
  }

  /** Makes a call that deletes versions. */
  void prune(Runnable call) {
    as(Kind.PRUNE, call);
  }

  private void as(Kind kind, Runnable call) {
    next = kind;
    call.run();
    next = Kind.OTHER;
  }

  @Override
  public void later(Runnable completion) {
    switch (next) {
      case READ -> read(completion, holds > 0 && world.faulty() && random.chance(holds));
      case PRUNE -> after(completion, this::release);
      case OTHER -> after(completion, () -> {});
    }
  }

  private void read(Runnable completion, boolean isHeld) {
    if (!isHeld) {
      after(completion, () -> {});
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

  private void release() {
    List<Runnable> free = List.copyOf(held);
    held.clear();
    if (!free.isEmpty()) {
      world.happened("versions deleted under a read");
    }
    free.forEach(completion -> after(completion, () -> {}));
  }

  private void after(Runnable completion, Runnable then) {
    world
        .scheduler()
        .after(
            delayNanos.getAsLong(),
            () -> {
              completion.run();
              then.run();
            });
  }
}
