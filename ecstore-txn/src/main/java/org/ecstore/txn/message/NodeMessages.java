package org.ecstore.txn.message;

import java.util.List;
import org.ecstore.core.message.NodeMessage;
import org.ecstore.replication.hotspot.HotReplicaTable;
import org.ecstore.replication.message.ReplicationTable;
import org.ecstore.replication.quorum.QuorumTable;
import org.ecstore.wire.MessageTable;

/** Every family of messages that nodes exchange. */
public final class NodeMessages {
  private NodeMessages() {}

  /** Their tables, in ascending order of numbers. */
  public static List<MessageTable<? extends NodeMessage>> tables() {
    return List.of(ReplicationTable.ROWS, TxnTable.ROWS, QuorumTable.ROWS, HotReplicaTable.ROWS);
  }
}
