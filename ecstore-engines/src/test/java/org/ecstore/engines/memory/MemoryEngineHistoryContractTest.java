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

  @Override
  protected void crash(Engine engine, RandomGenerator chance) {
    disk.crash(chance);
    completions.runAll(); // Of the former engine: they must do nothing.
    completions = new RandomCompletions(random);
  }
}
