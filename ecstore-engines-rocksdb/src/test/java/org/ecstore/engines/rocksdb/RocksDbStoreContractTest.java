package org.ecstore.engines.rocksdb;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import org.ecstore.engines.store.OrderedStore;
import org.ecstore.engines.store.OrderedStoreContract;
import org.junit.jupiter.api.io.TempDir;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;

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
    RocksDB db = ((RocksDbStore) crashing).handle().db();
    try {
      // So that all files are of one moment.
      db.pauseBackgroundWork();
      copy(before, directory());
      db.continueBackgroundWork();
    } catch (RocksDBException e) {
      throw new IllegalStateException(e);
    }
    crashing.close();
  }

  private static void copy(Path from, Path to) {
    try (Stream<Path> files = Files.walk(from)) {
      for (Path file : files.sorted().toList()) {
        Path target = to.resolve(from.relativize(file).toString());
        if (Files.isDirectory(file)) {
          Files.createDirectories(target);
        } else if (!file.endsWith("LOCK")) {
          Files.copy(file, target);
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
