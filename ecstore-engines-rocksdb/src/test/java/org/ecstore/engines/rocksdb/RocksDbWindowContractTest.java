package org.ecstore.engines.rocksdb;

import java.nio.file.Path;
import org.ecstore.engines.store.OrderedStore;
import org.ecstore.engines.window.WindowContract;
import org.junit.jupiter.api.io.TempDir;

final class RocksDbWindowContractTest extends WindowContract {
  @TempDir private Path directory;

  @Override
  protected OrderedStore store() {
    return RocksDbStore.open(directory, RocksDbSettings.DEFAULT);
  }
}
