package org.ecstore.tools.measure;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.ecstore.cluster.bookkeeper.BookKeeperLedger;
import org.ecstore.cluster.bookkeeper.bookie.BookieSettings;
import org.ecstore.cluster.bookkeeper.bookie.EmbeddedBookie;
import org.ecstore.cluster.bookkeeper.segment.BookKeeperSettings;
import org.ecstore.cluster.zookeeper.server.EmbeddedZooKeeper;
import org.ecstore.core.port.OperatorLog;
import org.ecstore.server.ledger.LedgerClaim;
import org.ecstore.server.ledger.LedgerService;
import org.ecstore.server.ledger.LedgerSettings;

/** Three bookies and a ZooKeeper server in this process, fsync on: a ledger for a measurement. */
public final class HostedBookies implements AutoCloseable {
  private static final int BOOKIES = 3;
  private static final Duration START_WITHIN = Duration.ofSeconds(60);

  private final EmbeddedZooKeeper zooKeeper;
  private final List<EmbeddedBookie> bookies = new ArrayList<>();
  private final Set<UUID> served = new HashSet<>();

  private HostedBookies(EmbeddedZooKeeper zooKeeper) {
    this.zooKeeper = zooKeeper;
  }

  /** Starts them in a directory. */
  public static HostedBookies start(Path directory, OperatorLog log) throws IOException {
    EmbeddedZooKeeper zooKeeper =
        EmbeddedZooKeeper.standalone(
            Files.createDirectories(directory.resolve("zookeeper")),
            EmbeddedZooKeeper.LOOPBACK,
            0,
            log);
    HostedBookies hosted = new HostedBookies(zooKeeper);
    try {
      zooKeeper.awaitReady(START_WITHIN);
      return hosted;
    } catch (IOException | RuntimeException e) {
      hosted.close();
      throw e;
    }
  }

  /** A ledger of its own for a cluster: each cluster has its own three bookies' metadata. */
  public LedgerService open(
      Path directory, UUID cluster, LedgerSettings settings, LedgerClaim claim, OperatorLog log)
      throws IOException {
    String name = "measured-" + cluster;
    // A cluster that is opened again finds its bookies as they were.
    for (int i = 1; i <= BOOKIES && !served.contains(cluster); i++) {
      Path home = Files.createDirectories(directory.resolve("bookie-" + i));
      bookies.add(
          EmbeddedBookie.start(
              zooKeeper.connectString(),
              name,
              BookieSettings.of(home, "b" + i, BookieSettings.LOOPBACK, 0),
              log));
    }
    served.add(cluster);
    return BookKeeperLedger.open(
        zooKeeper.connectString(), name, cluster, BookKeeperSettings.DEFAULT, log);
  }

  @Override
  public void close() {
    bookies.reversed().forEach(EmbeddedBookie::close);
    zooKeeper.close();
  }
}
