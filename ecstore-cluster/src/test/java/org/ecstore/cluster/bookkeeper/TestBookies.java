package org.ecstore.cluster.bookkeeper;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.concurrent.ExecutionException;
import org.apache.bookkeeper.client.BKException;
import org.apache.bookkeeper.client.api.BookKeeper;
import org.apache.bookkeeper.client.api.LedgerMetadata;
import org.apache.bookkeeper.conf.ClientConfiguration;
import org.ecstore.cluster.bookkeeper.bookie.BookieSettings;
import org.ecstore.cluster.bookkeeper.bookie.EmbeddedBookie;
import org.ecstore.cluster.bookkeeper.metadata.ClusterPaths;
import org.ecstore.cluster.zookeeper.server.EmbeddedZooKeeper;

/** ZooKeeper and bookies for a test, in this process. */
final class TestBookies implements AutoCloseable {
  final Notes notes = new Notes();
  private final EmbeddedZooKeeper zooKeeper;
  private final Path directory;
  private final String cluster;
  private final List<BookieSettings> settings = new ArrayList<>();
  private final List<EmbeddedBookie> running = new ArrayList<>();

  TestBookies(Path directory, String cluster, int count) {
    this.directory = directory;
    this.cluster = cluster;
    try {
      this.zooKeeper =
          EmbeddedZooKeeper.standalone(
              directory.resolve("zookeeper"), EmbeddedZooKeeper.LOOPBACK, 0, notes);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    for (int i = 0; i < count; i++) {
      add();
    }
  }

  String connect() {
    return zooKeeper.connectString();
  }

  ClusterPaths paths() {
    return ClusterPaths.of(connect(), cluster);
  }

  /** One more bookie. */
  void add() {
    int number = settings.size();
    settings.add(
        BookieSettings.of(
                directory.resolve("bookie" + number), "b" + number, BookieSettings.LOOPBACK, 0)
            .withSessionMillis(2000));
    running.add(null);
    start(number);
  }

  void start(int number) {
    try {
      running.set(number, EmbeddedBookie.start(connect(), cluster, settings.get(number), notes));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  void stop(int number) {
    EmbeddedBookie bookie = running.set(number, null);
    if (bookie != null) {
      bookie.close();
    }
  }

  /** The bookies that each segment there is, in the order of creation, was made on. */
  List<List<String>> ensembles() throws Exception {
    ClientConfiguration configuration = new ClientConfiguration();
    configuration.setMetadataServiceUri(paths().metadataUri());
    List<List<String>> ensembles = new ArrayList<>();
    BookKeeper client = BookKeeper.newBuilder(configuration).build();
    try {
      TreeSet<Long> ids = new TreeSet<>();
      client.newListLedgersOp().execute().get().toIterable().forEach(ids::add);
      for (long id : ids) {
        LedgerMetadata metadata;
        try {
          metadata = client.getLedgerMetadata(id).get();
        } catch (ExecutionException e) {
          if (e.getCause() instanceof BKException.BKNoSuchLedgerExistsOnMetadataServerException) {
            // Deleted since the segments were listed.
            continue;
          }
          throw e;
        }
        ensembles.add(
            metadata.getAllEnsembles().firstEntry().getValue().stream()
                .map(Object::toString)
                .toList());
      }
    } finally {
      client.close();
    }
    return ensembles;
  }

  @Override
  public void close() {
    for (int i = 0; i < running.size(); i++) {
      stop(i);
    }
    zooKeeper.close();
  }
}
