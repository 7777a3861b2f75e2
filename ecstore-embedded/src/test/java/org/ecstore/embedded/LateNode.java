package org.ecstore.embedded;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.awaitility.Awaitility;
import org.ecstore.id.NodeId;
import org.ecstore.server.ClusterSettings;
import org.ecstore.server.LocalCluster;

/**
 * A store whose node does not run and whose port refuses connections, until a process asks for it
 * by a file: then the node is started at the address that it had.
 */
final class LateNode implements AutoCloseable {
  private static final NodeId ONE = new NodeId(1);
  private static final Duration WANTED_WITHIN = Duration.ofMinutes(2);

  private final LocalCluster cluster;
  private final String address;
  private final Path wanted;
  private final Thread watcher = new Thread(this::watch, "late-node");
  private volatile boolean closed;

  private LateNode(LocalCluster cluster, Path wanted) {
    this.cluster = cluster;
    this.address = cluster.addresses();
    this.wanted = wanted;
  }

  /** One that keeps its data in a directory, which is made. */
  static LateNode of(Path directory) throws IOException {
    LocalCluster cluster =
        LocalCluster.start(directory.resolve("store"), ClusterSettings.DEFAULT.withNodes(1));
    LateNode late = new LateNode(cluster, directory.resolve("wanted"));
    cluster.killNode(ONE);
    late.watcher.start();
    return late;
  }

  /** Where it will be. */
  String address() {
    return address;
  }

  /** The file that is made to have it started. */
  Path wanted() {
    return wanted;
  }

  private void watch() {
    Awaitility.await().atMost(WANTED_WITHIN).until(() -> closed || Files.exists(wanted));
    if (!closed) {
      try {
        cluster.restartNode(ONE);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  @Override
  public void close() throws IOException {
    closed = true;
    try {
      watcher.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    cluster.close();
  }
}
