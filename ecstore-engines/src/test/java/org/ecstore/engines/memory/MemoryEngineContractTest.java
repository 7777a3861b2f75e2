package org.ecstore.engines.memory;

import java.util.SplittableRandom;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;
import org.ecstore.core.port.Engine;
import org.ecstore.core.port.EngineContractTest;
import org.ecstore.core.port.Event;

final class MemoryEngineContractTest extends EngineContractTest {
  private final RandomGenerator random = new SplittableRandom(1);
  private final MemoryDisk disk = new MemoryDisk();
  private final RandomCompletions completions = new RandomCompletions(random);

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
}
