package org.ecstore.engines.window;

import java.nio.file.Path;
import org.ecstore.engines.store.OrderedStore;
import org.junit.jupiter.api.io.TempDir;

final class JeWindowContractTest extends WindowContract {
  @TempDir private Path directory;

  @Override
  protected OrderedStore store() {
    return JeWindow.store(directory);
  }
}
