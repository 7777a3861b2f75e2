package org.ecstore.engines.memory;

import java.util.SplittableRandom;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;
import org.ecstore.core.port.Engine;
import org.ecstore.core.port.EngineHistoryContractTest;
import org.ecstore.core.port.Event;

final class MemoryEngineHistoryContractTest extends EngineHistoryContractTest {
  private final RandomGenerator random = new SplittableRandom(1);
  private final MemoryDisk disk = new MemoryDisk();
  private RandomCompletions completions = new RandomCompletions(random);

  private long delivered;

  @Override
  protected Engine open(Consumer<Event> sink) {
    MemoryEngine engine =
        MemoryEngine.open(
            disk,
            random,
            completions,
            event -> {
              delivered++;
              sink.accept(event);
            });
    engine.inSteps(new Steps(random, 0.5, completions));
    return engine;
  }

  @Override
  protected void close(Engine engine) {
    ((MemoryEngine) engine).close();
  }

  @Override
  protected void advance() {
    long before = delivered;
    completions.runUntil(() -> delivered > before);
  }

  @Override
  protected void crash(Engine engine, RandomGenerator chance) {
    disk.crash(chance);
    completions.runAll(); // Of the former engine: they must do nothing.
    completions = new RandomCompletions(random);
  }
}
