package org.ecstore.engines.store;

import java.nio.file.Path;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.io.TempDir;

/** A new kind of store is one class, and passes the suite; with a {@link StoreKind} it is named. */
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
