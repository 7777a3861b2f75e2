package org.ecstore.server.process;

import java.util.List;
import org.ecstore.key.Bytes;
import org.ecstore.server.ReplicationSettings;

/**
 * What a cluster of processes gets when it is made; one that is there stays as it is. Immutable.
 *
 * @param splitHints keys that say where its data will be
 * @param replication copies of ranges; each node counts as on a host of its own
 */
public record NewCluster(List<Bytes> splitHints, ReplicationSettings replication) {
  /** As clusters are unless told otherwise. */
  public static final NewCluster DEFAULT = new NewCluster(List.of(), ReplicationSettings.DEFAULT);

  public NewCluster {
    splitHints = List.copyOf(splitHints);
  }

  /** The same with hints. */
  public NewCluster withSplitHints(List<Bytes> hints) {
    return new NewCluster(hints, replication);
  }

  /** The same with other copies. */
  public NewCluster withReplication(ReplicationSettings other) {
    return new NewCluster(splitHints, other);
  }
}
