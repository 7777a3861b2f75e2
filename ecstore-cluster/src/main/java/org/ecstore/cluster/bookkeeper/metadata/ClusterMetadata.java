package org.ecstore.cluster.bookkeeper.metadata;

import org.apache.bookkeeper.client.BookKeeperAdmin;
import org.apache.bookkeeper.conf.ServerConfiguration;

/** Makes what BookKeeper keeps about a cluster in ZooKeeper. */
public final class ClusterMetadata {
  private ClusterMetadata() {}

  /** Creates it unless it is there. Several processes may do so at the same time. */
  public static void create(ClusterPaths paths, MetadataZooKeeper zooKeeper, int sessionMillis)
      throws Exception {
    if (!zooKeeper.createRoot()) {
      return;
    }
    ServerConfiguration configuration = new ServerConfiguration();
    configuration.setMetadataServiceUri(paths.metadataUri());
    configuration.setZkTimeout(sessionMillis);
    try {
      BookKeeperAdmin.initNewCluster(configuration);
    } catch (Exception e) {
      if (zooKeeper.createRoot()) {
        throw e;
      }
      // Another process was first.
    }
  }
}
