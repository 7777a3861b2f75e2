package org.ecstore.protocol;

import org.ecstore.wire.Limits;
import org.ecstore.wire.MalformedMessageException;
import org.ecstore.wire.WireReader;
import org.ecstore.wire.WireWriter;

/** Type numbers and fields of requests. */
final class RequestCodec {
  private static final int HELLO = 1;
  private static final int LOCATE = 2;
  private static final int BEGIN = 3;
  private static final int BEGIN_AT = 4;
  private static final int RENEW_SNAPSHOT = 5;
  private static final int END_SNAPSHOT = 6;
  static final int GET = 7;
  private static final int SCAN = 8;
  static final int COMMIT = 9;
  private static final int ASK_OUTCOME = 10;
  private static final int STATUS = 11;
  private static final int INSPECT = 12;
  private static final int EXPLAIN = 13;
  private static final int OPERATE = 14;
  private static final int ASK_DECISIONS = 15;
  private static final int EXPLAIN_BALANCE = 16;
  static final int BEGIN_WITH = 17;
  private static final int ASK_CHALLENGE = 18;
  private static final int QUORUM_GET = 20;
  static final int QUORUM_WAIT = 21;

  private RequestCodec() {}

  static int typeOf(ClientRequest request) {
    if (request instanceof ClientRequest.Hello) {
      return HELLO;
    } else if (request instanceof ClientRequest.Locate) {
      return LOCATE;
    } else if (request instanceof ClientRequest.Begin) {
      return BEGIN;
    } else if (request instanceof ClientRequest.BeginWith) {
      return BEGIN_WITH;
    } else if (request instanceof ClientRequest.BeginAt) {
      return BEGIN_AT;
    } else if (request instanceof ClientRequest.RenewSnapshot) {
      return RENEW_SNAPSHOT;
    } else if (request instanceof ClientRequest.EndSnapshot) {
      return END_SNAPSHOT;
    } else if (request instanceof ClientRequest.Get) {
      return GET;
    } else if (request instanceof ClientRequest.Scan) {
      return SCAN;
    } else if (request instanceof ClientRequest.Commit) {
      return COMMIT;
    } else if (request instanceof ClientRequest.AskOutcome) {
      return ASK_OUTCOME;
    } else if (request instanceof ClientRequest.Status) {
      return STATUS;
    } else if (request instanceof ClientRequest.Inspect) {
      return INSPECT;
    } else if (request instanceof ClientRequest.Explain) {
      return EXPLAIN;
    } else if (request instanceof ClientRequest.Operate) {
      return OPERATE;
    } else if (request instanceof ClientRequest.AskDecisions) {
      return ASK_DECISIONS;
    } else if (request instanceof ClientRequest.ExplainBalance) {
      return EXPLAIN_BALANCE;
    } else if (request instanceof ClientRequest.AskChallenge) {
      return ASK_CHALLENGE;
    } else if (request instanceof ClientRequest.QuorumGet) {
      return QUORUM_GET;
    } else if (request instanceof ClientRequest.QuorumWait) {
      return QUORUM_WAIT;
    }
    throw new IllegalStateException("a request without a type number: " + request);
  }

  static void write(WireWriter out, ClientRequest request) {
    if (request instanceof ClientRequest.Hello hello) {
      out.i32(hello.protocolVersion()).text(hello.clientName());
    } else if (request instanceof ClientRequest.Locate locate) {
      out.bytes(locate.key());
    } else if (request instanceof ClientRequest.Begin begin) {
      ClientFields.writeReadLevel(out, begin.level());
      out.point(begin.token());
    } else if (request instanceof ClientRequest.BeginWith begin) {
      ClientFields.writeReadLevel(out, begin.level());
      out.point(begin.token()).u8(typeOf(begin.read()));
      write(out, begin.read());
    } else if (request instanceof ClientRequest.BeginAt begin) {
      out.position(begin.position());
    } else if (request instanceof ClientRequest.RenewSnapshot renew) {
      out.varint(renew.lease());
    } else if (request instanceof ClientRequest.EndSnapshot end) {
      out.varint(end.lease());
    } else if (request instanceof ClientRequest.Get get) {
      out.point(get.point()).rangeId(get.range()).epoch(get.epoch());
      out.list(get.keys(), WireWriter::bytes).bool(get.mayRedirect());
    } else if (request instanceof ClientRequest.Scan scan) {
      out.point(scan.point()).rangeId(scan.range()).epoch(scan.epoch()).range(scan.interval());
      out.bool(scan.reverse()).varint(scan.recordsMax()).bool(scan.keysOnly());
      out.bool(scan.mayRedirect());
    } else if (request instanceof ClientRequest.Commit commit) {
      writeCommit(out, commit);
    } else if (request instanceof ClientRequest.AskOutcome ask) {
      out.txn(ask.txn()).point(ask.point());
    } else if (request instanceof ClientRequest.Status status) {
      out.optional(status.keys(), WireWriter::range);
    } else if (request instanceof ClientRequest.Explain explain) {
      out.bytes(explain.key()).optional(explain.from(), WireWriter::node);
    } else if (request instanceof ClientRequest.Operate operate) {
      StewardFields.writeAdminRequest(out, operate.adminRequest());
      out.varint(operate.id()).bytes(operate.proof());
    } else if (request instanceof ClientRequest.AskDecisions ask) {
      out.optional(ask.range(), WireWriter::rangeId);
    } else if (request instanceof ClientRequest.QuorumGet get) {
      out.bytes(get.key());
      QuorumFields.writeQuorum(out, get.quorum());
      out.point(get.seen()).varint(get.timeoutMillis());
    } else if (request instanceof ClientRequest.QuorumWait wait) {
      out.position(wait.number()).list(wait.keys(), WireWriter::bytes);
      QuorumFields.writeQuorum(out, wait.quorum());
      out.varint(wait.timeoutMillis());
    } else if (!(request instanceof ClientRequest.Inspect
        || request instanceof ClientRequest.AskChallenge
        || request instanceof ClientRequest.ExplainBalance)) {
      throw new IllegalStateException("a request without a codec: " + request);
    }
  }

  private static void writeCommit(WireWriter out, ClientRequest.Commit commit) {
    out.txn(commit.txn()).point(commit.point());
    ClientFields.writeIsolation(out, commit.isolation());
    out.list(commit.reads(), WireWriter::bytes);
    out.list(commit.intervals(), WireWriter::range);
    out.list(commit.writes(), ClientFields::writeKeyWrite);
    out.varint(commit.timeoutMillis());
  }

  static ClientRequest read(int type, WireReader in) {
    return switch (type) {
      case HELLO -> new ClientRequest.Hello(in.i32(), in.text());
      case LOCATE -> new ClientRequest.Locate(ClientFields.readPlace(in));
      case BEGIN -> new ClientRequest.Begin(ClientFields.readReadLevel(in), in.point());
      case BEGIN_WITH ->
          new ClientRequest.BeginWith(
              ClientFields.readReadLevel(in), in.point(), readRead(in.u8(), in));
      case BEGIN_AT -> new ClientRequest.BeginAt(in.position());
      case RENEW_SNAPSHOT -> new ClientRequest.RenewSnapshot(in.varint());
      case END_SNAPSHOT -> new ClientRequest.EndSnapshot(in.varint());
      case GET, SCAN -> readRead(type, in);
      case COMMIT -> readCommit(in);
      case ASK_OUTCOME -> new ClientRequest.AskOutcome(in.txn(), in.point());
      case STATUS -> new ClientRequest.Status(in.optional(ClientFields::readInterval));
      case INSPECT -> new ClientRequest.Inspect();
      case EXPLAIN ->
          new ClientRequest.Explain(ClientFields.readKey(in), in.optional(WireReader::node));
      case OPERATE ->
          new ClientRequest.Operate(
              StewardFields.readAdminRequest(in), in.natural(), in.bytes(Limits.PROOF_BYTES_MAX));
      case ASK_CHALLENGE -> new ClientRequest.AskChallenge();
      case EXPLAIN_BALANCE -> new ClientRequest.ExplainBalance();
      case ASK_DECISIONS -> new ClientRequest.AskDecisions(in.optional(WireReader::rangeId));
      case QUORUM_GET ->
          new ClientRequest.QuorumGet(
              ClientFields.readKey(in),
              QuorumFields.readQuorum(in),
              in.point(),
              ClientFields.readNaturalInt(in));
      case QUORUM_WAIT ->
          new ClientRequest.QuorumWait(
              in.position(),
              in.list(Limits.TRANSACTION_ITEMS_MAX, ClientFields::readKey),
              QuorumFields.readQuorum(in),
              ClientFields.readNaturalInt(in));
      default -> throw new MalformedMessageException("unknown type of request: " + type);
    };
  }

  private static ClientRequest.Read readRead(int type, WireReader in) {
    return switch (type) {
      case GET ->
          new ClientRequest.Get(
              in.point(),
              in.rangeId(),
              in.epoch(),
              in.list(Limits.GET_KEYS_MAX, ClientFields::readKey),
              in.bool());
      case SCAN ->
          new ClientRequest.Scan(
              in.point(),
              in.rangeId(),
              in.epoch(),
              ClientFields.readInterval(in),
              in.bool(),
              ClientFields.readNaturalInt(in),
              in.bool(),
              in.bool());
      default -> throw new MalformedMessageException("unknown type of read: " + type);
    };
  }

  private static ClientRequest readCommit(WireReader in) {
    var txn = in.txn();
    var point = in.point();
    var isolation = ClientFields.readIsolation(in);
    int itemsMax = Limits.TRANSACTION_ITEMS_MAX;
    var reads = KeyOrder.readKeys(in, itemsMax);
    itemsMax -= reads.size();
    var intervals = KeyOrder.readIntervals(in, itemsMax);
    itemsMax -= intervals.size();
    var writes = KeyOrder.readWrites(in, itemsMax);
    int timeoutMillis = ClientFields.readNaturalInt(in);
    return new ClientRequest.Commit(txn, point, isolation, reads, intervals, writes, timeoutMillis);
  }
}
