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

  @Override
  protected Engine open(Consumer<Event> sink) {
    return MemoryEngine.open(disk, random, completions, sink);
  }

  @Override
  protected void close(Engine engine) {
    ((MemoryEngine) engine).close();
  }

  @Override
  protected void advance() {
    completions.runOne();
  }
}
