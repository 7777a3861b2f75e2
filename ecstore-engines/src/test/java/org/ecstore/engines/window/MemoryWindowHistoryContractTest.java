package org.ecstore.engines.window;

import java.util.function.Consumer;
import java.util.random.RandomGenerator;
import org.ecstore.core.port.Engine;
import org.ecstore.core.port.EngineHistoryContractTest;
import org.ecstore.core.port.Event;
import org.ecstore.id.Position;
import org.ecstore.key.KeyRange;

final class MemoryWindowHistoryContractTest extends EngineHistoryContractTest {
  private final MemoryWindow window = new MemoryWindow();

  @Override
  protected Engine open(Consumer<Event> sink) {
    return window.open(sink);
  }

  @Override
  protected void close(Engine engine) {
    window.close(engine);
  }

  @Override
  protected void advance() {
    window.advance();
  }

  @Override
  protected void crash(Engine engine, RandomGenerator random) {
    window.crash(random);
  }

  @Override
  protected void restore(Engine engine, Position folded, Position folding) {
    ((WindowedEngine) engine).restore(KeyRange.ALL, folded, folding);
  }
}
