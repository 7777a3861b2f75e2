package org.ecstore.cluster.database;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A MySQL server of the machine, for tests that otherwise have a MariaDB: the program that the
 * property {@code ecstore.mysqld} names. No Maven artifact has one.
 */
public final class MysqlPrograms {
  private static final String HOST = "127.0.0.1";
  private static final Duration INSTALL_WITHIN = Duration.ofMinutes(2);

  private final Path server;

  private MysqlPrograms(Path server) {
    this.server = server;
  }

  /** Those of the property, if it is set. */
  public static Optional<MysqlPrograms> named() {
    return Optional.ofNullable(System.getProperty("ecstore.mysqld"))
        .map(Path::of)
        .map(MysqlPrograms::new);
  }

  /** As {@link MariaDbPrograms#server}. */
  public DatabaseServer server(Path home, List<String> options, String init) throws Exception {
    Files.createDirectories(home);
    Path data = home.resolve("data");
    List<String> common = new ArrayList<>();
    common.add(server.toString());
    common.add("--no-defaults");
    common.add("--datadir=" + data);
    common.add("--user=" + System.getProperty("user.name"));
    common.add("--secure-file-priv=");
    common.addAll(options);
    List<String> install = new ArrayList<>(common);
    install.add("--initialize-insecure");
    Programs.run(install, home, home.resolve("install.log"), Map.of(), INSTALL_WITHIN);
    Path file = home.resolve("init.sql");
    Files.writeString(file, init);
    int port = Loopback.freePorts(1, List.of(HOST)).getFirst();
    List<String> serve = new ArrayList<>(common);
    serve.addAll(
        List.of(
            "--port=" + port,
            "--bind-address=" + HOST,
            "--skip-name-resolve",
            "--mysqlx=OFF",
            "--socket=" + data.relativize(home.resolve("socket")),
            "--pid-file=" + home.resolve("pid"),
            "--init-file=" + file));
    return new DatabaseServer(HOST + ":" + port, home, serve);
  }
}
