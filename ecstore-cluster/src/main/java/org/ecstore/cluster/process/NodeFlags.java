package org.ecstore.cluster.process;

import java.io.IOException;
import java.io.InputStream;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
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

  /**
   * Those of a node that may keep so many processors busy: below one only the quick compiler of the
   * virtual machine. The other one would take most of what the node has for minutes after each
   * start, and clients wait meanwhile (docs/qos.md).
   *
   * @param capacity as {@code node.capacity}; absent if all that the machine has
   */
  static List<String> ofCapacity(Optional<BigDecimal> capacity) {
    return capacity.isPresent() && capacity.get().compareTo(BigDecimal.ONE) < 0
        ? List.of("-XX:TieredStopAtLevel=1")
        : List.of();
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
