package org.ecstore.engines.store;

import java.nio.file.Path;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.io.TempDir;

/** The suite of a new kind of store, which EngineKindsTest opens by its name. */
final class SortedFileStoreContractTest extends OrderedStoreContract {
  @TempDir private Path directory;

  @Override
  protected OrderedStore open() {
    return SortedFileStore.open(directory);
  }

  @Override
  protected void crash(OrderedStore crashing, RandomGenerator random) {
    ((SortedFileStore) crashing).crash();
  }
}
