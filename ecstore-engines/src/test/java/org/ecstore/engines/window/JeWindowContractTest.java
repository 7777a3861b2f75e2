package org.ecstore.engines.window;

import java.nio.file.Path;
import java.util.function.Consumer;
import org.ecstore.core.port.Engine;
import org.ecstore.core.port.EngineFoldContractTest;
import org.ecstore.core.port.Event;
import org.junit.jupiter.api.io.TempDir;

final class JeWindowContractTest extends EngineFoldContractTest {
  @TempDir private Path directory;

  @Override
  protected Engine open(Consumer<Event> sink) {
    return JeWindow.open(directory, sink);
  }

  @Override
  protected void close(Engine engine) {
    ((WindowedEngine) engine).close();
  }
}
