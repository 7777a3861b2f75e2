package org.ecstore.bench.peer.mariadb;

import java.time.Duration;
import java.util.List;
import java.util.Locale;
import org.ecstore.bench.peer.local.Durability;
import org.ecstore.bench.peer.local.Peer;
import org.ecstore.bench.peer.local.PeerTarget;
import org.ecstore.bench.store.StartedTarget;
import org.ecstore.bench.store.Target;
import org.ecstore.cluster.database.DatabaseServer;
import org.ecstore.cluster.database.MariaDbPrograms;
import org.ecstore.cluster.database.ServerUnavailableException;

/**
 * MariaDB with InnoDB: that on the PATH, or 11.4.5 out of a Maven artifact. A buffer pool of 2 GiB,
 * a log of 1 GiB, direct I/O, no binary log.
 */
public final class MariaDb implements Peer {
  private static final Duration SERVE_WITHIN = Duration.ofMinutes(1);

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
      throws ServerUnavailableException, InterruptedException {
    DatabaseServer server =
        MariaDbPrograms.find(place.artifacts())
            .server(place.directory(), options(durability), MariaDbClients.INIT);
    place.progress().accept("mariadb started, durability " + durability.written());
    StartedTarget target =
        PeerTarget.serving(
            name(),
            server.address(),
            server.home(),
            List.of(server.begin()),
            new MariaDbClients(server.address()),
            SERVE_WITHIN);
    place.progress().accept("mariadb serves on " + server.address());
    return target;
  }

  private static List<String> options(Durability durability) {
    return List.of(
        "--innodb-buffer-pool-size=2G",
        "--innodb-log-file-size=1G",
        "--innodb-flush-method=O_DIRECT",
        "--innodb-flush-log-at-trx-commit=" + (durability == Durability.COMMIT ? 1 : 2),
        "--skip-log-bin",
        "--max-connections=10100",
        "--lower-case-table-names=0");
  }

  @Override
  public Target at(String addresses, List<Long> processes) throws ServerUnavailableException {
    return PeerTarget.running(
        name(), processes, new MariaDbClients(addresses.toLowerCase(Locale.ROOT)));
  }
}
