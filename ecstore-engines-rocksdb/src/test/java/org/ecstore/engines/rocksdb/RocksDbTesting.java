package org.ecstore.engines.rocksdb;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;

/** What a crash of a process leaves of a RocksDB: the files as they are, what was in memory not. */
final class RocksDbTesting {
  private RocksDbTesting() {}

  /** Copies the files of an open store, all as of one moment. */
  static void copy(RocksDbStore open, Path from, Path to) {
    RocksDB db = open.handle().db();
    try {
      db.pauseBackgroundWork();
      copy(from, to);
      db.continueBackgroundWork();
    } catch (RocksDBException e) {
      throw new IllegalStateException(e);
    }
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
