package org.ecstore.cluster.flags;

import java.io.IOException;
import java.io.InputStream;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.ecstore.cluster.config.ConfigReader;
import org.ecstore.cluster.node.Machine;
import org.ecstore.cluster.node.NodeResources;

/**
 * The flags of the virtual machine that every node has, however it is started. They stand in one
 * file, {@code node.options}, which {@code bin/ecstore} reads as well. Those that follow from the
 * machine are of {@link NodeResources}; one follows from the node's capacity.
 */
public final class NodeFlags {
  /** The variable whose flags each node's virtual machine gets, as {@code bin/ecstore} does. */
  public static final String OPTIONS = "ECSTORE_JAVA_OPTS";

  private static final String FILE = "node.options";

  /** The option of {@code bin/ecstore server} that names the node's configuration. */
  private static final String CONFIG = "--config";

  private NodeFlags() {}

  /**
   * Prints the flags that follow from the machine, for a node that has it for itself, and from the
   * node's configuration, one a line, beside those given in {@code ECSTORE_JAVA_OPTS}: how {@code
   * bin/ecstore server} starts a node.
   *
   * @param arguments of {@code bin/ecstore}
   */
  public static void main(String[] arguments) {
    ofServer(Machine.here(), List.of(arguments), System.getenv()).forEach(System.out::println);
  }

  /** As {@link #main} prints them. */
  static List<String> ofServer(
      Machine machine, List<String> arguments, Map<String, String> environment) {
    return own(
        NodeResources.of(machine, 1).flags(), capacity(arguments, environment), given(environment));
  }

  /** Those that an operator gives each node's virtual machine. */
  public static List<String> given(Map<String, String> environment) {
    return Optional.ofNullable(environment.get(OPTIONS))
        .filter(options -> !options.isBlank())
        .map(options -> List.of(options.strip().split("\\s+", -1)))
        .orElse(List.of());
  }

  /** What is wrong with arguments or a configuration the server says, which reads them again. */
  private static Optional<BigDecimal> capacity(
      List<String> arguments, Map<String, String> environment) {
    try {
      Optional<Path> file = configFile(arguments);
      return file.isPresent()
          ? ConfigReader.read(file.get(), environment).capacity()
          : Optional.empty();
    } catch (IOException | RuntimeException e) {
      return Optional.empty();
    }
  }

  private static Optional<Path> configFile(List<String> arguments) {
    for (int i = 0; i < arguments.size(); i++) {
      String argument = arguments.get(i);
      if (argument.startsWith(CONFIG + "=")) {
        return Optional.of(Path.of(argument.substring(CONFIG.length() + 1)));
      }
      if (argument.equals(CONFIG) && i + 1 < arguments.size()) {
        return Optional.of(Path.of(arguments.get(i + 1)));
      }
    }
    return Optional.empty();
  }

  /**
   * Those that a node has beside the given ones. A node that may keep less than one processor busy
   * has only the quick compiler of the virtual machine: the other one would take most of what the
   * node has for minutes after each start, and clients wait meanwhile (docs/qos-runs.md). And code
   * is compiled after a tenth of the usual calls: what is not compiled takes many times as long,
   * and clients wait for that too where a node has just begun to serve (decision 0129).
   *
   * @param ofMachine those that follow from its machine
   * @param capacity as {@code node.capacity}; absent if all that the machine has
   * @param given by an operator, which go before
   */
  public static List<String> own(
      List<String> ofMachine, Optional<BigDecimal> capacity, List<String> given) {
    boolean isSmall = capacity.isPresent() && capacity.get().compareTo(BigDecimal.ONE) < 0;
    List<String> quick =
        isSmall && !JvmFlags.choosesCompilers(given)
            ? List.of("-XX:TieredStopAtLevel=1", "-XX:CompileThresholdScaling=0.1")
            : List.of();
    List<String> own = new ArrayList<>(JvmFlags.beside(ofMachine, quick));
    own.addAll(quick);
    return JvmFlags.beside(own, given);
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
