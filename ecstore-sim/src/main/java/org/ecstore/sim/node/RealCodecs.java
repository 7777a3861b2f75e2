package org.ecstore.sim.node;

import org.ecstore.core.message.Envelope;
import org.ecstore.core.message.EnvelopeCodec;
import org.ecstore.protocol.ClientCodec;
import org.ecstore.protocol.ClientReply;
import org.ecstore.protocol.ClientRequest;
import org.ecstore.txn.message.NodeMessages;

/** What goes over the wire in production goes through the same bytes here. */
final class RealCodecs implements SimNetwork.Codecs {
  private final EnvelopeCodec envelopes = new EnvelopeCodec(NodeMessages.tables());

  @Override
  public Envelope transfer(Envelope envelope) {
    return envelopes.decode(envelopes.encode(envelope));
  }

  @Override
  public ClientRequest transfer(ClientRequest request) {
    return ClientCodec.decodeRequest(ClientCodec.encodeRequest(1, request)).request();
  }

  @Override
  public ClientReply transfer(ClientReply reply) {
    return ClientCodec.decodeReply(ClientCodec.encodeReply(1, reply)).reply();
  }
}
