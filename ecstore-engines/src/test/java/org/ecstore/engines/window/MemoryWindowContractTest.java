package org.ecstore.engines.window;

import java.util.function.Consumer;
import org.ecstore.core.port.Engine;
import org.ecstore.core.port.EngineFoldContractTest;
import org.ecstore.core.port.Event;

final class MemoryWindowContractTest extends EngineFoldContractTest {
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
}
