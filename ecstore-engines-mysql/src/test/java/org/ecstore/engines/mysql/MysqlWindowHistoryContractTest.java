package org.ecstore.engines.mysql;

import java.nio.file.Path;
import org.ecstore.engines.store.OrderedStore;
import org.ecstore.engines.window.WindowHistoryContract;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceLock;

@ResourceLock(MariaDbUnderTest.LOCK)
final class MysqlWindowHistoryContractTest extends WindowHistoryContract {
  /** Of all tests: making tables takes long. */
  @TempDir private static Path directory;

  private boolean isEmptied;

  @Override
  protected OrderedStore store() {
    OrderedStore store = MariaDbUnderTest.get().store(directory, "history", !isEmptied);
    isEmptied = true;
    return store;
  }
}
