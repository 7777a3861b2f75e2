package org.ecstore.cluster.process;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import org.ecstore.cluster.node.Machine;
import org.ecstore.cluster.node.NodeResources;

/**
 * The flags of the virtual machine that every node has, however it is started. They stand in one
 * file, {@code node.options}, which {@code bin/ecstore} reads as well. Those that follow from the
 * machine are of {@link NodeResources}.
 */
public final class NodeFlags {
  private static final String FILE = "node.options";

  private NodeFlags() {}

  /**
   * Prints the flags that follow from the machine for a node that has it for itself, one a line,
   * beside those given as arguments: how {@code bin/ecstore server} starts a node.
   */
  public static void main(String[] given) {
    List<String> own = NodeResources.of(Machine.here(), 1).flags();
    JvmFlags.beside(own, List.of(given)).forEach(System.out::println);
  }

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
