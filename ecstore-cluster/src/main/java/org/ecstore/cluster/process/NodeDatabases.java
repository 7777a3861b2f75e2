package org.ecstore.cluster.process;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.ecstore.cluster.config.EngineAccess;
import org.ecstore.cluster.database.DatabaseServer;
import org.ecstore.cluster.database.Loopback;
import org.ecstore.cluster.database.MadeServers;
import org.ecstore.cluster.database.MariaDbPrograms;
import org.ecstore.cluster.database.MavenArtifacts;
import org.ecstore.cluster.database.Programs;
import org.ecstore.cluster.database.RedisPrograms;
import org.ecstore.cluster.database.ServerUnavailableException;
import org.ecstore.cluster.node.DatabaseMemory;
import org.ecstore.engines.store.ServerAddress;
import org.ecstore.key.Bytes;
import org.ecstore.server.file.DurableFiles;
import org.ecstore.server.file.TemporaryDirectory;
import org.ecstore.server.secret.SecretFile;

/**
 * The database servers that nodes of some kinds of engines keep their data on: one for each such
 * node of a cluster that was made here, a process of its own on the loopback address, that outlives
 * the command that started it as the node does.
 *
 * <pre>
 *   node-N/database/            what the server stores and logs, for its owner only
 *   node-N/database.secret      the password that the node logs in with, for its owner only
 *   node-N/database.options     what the server is started with of memory, an option a line; written
 *                               once, so that an operator can change it
 *   node-N/database.pid         the server's process
 * </pre>
 *
 * <p>A node whose configuration names a server of the user's has none of these, and nothing is
 * started or ended for it.
 */
final class NodeDatabases {
  private static final String HOST = "127.0.0.1";
  private static final String MYSQL = MadeServers.MYSQL;
  private static final String REDIS = MadeServers.REDIS;
  private static final String NAME = "ecstore";
  private static final String LOG = "server.log";
  private static final String PASSWORD = "database.secret";
  private static final String OPTIONS = "database.options";

  /** Names a place, a port, an address or a number of the server. */
  private static final Pattern OF_ONE_SERVER =
      Pattern.compile(
          "-[^#]*/.*|-+[a-z-]*(?:port|dir|bind|bind-address|socket|server-id)\\b[ =].*");

  /** Options of the driver may follow. */
  private static final Pattern PORT_OF_URL =
      Pattern.compile("[a-z0-9+:-]+://[^/?#]*:([0-9]+)(?:[/?#].*)?");

  private static final String COMMENT = "#";
  private static final long MEBI = 1 << 20;

  /** Of servers that were made without a file of options, by builds that had none. */
  private static final List<String> MYSQL_WITHOUT_FILE = List.of("--innodb-buffer-pool-size=64M");

  private static final Duration SERVE_WITHIN = Duration.ofMinutes(1);
  private static final Duration PORT_WITHIN = Duration.ofSeconds(5);
  private static final Duration END_WITHIN = Duration.ofSeconds(30);

  private final IntFunction<Path> homes;
  private final Function<Consumer<String>, MavenArtifacts> artifacts;

  /**
   * Of the nodes of a cluster.
   *
   * @param homes the directory of a node
   * @param artifacts where programs are from that are not on this machine; tells what takes time
   */
  NodeDatabases(IntFunction<Path> homes, Function<Consumer<String>, MavenArtifacts> artifacts) {
    this.homes = homes;
    this.artifacts = artifacts;
  }

  private Path home(int node) {
    return homes.apply(node).resolve("database");
  }

  private Path pidFile(int node) {
    return homes.apply(node).resolve("database.pid");
  }

  private Path passwordFile(int node) {
    return homes.apply(node).resolve(PASSWORD);
  }

  /**
   * Makes room for the server of a node that is made, if an engine of the kind has one.
   *
   * @param memory that the server gets
   * @return the lines of its configuration about the engine
   * @throws ProcessClusterException if such a server is not made here; nothing is then
   */
  List<String> made(int node, String kind, int port, DatabaseMemory memory) throws IOException {
    mustBeMadeHere(kind);
    if (hasServer(kind)) {
      createForOwnerOnly(home(node));
      SecretFile.createIfAbsent(passwordFile(node));
      writeOptions(
          node,
          List.of(
              COMMENT + " What the server under this node is started with, an option a line.",
              COMMENT + " A change counts from the next start of the server.",
              memoryOption(kind, memory)));
    }
    return lines(kind, port);
  }

  private static String memoryOption(String kind, DatabaseMemory memory) {
    return kind.equals(MYSQL)
        ? "--innodb-buffer-pool-size=" + memory.cacheBytes() / MEBI + "M"
        : "--maxmemory " + memory.storeBytes() / MEBI + "mb";
  }

  /**
   * Has the server of a node begin with the options of that of another one, if both have one: all
   * that are not of that server alone, as a port or a directory. One that an earlier release has
   * made has no options: this one then has none either, so that it holds as much.
   */
  void takeOptions(int node, int other) throws IOException {
    if (!has(node) || !has(other)) {
      return;
    }
    Path options = optionsFile(other);
    if (Files.exists(options)) {
      writeOptions(
          node,
          Files.readAllLines(options).stream()
              .filter(line -> !OF_ONE_SERVER.matcher(line.strip()).matches())
              .toList());
    } else {
      Files.deleteIfExists(optionsFile(node));
    }
  }

  private void writeOptions(int node, List<String> lines) throws IOException {
    DurableFiles.replace(homes.apply(node), OPTIONS, Bytes.utf8(String.join("\n", lines) + "\n"));
  }

  private Path optionsFile(int node) {
    return homes.apply(node).resolve(OPTIONS);
  }

  /** The options of a node's server beside those that it always has; absent without their file. */
  private Optional<List<String>> options(int node) throws IOException {
    Path file = optionsFile(node);
    return Files.exists(file)
        ? Optional.of(
            Files.readAllLines(file).stream()
                .map(String::strip)
                .filter(line -> !line.isEmpty() && !line.startsWith(COMMENT))
                .toList())
        : Optional.empty();
  }

  /** As words of a command line. */
  private static List<String> words(List<String> options) {
    return options.stream().flatMap(line -> Stream.of(line.split("\\s+", -1))).toList();
  }

  /** Makes the password of a node that gets an engine of a kind, if that has a server. */
  void makePassword(int node, String kind) throws IOException {
    if (hasServer(kind)) {
      SecretFile.createIfAbsent(passwordFile(node));
    }
  }

  /** Deletes the password of a node that has no server. */
  void forgetPassword(int node) throws IOException {
    Files.deleteIfExists(passwordFile(node));
  }

  /**
   * Looks for the programs of the servers that kinds of engines have, and fetches those that are
   * not on this machine.
   *
   * @throws ProcessClusterException if there is none, or such a server is not made here; says what
   *     to do
   */
  void mustHavePrograms(Collection<String> kinds, Consumer<String> progress)
      throws InterruptedException {
    kinds.forEach(NodeDatabases::mustBeMadeHere);
    for (String kind : kinds) {
      if (hasServer(kind)) {
        mustHaveProgram(kind, artifacts.apply(progress));
      }
    }
  }

  private static void mustBeMadeHere(String kind) {
    Optional<String> refusal = MadeServers.refusal(kind);
    if (refusal.isPresent()) {
      throw new ProcessClusterException(refusal.get());
    }
  }

  private static void mustHaveProgram(String kind, MavenArtifacts programs)
      throws InterruptedException {
    try {
      if (kind.equals(MYSQL)) {
        MariaDbPrograms.find(programs);
      } else {
        RedisPrograms.find(programs);
      }
    } catch (ServerUnavailableException e) {
      throw new ProcessClusterException(
          ("nodes of the kind %s keep their data on a %s server, and %s. Nothing has been done."
                  + " Put the server's program on the PATH, or mvn, which fetches it; or have a"
                  + " node on a server of your own, that engine.url in its ecstore.toml names")
              .formatted(kind, kind, e.getMessage()),
          e);
    }
  }

  /** Whether engines of a kind keep their data on a server that is made for them here. */
  static boolean hasServer(String kind) {
    return MadeServers.areFor(kind);
  }

  /** What a configuration says of an engine of a kind, whose server has a port if there is one. */
  static List<String> lines(String kind, int port) {
    return lines(kind, port, PASSWORD);
  }

  /** The same, with another file of the password. */
  static List<String> lines(String kind, int port, String passwordFile) {
    List<String> lines = new ArrayList<>(List.of("kind = \"" + kind + '"'));
    boolean mysql = kind.equals(MYSQL);
    if (hasServer(kind)) {
      String address = HOST + ":" + port;
      lines.add(
          "url = \""
              + (mysql ? "jdbc:mariadb://" + address + "/" + NAME : "redis://" + address)
              + '"');
      if (mysql) {
        lines.add("user = \"" + NAME + '"');
      }
      lines.add("password-file = \"" + passwordFile + '"');
    }
    return lines;
  }

  /** What the server is told at its start holds the password too. */
  private static void createForOwnerOnly(Path directory) throws IOException {
    Files.createDirectories(directory);
    if (directory.getFileSystem().supportedFileAttributeViews().contains("posix")) {
      Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwx------"));
    }
  }

  /** Whether a node has a server that is started and ended with the cluster. */
  boolean has(int node) {
    return Files.isDirectory(home(node));
  }

  /** The process of a node's server, if it runs. */
  Optional<OwnProcess> process(int node) throws IOException {
    return OwnProcess.find(pidFile(node), home(node).toString());
  }

  /**
   * Starts the server of a node if it has one that does not run; returns when it serves.
   *
   * @param access to the server, by the node's configuration: its URL tells which program it is
   * @throws ProcessClusterException if it does not; says what to do
   */
  void start(int node, Optional<EngineAccess> access, Consumer<String> progress)
      throws IOException, InterruptedException {
    if (!has(node) || access.isEmpty() || process(node).isPresent()) {
      return;
    }
    String kind = access.get().url().startsWith("jdbc:") ? MYSQL : REDIS;
    try {
      // One that has just been killed may have its port for a moment, and be taken for the new one.
      int port = mustHavePort(node, access.get().url());
      if (!FreePorts.awaitFree(HOST, port, PORT_WITHIN)) {
        throw new ServerUnavailableException("another process has its port " + port);
      }
      DatabaseServer server = server(node, kind, access.get(), progress);
      OwnProcess process = launch(node, server);
      Path log = home(node).resolve(LOG);
      Supplier<Optional<String>> ended =
          () -> process.isRunning() ? Optional.empty() : Optional.of(lastLine(log));
      if (kind.equals(MYSQL)) {
        Loopback.awaitGreeting(server.address(), ended, SERVE_WITHIN);
      } else {
        Loopback.awaitListening(server.address(), ended, SERVE_WITHIN);
      }
      progress.accept(
          "the %s server of node %d started%s".formatted(kind, node, startedWith(options(node))));
    } catch (ServerUnavailableException e) {
      kill(node);
      throw new ProcessClusterException(
          ("node %d keeps its data on a %s server, and %s. Its log is in %s. To have it on one of"
                  + " your own, name that by engine.url in %s, and remove %s")
              .formatted(
                  node,
                  kind,
                  e.getMessage(),
                  home(node),
                  homes.apply(node).resolve("ecstore.toml"),
                  home(node)),
          e);
    }
  }

  /** What it may keep in memory is by its options. */
  private static String startedWith(Optional<List<String>> options) {
    return options
        .map(lines -> lines.isEmpty() ? "" : " with " + String.join(" ", lines))
        .orElse(" as before, without " + OPTIONS);
  }

  private DatabaseServer server(
      int node, String kind, EngineAccess access, Consumer<String> progress)
      throws IOException, InterruptedException, ServerUnavailableException {
    MavenArtifacts programs = artifacts.apply(progress);
    int port = mustHavePort(node, access.url());
    String password = Files.readString(passwordFile(node)).strip();
    if (kind.equals(MYSQL)) {
      return MariaDbPrograms.find(programs)
          .server(
              home(node),
              port,
              with(
                  List.of(
                      "--innodb-log-file-size=32M",
                      "--innodb-flush-log-at-trx-commit=1",
                      "--max-allowed-packet=16M",
                      "--lower-case-table-names=0",
                      "--skip-ssl",
                      "--skip-log-bin"),
                  options(node).orElse(MYSQL_WITHOUT_FILE)),
              """
              CREATE DATABASE IF NOT EXISTS %1$s;
              CREATE USER IF NOT EXISTS %1$s@'127.0.0.1' IDENTIFIED BY '%2$s';
              GRANT ALL ON %1$s.* TO %1$s@'127.0.0.1';
              ALTER USER root@localhost IDENTIFIED BY '%2$s';
              DROP USER IF EXISTS root@'127.0.0.1', root@'::1', ''@localhost;
              """
                  .formatted(NAME, password));
    }
    Path configuration = home(node).resolve("redis.conf");
    Files.writeString(configuration, "requirepass " + password + "\n");
    return RedisPrograms.find(programs)
        .server(
            home(node),
            port,
            configuration,
            with(
                List.of(
                    "--save",
                    "",
                    "--appendonly",
                    "no",
                    "--maxmemory-policy",
                    "noeviction",
                    // So that its command line goes on to name its directory.
                    "--set-proc-title",
                    "no"),
                options(node).orElse(List.of())));
  }

  private static List<String> with(List<String> always, List<String> options) {
    return Stream.concat(always.stream(), words(options).stream()).toList();
  }

  private int mustHavePort(int node, String url) {
    return port(url)
        .orElseThrow(
            () ->
                new ProcessClusterException(
                    ("node %d: engine.url in %s has no port from 1 to 65535 behind its host: that"
                            + " of a server that is made here has one")
                        .formatted(node, homes.apply(node).resolve("ecstore.toml"))));
  }

  /** The port that a URL names behind its host; absent if it names none that there can be. */
  static Optional<Integer> port(String url) {
    Matcher port = PORT_OF_URL.matcher(url);
    return port.matches() && ServerAddress.portProblem(port.group(1)).isEmpty()
        ? Optional.of(Integer.valueOf(port.group(1)))
        : Optional.empty();
  }

  /** In a session of its own, so that neither this process's end nor an interrupt ends it. */
  private OwnProcess launch(int node, DatabaseServer server) throws IOException {
    List<String> command = new ArrayList<>();
    Programs.find("setsid").ifPresent(program -> command.add(program.toString()));
    command.addAll(server.command());
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .directory(home(node).toFile())
            .redirectInput(new File("/dev/null"))
            .redirectOutput(ProcessBuilder.Redirect.appendTo(home(node).resolve(LOG).toFile()))
            .redirectErrorStream(true);
    return OwnProcess.start(builder, pidFile(node), home(node).toString());
  }

  private static String lastLine(Path log) {
    try {
      return ClusterFiles.lastLine(log);
    } catch (IOException e) {
      return "nothing that can be read: " + e.getMessage();
    }
  }

  /** SIGKILL; returns when it is gone. Nothing where none runs. */
  void kill(int node) throws IOException, InterruptedException {
    Optional<OwnProcess> process = process(node);
    if (process.isPresent()) {
      process.get().signal("KILL");
      process.get().awaitEnd(END_WITHIN);
    }
  }

  /** Sends a signal to the server of a node; nothing where none runs. */
  void signal(int node, String name) throws IOException, InterruptedException {
    Optional<OwnProcess> process = process(node);
    if (process.isPresent()) {
      process.get().signal(name);
    }
  }

  /**
   * Ends the server of a node, and deletes all that it has; nothing where it has none. The password
   * stays, which the node's configuration names.
   */
  void remove(int node) throws IOException, InterruptedException {
    if (has(node)) {
      end(List.of(node));
      TemporaryDirectory.delete(home(node));
      Files.deleteIfExists(pidFile(node));
      Files.deleteIfExists(optionsFile(node));
    }
  }

  /** Ends the servers of some nodes, orderly where they do so in time. */
  void end(Iterable<Integer> nodes) throws IOException, InterruptedException {
    List<OwnProcess> signalled = new ArrayList<>();
    for (int node : nodes) {
      Optional<OwnProcess> process = process(node);
      if (process.isPresent()) {
        process.get().signal("CONT");
        process.get().signal("TERM");
        signalled.add(process.get());
      }
    }
    for (OwnProcess process : signalled) {
      if (!process.awaitEnd(END_WITHIN)) {
        process.signal("KILL");
        process.awaitEnd(END_WITHIN);
      }
    }
  }
}
