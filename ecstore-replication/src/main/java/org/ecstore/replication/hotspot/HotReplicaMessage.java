package org.ecstore.replication.hotspot;

import java.util.List;
import org.ecstore.core.message.NodeMessage;
import org.ecstore.core.port.Engine.VersionedWrite;
import org.ecstore.id.Epoch;
import org.ecstore.id.NodeId;
import org.ecstore.id.Position;
import org.ecstore.id.RangeId;
import org.ecstore.key.KeyRange;

/**
 * Messages between a copy and its hot-spot replicas (ecStore §4.2, rules 11, 25). A hot-spot
 * replica is named by its parent and a number that no two hot-spot replicas of any incarnation of
 * that parent have in common.
 */
public sealed interface HotReplicaMessage extends NodeMessage {
  /** From the copy: hold these keys of mine; what there is of them has to be fetched here. */
  record HotReplicaOffer(long hotReplica, RangeId range, Epoch epoch, KeyRange keys)
      implements HotReplicaMessage {}

  /**
   * From the copy: every write to the hot-spot replica's keys above {@code previous} through {@code
   * closed}, in order of their numbers. A heartbeat is one without writes.
   */
  record HotReplicaUpdate(
      long hotReplica, Position previous, Position closed, List<VersionedWrite> writes)
      implements HotReplicaMessage {
    public HotReplicaUpdate {
      writes = List.copyOf(writes);
    }
  }

  /**
   * From the hot-spot replica: closed at this position, send what is above. The first says: filled.
   *
   * @param reads thousandths of a read that it serves per second of late
   */
  record HotReplicaAck(long hotReplica, Position closed, long reads) implements HotReplicaMessage {}

  /** From the hot-spot replica's node: there is no such hot-spot replica, or no longer. */
  record HotReplicaGone(long hotReplica, String reason) implements HotReplicaMessage {}

  /** From the copy's node: that hot-spot replica has no use, or no longer. */
  record HotReplicaDrop(long hotReplica) implements HotReplicaMessage {}

  /**
   * From any node to any, at intervals: how busy nodes are, as far as the sender has heard (rule
   * 25).
   */
  record LoadNews(List<NodeLoad> loads) implements HotReplicaMessage {
    public LoadNews {
      loads = List.copyOf(loads);
    }
  }

  /**
   * How busy a node said it was.
   *
   * @param incarnation of the node
   * @param count grows with everything that this incarnation says of itself
   * @param reads thousandths of a read that it serves per second
   */
  record NodeLoad(NodeId node, long incarnation, long count, long reads) {
    /** Whether this says something newer of the same node. */
    public boolean isNewerThan(NodeLoad other) {
      return incarnation != other.incarnation
          ? incarnation > other.incarnation
          : count > other.count;
    }
  }
}
