package org.ecstore.sim.ledger;

import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.ecstore.core.port.Event;
import org.ecstore.core.port.LedgerResult;
import org.ecstore.sim.world.Life;
import org.ecstore.sim.world.SimRandom;
import org.ecstore.sim.world.SwarmSettings;
import org.ecstore.sim.world.World;

/**
 * The requests of one life to the services of a ledger: they take time, get lost or lose their
 * reply, wait while the node is cut off, and their replies wait while it is paused.
 */
final class ServiceCalls {
  private static final long POLL_NANOS = 20_000_000L;

  /** So long a request is waited for that does not reach the service. */
  private static final long GIVES_UP_NANOS = 10_000_000_000L;

  private final SimSegments store;
  private final World world;
  private final SwarmSettings.LedgerFaults faults;
  private final Life life;
  private final SimRandom random;
  private boolean dead;

  ServiceCalls(SimSegments store, Life life, SimRandom random) {
    this.store = store;
    this.world = store.world();
    this.faults = store.faults();
    this.life = life;
    this.random = random;
  }

  /** The process ends: what it had sent may still arrive. */
  void crash() {
    dead = true;
  }

  /** Whether the process has ended. */
  boolean isDead() {
    return dead;
  }

  /** Runs something once the node is not cut off from the ledger. */
  void whenReached(Runnable effect) {
    if (store.isCut(life.node())) {
      world.scheduler().after(POLL_NANOS, () -> whenReached(effect));
    } else {
      effect.run();
    }
  }

  /** Runs something in the process: once it is not paused, never once it is dead. */
  void inProcess(Runnable effect) {
    if (dead) {
      return;
    }
    if (life.pausedUntilNanos() > world.nowNanos()) {
      world.scheduler().at(life.pausedUntilNanos(), () -> inProcess(effect));
    } else {
      effect.run();
    }
  }

  /**
   * Asks a service for something; {@code failed} runs if it is not known whether that was done. A
   * request under way when the process dies may still arrive.
   */
  <T> void ask(double trouble, Supplier<T> effect, Consumer<T> then, Consumer<String> failed) {
    if (store.isOutOfReach(life.node())) {
      world
          .scheduler()
          .after(GIVES_UP_NANOS, () -> inProcess(() -> failed.accept("no answer in time")));
      return;
    }
    world
        .scheduler()
        .after(stepNanos(), () -> whenReached(() -> serve(trouble, effect, then, failed)));
  }

  private <T> void serve(
      double trouble, Supplier<T> effect, Consumer<T> then, Consumer<String> failed) {
    if (dead && random.chance(0.5)) {
      return;
    }
    boolean fails = world.faulty() && random.chance(trouble);
    Optional<T> result = fails && random.chance(0.5) ? Optional.empty() : Optional.of(effect.get());
    Runnable reply =
        () -> {
          if (fails) {
            failed.accept("no reply");
          } else {
            then.accept(result.orElseThrow());
          }
        };
    world.scheduler().after(stepNanos(), () -> whenReached(() -> inProcess(reply)));
  }

  private long stepNanos() {
    return random.between(10_000L, world.atMost(faults.fenceNanosMax() / 5));
  }

  /** Gives the process the answer to a call, after a while. */
  void answer(long delayNanos, long token, LedgerResult result) {
    world
        .scheduler()
        .after(delayNanos, () -> whenReached(() -> life.post(new Event.LedgerDone(token, result))));
  }
}
