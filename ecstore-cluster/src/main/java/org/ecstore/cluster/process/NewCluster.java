package org.ecstore.cluster.process;

import java.util.List;
import org.ecstore.key.Bytes;
import org.ecstore.server.ReplicationSettings;

/**
 * What a cluster of processes gets when it is made; one that is there stays as it is. Immutable.
 *
 * @param splitHints keys that say where its data will be
 * @param replication copies of ranges; each node counts as on a host of its own
 * @param resources of each of its processes
 * @param standalone whether it is one node for ever, with a ledger and a map in files of its own,
 *     without ZooKeeper and bookies
 */
public record NewCluster(
    List<Bytes> splitHints,
    ReplicationSettings replication,
    NodeResources resources,
    boolean standalone) {
  /** As clusters are unless told otherwise. */
  public static final NewCluster DEFAULT =
      new NewCluster(List.of(), ReplicationSettings.DEFAULT, NodeResources.SMALL, false);

  public NewCluster {
    splitHints = List.copyOf(splitHints);
  }

  /** The same with hints. */
  public NewCluster withSplitHints(List<Bytes> hints) {
    return new NewCluster(hints, replication, resources, standalone);
  }

  /** The same with other copies. */
  public NewCluster withReplication(ReplicationSettings other) {
    return new NewCluster(splitHints, other, resources, standalone);
  }

  /** The same with other processes. */
  public NewCluster withResources(NodeResources other) {
    return new NewCluster(splitHints, replication, other, standalone);
  }

  /** The same as one node for ever. */
  public NewCluster asStandalone() {
    return new NewCluster(splitHints, replication, resources, true);
  }
}
