package org.ecstore.sim.mutant;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** The lines of a table beside the classes, without comments. */
final class Lines {
  private Lines() {}

  static List<String> of(String table) {
    try (InputStream in = Lines.class.getResourceAsStream(table)) {
      if (in == null) {
        throw new IllegalStateException("no table " + table + " beside " + Lines.class);
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8)
          .lines()
          .filter(line -> !line.isBlank() && !line.startsWith("#"))
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
