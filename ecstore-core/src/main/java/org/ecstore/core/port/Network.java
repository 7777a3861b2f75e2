package org.ecstore.core.port;

import org.ecstore.core.message.NodeMessage;
import org.ecstore.id.NodeId;
import org.ecstore.id.ReadPoint;
import org.ecstore.protocol.ClientReply;

/**
 * Sends messages; delivery, if it happens, is an {@link Event.Delivered}. A message may be lost,
 * doubled, delayed or overtaken. Never blocks: past its bounds it drops.
 */
public interface Network {
  /** Sends a message to a node (never to itself) together with the sender's (D, M) pair. */
  void send(NodeId to, ReadPoint point, NodeMessage message);

  /** Answers a client's request. */
  void reply(ClientCall call, ClientReply reply);
}
