package org.ecstore.sim.client;

import org.ecstore.id.NodeId;
import org.ecstore.id.ReadPoint;
import org.ecstore.protocol.ClientReply;
import org.ecstore.protocol.ClientRequest;
import org.ecstore.sim.world.SwarmSettings;
import org.ecstore.sim.world.World;

/**
 * A client that leases a snapshot which another client has leased too, and ends its lease, again
 * and again: the other's lasts all the same (rule 14).
 */
public final class SnapshotVisitor {
  private static final long CALL_TIMEOUT_NANOS = 2 * SwarmSettings.SECOND;

  private final World world;
  private final SimClient client;
  private final NodeId node;
  private final ReadPoint point;
  private boolean stopped;

  /** One that visits the snapshot of a node. */
  public SnapshotVisitor(World world, SimClient client, NodeId node, ReadPoint point) {
    this.world = world;
    this.client = client;
    this.node = node;
    this.point = point;
  }

  /** Comes for a short while, and comes back. */
  public void visit() {
    if (stopped) {
      return;
    }
    client.call(
        node,
        new ClientRequest.BeginAt(point.position()),
        CALL_TIMEOUT_NANOS,
        reply -> {
          if (reply.isPresent() && reply.get() instanceof ClientReply.Begun begun) {
            world.happened("two lease one snapshot");
            client.tell(node, new ClientRequest.EndSnapshot(begun.lease()));
          }
          long again = client.random().between(10, 400) * SwarmSettings.MILLI;
          world.scheduler().after(again, this::visit);
        });
  }

  /** Does not come back. */
  public void stop() {
    stopped = true;
  }
}
