package org.ecstore.server.process;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.ecstore.server.end.Ending;

/**
 * Starts nodes' processes on this process's Java and class path, in sessions of their own, so that
 * neither its end nor an interrupt at its terminal ends them.
 */
final class NodeLauncher {
  /** The variable whose flags each node's virtual machine gets, as {@code bin/ecstore} does. */
  private static final String OPTIONS = "ECSTORE_JAVA_OPTS";

  private static final String PREFIX = "ECSTORE_";

  /** Names the file with the classes that were kept ready, where {@code bin/ecstore} has one. */
  private static final String AOT_CACHE = "ecstore.aot-cache";

  private static final List<String> FLAGS =
      List.of(
          "-XX:+ExitOnOutOfMemoryError",
          "-Dkryo.unsafe=false",
          "--enable-native-access=ALL-UNNAMED",
          // BookKeeper's messages use what later releases of Java will not have.
          "--sun-misc-unsafe-memory-access=allow",
          "--add-opens=java.base/java.io=ALL-UNNAMED");

  private static final String MAIN = "org.ecstore.server.cli.EcStoreMain";

  private final ClusterFiles files;
  private final String classPath;
  private final Optional<Path> setsid;

  private NodeLauncher(ClusterFiles files, String classPath, Optional<Path> setsid) {
    this.files = files;
    this.classPath = classPath;
    this.setsid = setsid;
  }

  static NodeLauncher ofThisProcess(ClusterFiles files) {
    String path = Optional.ofNullable(System.getenv("PATH")).orElse("/usr/bin:/bin");
    Optional<Path> setsid =
        Stream.of(path.split(File.pathSeparator, -1))
            .map(directory -> Path.of(directory, "setsid"))
            .filter(Files::isExecutable)
            .findFirst();
    String classPath =
        Stream.of(System.getProperty("java.class.path").split(File.pathSeparator, -1))
            .map(entry -> Path.of(entry).toAbsolutePath().toString())
            .collect(Collectors.joining(File.pathSeparator));
    return new NodeLauncher(files, classPath, setsid);
  }

  /** Starts a node and notes its process; it does not serve yet. */
  OwnProcess launch(int node) throws IOException {
    String config = files.configFile(node).toString();
    List<String> command = new ArrayList<>();
    setsid.ifPresent(program -> command.add(program.toString()));
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(files.flags(node));
    command.addAll(FLAGS);
    Optional.ofNullable(System.getProperty(AOT_CACHE))
        .ifPresent(
            cache ->
                command.addAll(List.of("-XX:AOTCache=" + cache, "-Xlog:aot=off", "-Xlog:cds=off")));
    Optional.ofNullable(System.getenv(OPTIONS))
        .filter(options -> !options.isBlank())
        .ifPresent(options -> command.addAll(List.of(options.strip().split("\\s+", -1))));
    command.addAll(List.of(MAIN, "server", "--config", config));
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
    return Ending.unless(() -> noted(builder.start(), node, config));
  }

  /** One that cannot be found again is ended. */
  private OwnProcess noted(Process process, int node, String config) throws IOException {
    try {
      return OwnProcess.note(files.pidFile(node), process.toHandle(), config);
    } catch (IOException | RuntimeException e) {
      process.destroyForcibly();
      throw e;
    }
  }
}
