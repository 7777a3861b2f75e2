package org.ecstore.engines.je;

import java.nio.file.Path;
import java.util.function.Consumer;
import org.ecstore.core.port.Engine;
import org.ecstore.core.port.EngineContractTest;
import org.ecstore.core.port.Event;
import org.junit.jupiter.api.io.TempDir;

final class JeEngineContractTest extends EngineContractTest {
  @TempDir private Path directory;

  @Override
  protected Engine open(Consumer<Event> sink) {
    return JeEngine.open(directory, JeTesting.SETTINGS, sink);
  }

  @Override
  protected void close(Engine engine) {
    ((JeEngine) engine).close();
  }
}
