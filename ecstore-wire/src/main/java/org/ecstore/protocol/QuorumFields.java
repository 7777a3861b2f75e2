package org.ecstore.protocol;

import org.ecstore.model.Quorum;
import org.ecstore.wire.Limits;
import org.ecstore.wire.WireReader;
import org.ecstore.wire.WireWriter;

/** Fields of quorum requests and replies. */
final class QuorumFields {
  /** Copies of one range that may answer. */
  private static final int COPIES_MAX = 1 << 10;

  private QuorumFields() {}

  static void writeGet(WireWriter out, ClientRequest.QuorumGet get) {
    out.bytes(get.key());
    writeQuorum(out, get.quorum());
    out.point(get.seen()).varint(get.timeoutMillis());
  }

  static ClientRequest.QuorumGet readGet(WireReader in) {
    return new ClientRequest.QuorumGet(
        ClientFields.readKey(in), readQuorum(in), in.point(), ClientFields.readNaturalInt(in));
  }

  static void writeWait(WireWriter out, ClientRequest.QuorumWait wait) {
    out.position(wait.number()).list(wait.keys(), WireWriter::bytes);
    writeQuorum(out, wait.quorum());
    out.varint(wait.timeoutMillis());
  }

  static ClientRequest.QuorumWait readWait(WireReader in) {
    return new ClientRequest.QuorumWait(
        in.position(),
        in.list(Limits.TRANSACTION_ITEMS_MAX, ClientFields::readKey),
        readQuorum(in),
        ClientFields.readNaturalInt(in));
  }

  private static void writeQuorum(WireWriter out, Quorum quorum) {
    out.varint(quorum.n()).varint(quorum.w()).varint(quorum.r());
  }

  /** Any three numbers: a node refuses those that make no quorum, with the reason. */
  private static Quorum readQuorum(WireReader in) {
    return new Quorum(
        ClientFields.readNaturalInt(in),
        ClientFields.readNaturalInt(in),
        ClientFields.readNaturalInt(in));
  }

  static void writeValue(WireWriter out, ClientReply.QuorumValue value) {
    out.optional(value.row(), ClientFields::writeRow).position(value.at()).position(value.known());
    out.list(value.copies(), (to, copy) -> to.node(copy.node()).position(copy.closed()));
    out.bool(value.writtenBack()).bool(value.mayBeStale());
  }

  static ClientReply.QuorumValue readValue(WireReader in) {
    return new ClientReply.QuorumValue(
        in.optional(ClientFields::readRow),
        in.position(),
        in.position(),
        in.list(COPIES_MAX, from -> new ClientReply.AnsweringCopy(from.node(), from.position())),
        in.bool(),
        in.bool());
  }
}
