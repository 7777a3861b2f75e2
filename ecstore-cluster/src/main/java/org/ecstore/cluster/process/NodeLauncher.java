package org.ecstore.cluster.process;

import static java.lang.ProcessBuilder.Redirect.DISCARD;

import java.io.File;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.ecstore.cluster.flags.JvmFlags;
import org.ecstore.cluster.flags.NodeFlags;
import org.ecstore.cluster.node.NodeProcess;

/**
 * Starts nodes' processes on this process's Java, and mostly its class path, in sessions of their
 * own, so that neither its end nor an interrupt at its terminal ends them.
 */
final class NodeLauncher {
  private static final String PREFIX = "ECSTORE_";

  /** Names the file with the classes that were kept ready, where {@code bin/ecstore} has one. */
  private static final String AOT_CACHE = "ecstore.aot-cache";

  /** Flags of a process that only asks and starts others. */
  private static final List<String> SMALL =
      List.of("-Xmx256m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1");

  private static final Duration NOTED_WITHIN = Duration.ofSeconds(10);
  private static final long LOOK_MILLIS = 5;

  private final ClusterFiles files;
  private final Optional<Guards> guards;
  private final String classPath;

  /** With the classes of the class path that were kept ready. */
  private final Optional<String> cache;

  private final Optional<Path> setsid;

  /** Flags that an operator gives each node. */
  private final List<String> given;

  /** Flags that a virtual machine was seen to start with; most nodes have the same. */
  private List<String> startable = List.of();

  private NodeLauncher(
      ClusterFiles files,
      Optional<Guards> guards,
      String classPath,
      Optional<String> cache,
      Optional<Path> setsid,
      List<String> given) {
    this.files = files;
    this.guards = guards;
    this.classPath = classPath;
    this.cache = cache;
    this.setsid = setsid;
    this.given = given;
  }

  /**
   * One for nodes of a directory; nothing is started yet.
   *
   * @param guards that nodes get; absent if nothing shall start them again
   * @param other class path in place of that of this process
   */
  static NodeLauncher of(ClusterFiles files, Optional<Guards> guards, Optional<String> other) {
    return of(files, guards, other, NodeFlags.given(System.getenv()));
  }

  /**
   * As above.
   *
   * @param given flags of each node's virtual machine, which go before those that we have for it
   */
  static NodeLauncher of(
      ClusterFiles files, Optional<Guards> guards, Optional<String> other, List<String> given) {
    String path = Optional.ofNullable(System.getenv("PATH")).orElse("/usr/bin:/bin");
    Optional<Path> setsid =
        Stream.of(path.split(File.pathSeparator, -1))
            .map(directory -> Path.of(directory, "setsid"))
            .filter(Files::isExecutable)
            .findFirst();
    Optional<String> cache =
        other.isPresent() ? Optional.empty() : Optional.ofNullable(System.getProperty(AOT_CACHE));
    return new NodeLauncher(
        files, guards, other.orElseGet(NodeLauncher::ownClassPath), cache, setsid, given);
  }

  /** The class path of this process, wherever another one runs. */
  static String ownClassPath() {
    return Stream.of(System.getProperty("java.class.path").split(File.pathSeparator, -1))
        .map(entry -> Path.of(entry).toAbsolutePath().toString())
        .collect(Collectors.joining(File.pathSeparator));
  }

  /**
   * Starts a node; its process is noted when this returns, and does not serve yet.
   *
   * @throws ProcessClusterException if its guard does not start it
   */
  void launch(int node) throws IOException, InterruptedException {
    checkOptions(node);
    List<String> command = new ArrayList<>();
    setsid.ifPresent(program -> command.add(program.toString()));
    if (guards.isPresent()) {
      command.addAll(guards.get().command(node));
      Files.deleteIfExists(files.pidFile(node));
      ProcessBuilder builder = builder(node, command);
      // What it has to say it writes into its log; the node's output it turns to its file.
      builder.redirectErrorStream(false).redirectError(DISCARD).redirectOutput(DISCARD);
      awaitNoted(node, guards.get().start(node, builder));
    } else {
      OwnProcess.start(
          builder(node, command), files.pidFile(node), files.configFile(node).toString());
    }
  }

  private static Path java() {
    return Path.of(System.getProperty("java.home"), "bin", "java");
  }

  /** Flags of a node beside those that are given. */
  private List<String> ownFlags(int node) throws IOException {
    return NodeFlags.own(files.flags(node), capacity(node), given);
  }

  /** What is wrong with a configuration the process says that reads it. */
  private Optional<BigDecimal> capacity(int node) throws IOException {
    try {
      return files.config(node).capacity();
    } catch (ProcessClusterException e) {
      return Optional.empty();
    }
  }

  /** A guard would start again and again what cannot start. */
  private void checkOptions(int node) throws IOException, InterruptedException {
    if (!given.isEmpty()) {
      List<String> flags = new ArrayList<>(ownFlags(node));
      flags.addAll(given);
      if (!flags.equals(startable)) {
        Optional<String> why = JvmFlags.whyNotStarted(java(), flags);
        if (why.isPresent()) {
          throw new ProcessClusterException(
              "Java does not start with the flags of %s and %s: %s"
                  .formatted(NodeFlags.OPTIONS, files.flagsFile(node), why.get()));
        }
        startable = flags;
      }
    }
  }

  /** Until the process of a node that a guard starts is known; or the guard has ended with it. */
  private void awaitNoted(int node, OwnProcess guard) throws IOException, InterruptedException {
    long deadline = System.nanoTime() + NOTED_WITHIN.toNanos();
    while (guard.isRunning() && !Files.exists(files.pidFile(node))) {
      if (System.nanoTime() - deadline > 0) {
        throw new ProcessClusterException(
            "the guard of node " + node + " (process " + guard.pid() + ") does not start it");
      }
      Thread.sleep(LOOK_MILLIS);
    }
  }

  /** The process of a node, or its guard, with the node's command behind what is there already. */
  private ProcessBuilder builder(int node, List<String> command) throws IOException {
    command.add(java().toString());
    command.addAll(ownFlags(node));
    command.addAll(NodeFlags.read());
    cache.ifPresent(
        file -> command.addAll(List.of("-XX:AOTCache=" + file, "-Xlog:aot=off", "-Xlog:cds=off")));
    command.addAll(given);
    command.addAll(List.of(NodeProcess.class.getName(), files.configFile(node).toString()));
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .directory(files.home(node).toFile())
            .redirectInput(new File("/dev/null"))
            .redirectOutput(ProcessBuilder.Redirect.appendTo(files.output(node).toFile()))
            .redirectErrorStream(true);
    Map<String, String> environment = builder.environment();
    // What is set for one node, or for this command, is not meant for all.
    environment.keySet().removeIf(name -> name.startsWith(PREFIX));
    // Here, so that the command line stays short enough to be read by people.
    environment.put("CLASSPATH", classPath);
    environment.putAll(files.environment(node));
    return builder;
  }

  /**
   * A script for {@code sh} that runs a main class as nodes are run, on this process's Java and
   * with the class path and the options of nodes that are started here, and as a small process.
   *
   * @param arguments before those that the script is given
   */
  String script(String mainClass, List<String> arguments) throws IOException {
    List<String> command = new ArrayList<>(List.of(java().toString()));
    command.addAll(SMALL);
    command.addAll(NodeFlags.read());
    cache.ifPresent(
        file -> {
          command.addAll(List.of("-XX:AOTCache=" + file, "-Xlog:aot=off", "-Xlog:cds=off"));
          // Of this kind are the nodes that it starts.
          command.add("-D" + AOT_CACHE + "=" + file);
        });
    command.add(mainClass);
    command.addAll(arguments);
    return """
    # Written by "ecstore cluster up": how nodes of this cluster add and remove nodes.
    export CLASSPATH=%s
    %s\
    exec %s "$@"
    """
        .formatted(
            quoted(classPath),
            given.isEmpty()
                ? ""
                : "export %s=%s\n".formatted(NodeFlags.OPTIONS, quoted(String.join(" ", given))),
            command.stream().map(NodeLauncher::quoted).collect(Collectors.joining(" \\\n  ")));
  }

  private static String quoted(String word) {
    return "'" + word.replace("'", "'\\''") + "'";
  }
}
