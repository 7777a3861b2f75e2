package org.ecstore.sim;

import java.util.Map;
import java.util.TreeMap;
import org.ecstore.core.runtime.NodeContext;
import org.ecstore.id.Position;
import org.ecstore.replication.copy.Copy;
import org.ecstore.replication.copy.CopySource;
import org.ecstore.replication.copy.CopyTable;
import org.ecstore.replication.message.ReplicationMessage.CopyFetch;
import org.ecstore.sim.node.NodeMutation;
import org.ecstore.txn.node.NodeParts;
import org.ecstore.txn.node.NodeSettings;

/** Bugs of copies that are filled from others, which the simulator must find. */
public final class PlantedTransfers implements PlantSource {
  @Override
  public Map<String, NodeMutation> plants() {
    Map<String, NodeMutation> all = new TreeMap<>();
    PlantSource.add(all, "later-chunks-at-another-stamp", new LaterChunksAtAnotherStamp());
    return all;
  }

  /** Against rule 10: each chunk of a transfer is read where the copy is closed by then. */
  private static final class LaterChunksAtAnotherStamp extends NodeParts {
    @Override
    public CopySource source(NodeContext context, CopyTable copies, NodeSettings settings) {
      return new CopySource(context, copies, settings.leaseNanos(), settings.transfers()) {
        @Override
        protected Position stamp(Copy copy, CopyFetch fetch) {
          return copies.closed(copy);
        }
      };
    }
  }
}
