package org.ecstore.engines.memory;

import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.random.RandomGenerator;

/** Completions that run one at a time, in random order, when a test says so. */
public final class RandomCompletions implements Completions {
  private final List<Runnable> waiting = new ArrayList<>();
  private final RandomGenerator random;

  public RandomCompletions(RandomGenerator random) {
    this.random = random;
  }

  @Override
  public void later(Runnable completion) {
    waiting.add(completion);
  }

  public void runOne() {
    if (!waiting.isEmpty()) {
      waiting.remove(random.nextInt(waiting.size())).run();
    }
  }

  /** Runs them until something comes of it; a call that goes in steps takes several. */
  public void runUntil(BooleanSupplier delivered) {
    while (!waiting.isEmpty() && !delivered.getAsBoolean()) {
      runOne();
    }
  }

  public void runAll() {
    while (!waiting.isEmpty()) {
      runOne();
    }
  }
}
