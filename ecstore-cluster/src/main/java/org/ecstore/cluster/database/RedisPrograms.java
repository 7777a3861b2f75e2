package org.ecstore.cluster.database;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Redis' server: that on the PATH, or 6.2 out of a Maven artifact. */
public final class RedisPrograms {
  private static final String ARTIFACT = "com.github.codemonstur:embedded-redis:1.4.3";
  private static final String HOST = "127.0.0.1";

  private final Path program;

  private RedisPrograms(Path program) {
    this.program = program;
  }

  /**
   * Finds it.
   *
   * @throws ServerUnavailableException if there is none for this machine
   */
  public static RedisPrograms find(MavenArtifacts artifacts)
      throws ServerUnavailableException, InterruptedException {
    Optional<Path> found = Programs.find("redis-server");
    if (found.isPresent()) {
      return new RedisPrograms(found.get());
    }
    String machine = System.getProperty("os.name") + " " + System.getProperty("os.arch");
    String file =
        switch (machine) {
          case "Linux amd64" -> "redis-server-6.2.6-v5-linux-amd64";
          case "Linux aarch64" -> "redis-server-6.2.7-linux-arm64";
          default ->
              throw new ServerUnavailableException(
                  "there is no redis-server on the PATH, and no Maven artifact with one for "
                      + machine);
        };
    return new RedisPrograms(artifacts.unpacked(ARTIFACT, file).resolve(file));
  }

  /**
   * A server that does not run yet.
   *
   * @param home for its data and logs; made if it is not there
   * @param options of the server, beside those of where it is: a name and its values each
   */
  public DatabaseServer server(Path home, List<String> options) throws ServerUnavailableException {
    int port = Loopback.freePorts(1, List.of(HOST)).getFirst();
    return server(home, port, Optional.empty(), options);
  }

  /**
   * As above, on a port of the loopback address.
   *
   * @param configuration a file of options that shall not be seen on its command line
   */
  public DatabaseServer server(Path home, int port, Path configuration, List<String> options)
      throws ServerUnavailableException {
    return server(home, port, Optional.of(configuration), options);
  }

  private DatabaseServer server(
      Path home, int port, Optional<Path> configuration, List<String> options)
      throws ServerUnavailableException {
    String address = HOST + ":" + port;
    Path whole = home.toAbsolutePath();
    try {
      Files.createDirectories(whole);
    } catch (IOException e) {
      throw new ServerUnavailableException("it cannot be started: " + e.getMessage(), e);
    }
    List<String> command = new ArrayList<>(List.of(program.toString()));
    configuration.ifPresent(file -> command.add(file.toAbsolutePath().toString()));
    command.addAll(
        List.of(
            "--port",
            Integer.toString(port),
            "--bind",
            HOST,
            "--dir",
            whole.toString(),
            "--daemonize",
            "no"));
    command.addAll(options);
    return new DatabaseServer(address, whole, command);
  }
}
