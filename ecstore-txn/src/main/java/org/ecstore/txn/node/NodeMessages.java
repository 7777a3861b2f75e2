package org.ecstore.txn.node;

import java.util.List;
import org.ecstore.core.message.MessageCodec;
import org.ecstore.replication.hotspot.HotReplicaCodec;
import org.ecstore.replication.message.ReplicationCodec;
import org.ecstore.replication.quorum.QuorumCodec;
import org.ecstore.txn.message.TxnCodec;

/** Every family of messages that nodes exchange. */
public final class NodeMessages {
  private NodeMessages() {}

  /** Their codecs. */
  public static List<MessageCodec<?>> codecs() {
    return List.of(
        new ReplicationCodec(), new HotReplicaCodec(), new TxnCodec(), new QuorumCodec());
  }
}
