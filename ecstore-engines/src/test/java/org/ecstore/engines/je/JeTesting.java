package org.ecstore.engines.je;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.stream.Stream;

/** What tests of the Berkeley DB store share: small settings, and hands on the log files. */
final class JeTesting {
  static final JeSettings SETTINGS =
      JeSettings.DEFAULT
          .withCacheBytes(32 << 20)
          .withLog(1_000_000, 5_000_000)
          .withDisk(1 << 20, 0);

  private JeTesting() {}

  /** The log files in their order. */
  static List<Path> log(Path directory) {
    try (Stream<Path> files = Files.list(directory)) {
      return files.filter(file -> file.toString().endsWith(".jdb")).sorted().toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The end of the log. */
  static LogEnd end(Path directory) {
    Path last = log(directory).getLast();
    try {
      return new LogEnd(last.getFileName().toString(), Files.size(last));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** A place in the log: a file's name and an offset. */
  record LogEnd(String file, long offset) {}

  /** Cuts the log at a place, as a crash does that loses what follows. */
  static void cut(Path directory, LogEnd end) {
    try {
      for (Path file : log(directory)) {
        int order = file.getFileName().toString().compareTo(end.file());
        if (order > 0) {
          Files.delete(file);
        } else if (order == 0) {
          try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
            channel.truncate(end.offset());
          }
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Copies a directory as it is at the moment. */
  static void copy(Path from, Path to) {
    try (Stream<Path> files = Files.list(from)) {
      Files.createDirectories(to);
      for (Path file : files.sorted().toList()) {
        if (!file.toString().endsWith(".lck")) {
          Files.copy(file, to.resolve(file.getFileName().toString()));
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
