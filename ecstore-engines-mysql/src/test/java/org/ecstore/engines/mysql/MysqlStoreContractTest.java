package org.ecstore.engines.mysql;

import java.nio.file.Path;
import org.ecstore.engines.store.OrderedStore;
import org.ecstore.engines.store.OrderedStoreContract;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceLock;

@ResourceLock(MariaDbUnderTest.LOCK)
final class MysqlStoreContractTest extends OrderedStoreContract {
  /** Of all tests: making tables takes long. */
  @TempDir private static Path directory;

  private boolean isEmptied;

  @Override
  protected OrderedStore open() {
    OrderedStore store = MariaDbUnderTest.get().store(directory, "suite", !isEmptied);
    isEmptied = true;
    return store;
  }

  /** Every commit is on the server's disk: there is nothing that a crash of it could take. */
  @Override
  protected boolean crashes() {
    return false;
  }

  @Override
  protected int steps() {
    return 200;
  }
}
