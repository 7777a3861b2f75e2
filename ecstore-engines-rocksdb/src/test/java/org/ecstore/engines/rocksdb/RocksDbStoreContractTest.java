package org.ecstore.engines.rocksdb;

import java.nio.file.Path;
import java.util.random.RandomGenerator;
import org.ecstore.engines.store.OrderedStore;
import org.ecstore.engines.store.OrderedStoreContract;
import org.junit.jupiter.api.io.TempDir;

/** A crash here is one of the process: the files go on as they are, what was in memory is gone. */
final class RocksDbStoreContractTest extends OrderedStoreContract {
  /** Of a write buffer that is full within a test, so that some files come without a sync. */
  private static final RocksDbSettings SETTINGS =
      new RocksDbSettings(8 << 20, 64 << 10, RocksDbSettings.DEFAULT.diskFreeBytes());

  @TempDir private Path root;
  private int lives;

  private Path directory() {
    return root.resolve("life" + lives);
  }

  @Override
  protected OrderedStore open() {
    return RocksDbStore.open(directory(), SETTINGS);
  }

  @Override
  protected void crash(OrderedStore crashing, RandomGenerator random) {
    Path before = directory();
    lives++;
    RocksDbTesting.copy((RocksDbStore) crashing, before, directory());
    crashing.close();
  }
}
