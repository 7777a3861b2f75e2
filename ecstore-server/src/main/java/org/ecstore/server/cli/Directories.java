package org.ecstore.server.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.stream.Stream;

/** Directories that a command made for itself. */
final class Directories {
  private Directories() {}

  /** Removes a directory with all that is in it; where that fails it says so, and goes on. */
  static void removeQuietly(Path root, PrintWriter err) {
    if (!Files.exists(root)) {
      return;
    }
    try (Stream<Path> files = Files.walk(root)) {
      for (Path file : (Iterable<Path>) files.sorted(Comparator.reverseOrder())::iterator) {
        Files.deleteIfExists(file);
      }
    } catch (IOException | java.io.UncheckedIOException e) {
      // A temporary directory that stays behind is the system's to remove.
      err.println("could not remove " + root + ": " + e.getMessage());
    }
  }
}
