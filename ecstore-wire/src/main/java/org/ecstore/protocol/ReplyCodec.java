package org.ecstore.protocol;

import org.ecstore.wire.Limits;
import org.ecstore.wire.MalformedMessageException;
import org.ecstore.wire.WireReader;
import org.ecstore.wire.WireWriter;

/** Type numbers and fields of replies. */
final class ReplyCodec {
  private static final int WELCOME = 65;
  private static final int LOCATED = 66;
  private static final int BEGUN = 67;
  private static final int VALUES = 68;
  private static final int SCANNED = 69;
  private static final int COMMITTED = 70;
  private static final int ABORTED = 71;
  private static final int OUTCOME_UNKNOWN = 72;
  private static final int OUTCOME_EXPIRED = 73;
  private static final int WRONG_RANGE = 74;
  private static final int REFUSED = 75;
  private static final int STATUS_REPORT = 76;
  private static final int INSPECTED = 77;
  private static final int EXPLAINED = 78;
  private static final int BEHIND = 79;
  private static final int DECIDED = 80;
  private static final int QUORUM_VALUE = 90;
  private static final int QUORUM_REACHED = 91;
  private static final int REDIRECT = 81;
  private static final int BALANCE = 82;
  private static final int BEGUN_WITH = 83;
  private static final int CHALLENGE = 84;

  /** Routes or nodes in one reply. */
  private static final int LINES_MAX = 1 << 16;

  /** What one node does. */
  private static final int ROLES_MAX = 16;

  /** Rows of one reply: a scan of the shortest keys without values stays below. */
  private static final int CUTS_MAX = 256;

  private static final int ROWS_MAX = 1 << 20;

  private ReplyCodec() {}

  static int typeOf(ClientReply reply) {
    if (reply instanceof ClientReply.Welcome) {
      return WELCOME;
    } else if (reply instanceof ClientReply.Located) {
      return LOCATED;
    } else if (reply instanceof ClientReply.Begun) {
      return BEGUN;
    } else if (reply instanceof ClientReply.BegunWith) {
      return BEGUN_WITH;
    } else if (reply instanceof ClientReply.Values) {
      return VALUES;
    } else if (reply instanceof ClientReply.Scanned) {
      return SCANNED;
    } else if (reply instanceof ClientReply.Committed) {
      return COMMITTED;
    } else if (reply instanceof ClientReply.Aborted) {
      return ABORTED;
    } else if (reply instanceof ClientReply.OutcomeUnknown) {
      return OUTCOME_UNKNOWN;
    } else if (reply instanceof ClientReply.OutcomeExpired) {
      return OUTCOME_EXPIRED;
    } else if (reply instanceof ClientReply.WrongRange) {
      return WRONG_RANGE;
    } else if (reply instanceof ClientReply.Refused) {
      return REFUSED;
    } else if (reply instanceof ClientReply.StatusReport) {
      return STATUS_REPORT;
    } else if (reply instanceof ClientReply.Inspected) {
      return INSPECTED;
    } else if (reply instanceof ClientReply.Explained) {
      return EXPLAINED;
    } else if (reply instanceof ClientReply.Behind) {
      return BEHIND;
    } else if (reply instanceof ClientReply.Decided) {
      return DECIDED;
    } else if (reply instanceof ClientReply.Balance) {
      return BALANCE;
    } else if (reply instanceof ClientReply.QuorumValue) {
      return QUORUM_VALUE;
    } else if (reply instanceof ClientReply.QuorumReached) {
      return QUORUM_REACHED;
    } else if (reply instanceof ClientReply.Redirect) {
      return REDIRECT;
    } else if (reply instanceof ClientReply.Challenge) {
      return CHALLENGE;
    }
    throw new IllegalStateException("a reply without a type number: " + reply);
  }

  static void write(WireWriter out, ClientReply reply) {
    if (reply instanceof ClientReply.Welcome welcome) {
      out.i32(welcome.protocolVersion()).text(welcome.clusterId()).node(welcome.node());
      writeUnlessZero(out, welcome.transactionMax());
    } else if (reply instanceof ClientReply.Located located) {
      ClientFields.writeRoute(out, located.route());
      out.varint(located.hops());
    } else if (reply instanceof ClientReply.Begun begun) {
      out.point(begun.point()).varint(begun.lease()).varint(begun.leaseMillis());
    } else if (reply instanceof ClientReply.BegunWith both) {
      write(out, both.begun());
      out.u8(typeOf(both.answer()));
      write(out, both.answer());
    } else if (reply instanceof ClientReply.Values values) {
      out.list(values.rows(), (to, row) -> to.optional(row, ClientFields::writeRow));
      ClientFields.writeReadSource(out, values.source());
    } else if (reply instanceof ClientReply.Scanned scanned) {
      out.list(scanned.rows(), ClientFields::writeRow).range(scanned.covered());
      ClientFields.writeReadSource(out, scanned.source());
      out.list(scanned.cuts(), WireWriter::bytes);
    } else if (reply instanceof ClientReply.Behind behind) {
      ClientFields.writeReadSource(out, behind.source());
    } else if (reply instanceof ClientReply.Challenge challenge) {
      out.bytes(challenge.random());
    } else if (reply instanceof ClientReply.Redirect redirect) {
      out.node(redirect.node()).text(redirect.address()).range(redirect.keys());
    } else if (reply instanceof ClientReply.Committed committed) {
      out.position(committed.number()).point(committed.point());
    } else if (reply instanceof ClientReply.Aborted aborted) {
      ClientFields.writeAbortReason(out, aborted.reason());
      out.point(aborted.point());
    } else if (reply instanceof ClientReply.OutcomeUnknown unknown) {
      out.text(unknown.detail());
    } else if (reply instanceof ClientReply.OutcomeExpired expired) {
      out.position(expired.floor());
    } else if (reply instanceof ClientReply.WrongRange wrong) {
      out.list(wrong.routes(), ClientFields::writeRoute);
    } else if (reply instanceof ClientReply.Refused refused) {
      ClientFields.writeRefusalCode(out, refused.code());
      out.text(refused.detail());
      writeUnlessZero(out, refused.againMillis());
    } else if (reply instanceof ClientReply.StatusReport report) {
      out.point(report.point()).list(report.nodes(), ReplyCodec::writeNodeLine);
      out.list(report.ranges(), ClientFields::writeRoute);
      out.list(report.holders(), ReplyCodec::writeHolders);
    } else if (reply instanceof ClientReply.Inspected inspected) {
      writeInspected(out, inspected);
    } else if (reply instanceof ClientReply.Explained explained) {
      out.node(explained.node()).point(explained.point());
      out.optional(explained.copy(), ReplyCodec::writeCopyLine);
      out.optional(explained.next(), ReplyCodec::writeNodeLine);
      out.optional(explained.inMap(), ClientFields::writeRoute);
    } else if (reply instanceof ClientReply.Balance balance) {
      StewardFields.writeBalance(out, balance);
    } else if (reply instanceof ClientReply.Decided decided) {
      out.node(decided.steward());
      out.list(decided.decisions(), StewardFields::writeDecision);
    } else if (reply instanceof ClientReply.QuorumValue value) {
      QuorumFields.writeValue(out, value);
    } else if (reply instanceof ClientReply.QuorumReached reached) {
      out.varint(reached.copies());
    } else {
      throw new IllegalStateException("a reply without a codec: " + reply);
    }
  }

  /** A number that comes last, and is left out where it says nothing. */
  private static void writeUnlessZero(WireWriter out, long number) {
    if (number != 0) {
      out.varint(number);
    }
  }

  private static long readUnlessAtEnd(WireReader in) {
    if (in.remaining() == 0) {
      return 0;
    }
    long number = in.natural();
    if (number == 0) {
      throw new MalformedMessageException("a number that says nothing");
    }
    return number;
  }

  private static int readIntUnlessAtEnd(WireReader in) {
    return (int) Math.min(Integer.MAX_VALUE, readUnlessAtEnd(in));
  }

  private static void writeInspected(WireWriter out, ClientReply.Inspected inspected) {
    out.node(inspected.node()).varint(inspected.incarnation()).text(inspected.waitsFor());
    out.list(inspected.roles(), WireWriter::text);
    out.optional(inspected.leader(), WireWriter::node).point(inspected.point());
    out.list(inspected.copies(), ReplyCodec::writeCopyLine);
    ClientReply.HotReplicasSeen hotReplicas = inspected.hotReplicas();
    out.varint(hotReplicas.held()).varint(hotReplicas.bytes()).varint(hotReplicas.milliReads());
    out.list(hotReplicas.fed(), (to, fed) -> to.rangeId(fed.range()).varint(fed.hotReplicas()));
    out.list(
        inspected.rooms(),
        (to, room) -> to.text(room.of()).varint(room.bytesFree()).varint(room.bytes()));
  }

  private static ClientReply.DiskRoom readRoom(WireReader in) {
    return new ClientReply.DiskRoom(in.text(), in.natural(), in.natural());
  }

  private static ClientReply.HotReplicasSeen readHotReplicas(WireReader in) {
    return new ClientReply.HotReplicasSeen(
        ClientFields.readNaturalInt(in),
        in.natural(),
        in.natural(),
        in.list(
            LINES_MAX,
            one ->
                new ClientReply.HotReplicasFed(one.rangeId(), ClientFields.readNaturalInt(one))));
  }

  private static void writeHolders(WireWriter out, ClientReply.Holders holders) {
    out.rangeId(holders.range()).optional(holders.home(), WireWriter::node);
    out.list(holders.secondaries(), WireWriter::node);
  }

  private static ClientReply.Holders readHolders(WireReader in) {
    return new ClientReply.Holders(
        in.rangeId(), in.optional(WireReader::node), in.list(LINES_MAX, WireReader::node));
  }

  private static void writeCopyLine(WireWriter out, ClientReply.CopyLine line) {
    out.rangeId(line.range()).epoch(line.epoch()).range(line.keys()).text(line.state());
    out.position(line.base()).position(line.closed()).position(line.durable());
  }

  private static ClientReply.CopyLine readCopyLine(WireReader in) {
    return new ClientReply.CopyLine(
        in.rangeId(),
        in.epoch(),
        ClientFields.readInterval(in),
        in.text(),
        in.position(),
        in.position(),
        in.position());
  }

  private static void writeNodeLine(WireWriter out, ClientReply.NodeLine line) {
    out.node(line.node()).text(line.address()).text(line.roles());
  }

  static ClientReply read(int type, WireReader in) {
    return switch (type) {
      case WELCOME -> new ClientReply.Welcome(in.i32(), in.text(), in.node(), readUnlessAtEnd(in));
      case LOCATED ->
          new ClientReply.Located(ClientFields.readRoute(in), ClientFields.readNaturalInt(in));
      case BEGUN -> readBegun(in);
      case BEGUN_WITH -> new ClientReply.BegunWith(readBegun(in), readAnswered(in.u8(), in));
      case VALUES, SCANNED -> readAnswered(type, in);
      case BEHIND -> new ClientReply.Behind(ClientFields.readReadSource(in));
      case REDIRECT ->
          new ClientReply.Redirect(in.node(), in.text(), ClientFields.readInterval(in));
      case CHALLENGE -> new ClientReply.Challenge(in.bytes(Limits.PROOF_BYTES_MAX));
      case COMMITTED -> new ClientReply.Committed(in.position(), in.point());
      case ABORTED -> new ClientReply.Aborted(ClientFields.readAbortReason(in), in.point());
      case OUTCOME_UNKNOWN -> new ClientReply.OutcomeUnknown(in.text());
      case OUTCOME_EXPIRED -> new ClientReply.OutcomeExpired(in.position());
      case WRONG_RANGE -> new ClientReply.WrongRange(in.list(LINES_MAX, ClientFields::readRoute));
      case REFUSED ->
          new ClientReply.Refused(
              ClientFields.readRefusalCode(in), in.text(), readIntUnlessAtEnd(in));
      case STATUS_REPORT ->
          new ClientReply.StatusReport(
              in.point(),
              in.list(LINES_MAX, ReplyCodec::readNodeLine),
              in.list(LINES_MAX, ClientFields::readRoute),
              in.list(LINES_MAX, ReplyCodec::readHolders));
      case INSPECTED ->
          new ClientReply.Inspected(
              in.node(),
              in.varint(),
              in.text(),
              in.list(ROLES_MAX, WireReader::text),
              in.optional(WireReader::node),
              in.point(),
              in.list(LINES_MAX, ReplyCodec::readCopyLine),
              readHotReplicas(in),
              in.list(ROLES_MAX, ReplyCodec::readRoom));
      case EXPLAINED ->
          new ClientReply.Explained(
              in.node(),
              in.point(),
              in.optional(ReplyCodec::readCopyLine),
              in.optional(ReplyCodec::readNodeLine),
              in.optional(ClientFields::readRoute));
      case BALANCE -> StewardFields.readBalance(in);
      case DECIDED ->
          new ClientReply.Decided(in.node(), in.list(LINES_MAX, StewardFields::readDecision));
      case QUORUM_VALUE -> QuorumFields.readValue(in);
      case QUORUM_REACHED -> new ClientReply.QuorumReached(ClientFields.readNaturalInt(in));
      default -> throw new MalformedMessageException("unknown type of reply: " + type);
    };
  }

  private static ClientReply.Begun readBegun(WireReader in) {
    return new ClientReply.Begun(in.point(), in.varint(), ClientFields.readNaturalInt(in));
  }

  private static ClientReply.Answered readAnswered(int type, WireReader in) {
    return switch (type) {
      case VALUES ->
          new ClientReply.Values(
              in.list(ROWS_MAX, from -> from.optional(ClientFields::readRow)),
              ClientFields.readReadSource(in));
      case SCANNED ->
          new ClientReply.Scanned(
              in.list(ROWS_MAX, ClientFields::readRow),
              ClientFields.readInterval(in),
              ClientFields.readReadSource(in),
              in.list(CUTS_MAX, ClientFields::readKey));
      default -> throw new MalformedMessageException("unknown type of answer: " + type);
    };
  }

  private static ClientReply.NodeLine readNodeLine(WireReader in) {
    return new ClientReply.NodeLine(in.node(), in.text(), in.text());
  }
}
