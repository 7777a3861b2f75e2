package org.ecstore.engines.rocksdb;

import java.nio.file.Path;
import java.util.Optional;
import java.util.random.RandomGenerator;
import org.ecstore.core.port.Engine;
import org.ecstore.engines.store.OrderedStore;
import org.ecstore.engines.window.WindowHistoryContract;
import org.junit.jupiter.api.io.TempDir;

/** A crash here is one of the process: the directory is copied while the engine is at work. */
final class RocksDbWindowHistoryContractTest extends WindowHistoryContract {
  @TempDir private Path root;
  private Optional<RocksDbStore> open = Optional.empty();
  private int lives;

  private Path directory() {
    return root.resolve("life" + lives);
  }

  @Override
  protected OrderedStore store() {
    RocksDbStore store = RocksDbStore.open(directory(), RocksDbSettings.DEFAULT);
    open = Optional.of(store);
    return store;
  }

  @Override
  protected void crash(Engine engine, RandomGenerator random) {
    Path before = directory();
    lives++;
    RocksDbTesting.copy(open.orElseThrow(), before, directory());
    close(engine);
  }
}
