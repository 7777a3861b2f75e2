package org.ecstore.cluster.process;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;

/**
 * The flags of the virtual machine that every node has, however it is started. They stand in one
 * file, {@code node.options}, which {@code bin/ecstore} reads as well.
 */
public final class NodeFlags {
  private static final String FILE = "node.options";

  private NodeFlags() {}

  /** In the order of a command line. */
  public static List<String> read() throws IOException {
    try (InputStream file =
        Objects.requireNonNull(NodeFlags.class.getResourceAsStream(FILE), FILE)) {
      return new String(file.readAllBytes(), StandardCharsets.UTF_8)
          .lines()
          .map(String::strip)
          .filter(line -> !line.isEmpty() && !line.startsWith("#"))
          .toList();
    }
  }
}
