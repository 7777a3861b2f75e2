package org.ecstore.cluster.zookeeper.server;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/**
 * What a ZooKeeper server remembers, as its directory shows it.
 *
 * <pre>
 *   DIRECTORY/version-2/snapshot.*, log.*   its data
 *   DIRECTORY/rejoin                        by an operator: it may copy from the others
 * </pre>
 *
 * One that copies has no vote until it has: it follows whom a majority of the others elects, and so
 * gets everything that was acknowledged before it counts for anything.
 */
final class ServerData {
  static final String REJOIN = "rejoin";

  private static final String VERSION = "version-2";

  private final Path directory;

  ServerData(Path directory) {
    this.directory = directory;
  }

  boolean isThere() throws IOException {
    Path data = directory.resolve(VERSION);
    if (!Files.isDirectory(data)) {
      return false;
    }
    try (Stream<Path> files = Files.list(data)) {
      return files
          .map(file -> file.getFileName().toString())
          .anyMatch(name -> name.startsWith("snapshot.") || name.startsWith("log."));
    }
  }

  Path rejoinFile() {
    return directory.resolve(REJOIN);
  }

  boolean mayRejoin() {
    return Files.exists(rejoinFile());
  }

  /** It has data: what was allowed once is not allowed again. */
  void rejoined() throws IOException {
    Files.deleteIfExists(rejoinFile());
  }
}
