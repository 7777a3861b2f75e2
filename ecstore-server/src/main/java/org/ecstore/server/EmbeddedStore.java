package org.ecstore.server;

import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.TreeSet;
import org.ecstore.client.error.UnavailableException;
import org.ecstore.client.spi.Connector;
import org.ecstore.client.spi.EmbeddedStoreProvider;
import org.ecstore.client.spi.NodeConnection;
import org.ecstore.core.metrics.MetricsProvider;
import org.ecstore.id.NodeId;
import org.ecstore.server.file.FileErrors;

/**
 * The store behind {@code EcStore.open}: a cluster of one node in the application's own process,
 * without ports. The directory is laid out as that of any {@link LocalCluster}, so that what began
 * embedded can go on with more nodes.
 */
public final class EmbeddedStore implements EmbeddedStoreProvider {
  private static final NodeId ONLY = new NodeId(1);

  @Override
  public Connector open(Path directory) {
    return new LocalConnector(start(directory, false));
  }

  /**
   * Its one node.
   *
   * @param listening whether it opens a port, on the loopback address
   */
  static LocalCluster start(Path directory, boolean listening) {
    try {
      TreeSet<NodeId> nodes = LocalCluster.nodesIn(directory);
      if (nodes.size() > 1) {
        throw new UnavailableException(
            "the directory holds a cluster of several nodes, an embedded store has one: open it"
                + " with LocalCluster",
            null,
            "directory",
            directory,
            "nodes",
            nodes.size());
      }
      ClusterSettings settings = ClusterSettings.DEFAULT.withNodes(1).withMetrics(metrics());
      return LocalCluster.start(directory, settings, listening, LocalCluster.Seams.NONE);
    } catch (FileSystemException e) {
      throw new UnavailableException(
          "the directory cannot be used: " + FileErrors.reason(e),
          e,
          "directory",
          directory,
          "file",
          String.valueOf(e.getFile()));
    } catch (IOException | IllegalStateException e) {
      throw new UnavailableException(String.valueOf(e.getMessage()), e, "directory", directory);
    }
  }

  /** Where an application wants the node's numbers, by a service that it brings. */
  private static MetricsProvider metrics() {
    return ServiceLoader.load(MetricsProvider.class).findFirst().orElse(MetricsProvider.NONE);
  }

  /** The way to the one node; closing it ends the node. */
  private record LocalConnector(LocalCluster cluster) implements Connector {
    @Override
    public List<String> seeds() {
      return List.of(NodeRuntime.NO_ADDRESS);
    }

    @Override
    public NodeConnection connect(String address) {
      return cluster.connection(ONLY, Optional.empty());
    }

    @Override
    public NodeConnection connect(String address, String application) {
      return cluster.connection(ONLY, Optional.of(application));
    }

    @Override
    public void close() {
      try {
        cluster.close();
      } catch (IOException e) {
        throw new UnavailableException("the store did not close in order", e);
      }
    }
  }
}
