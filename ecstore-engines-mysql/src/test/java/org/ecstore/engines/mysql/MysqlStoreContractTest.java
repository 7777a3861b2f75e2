package org.ecstore.engines.mysql;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.ecstore.core.port.Engine.MetadataEntry;
import org.ecstore.engines.store.OrderedStore;
import org.ecstore.engines.store.OrderedStoreContract;
import org.ecstore.engines.store.StoreBatch;
import org.ecstore.key.KeyRange;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceLock;

@ResourceLock(MariaDbUnderTest.LOCK)
final class MysqlStoreContractTest extends OrderedStoreContract {
  /** Of all tests: making tables takes long. */
  @TempDir private static Path directory;

  private boolean isEmptied;

  @Override
  protected OrderedStore open() {
    OrderedStore store = MysqlStore.open(directory, MariaDbUnderTest.get().settings("suite"));
    if (!isEmptied) {
      isEmptied = true;
      store.clear(KeyRange.ALL);
      List<MetadataEntry> none =
          store.metadata().stream()
              .map(entry -> new MetadataEntry(entry.name(), Optional.empty()))
              .toList();
      store.write(new StoreBatch(List.of(), List.of(), none));
    }
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
