package org.ecstore.protocol;

import java.util.List;
import org.ecstore.protocol.ClientReply.Aborted;
import org.ecstore.protocol.ClientReply.Balance;
import org.ecstore.protocol.ClientReply.Begun;
import org.ecstore.protocol.ClientReply.BegunWith;
import org.ecstore.protocol.ClientReply.Behind;
import org.ecstore.protocol.ClientReply.Challenge;
import org.ecstore.protocol.ClientReply.ChangesLost;
import org.ecstore.protocol.ClientReply.ChangesRead;
import org.ecstore.protocol.ClientReply.Committed;
import org.ecstore.protocol.ClientReply.Control;
import org.ecstore.protocol.ClientReply.Decided;
import org.ecstore.protocol.ClientReply.Explained;
import org.ecstore.protocol.ClientReply.Inspected;
import org.ecstore.protocol.ClientReply.Located;
import org.ecstore.protocol.ClientReply.Objectives;
import org.ecstore.protocol.ClientReply.OutcomeExpired;
import org.ecstore.protocol.ClientReply.OutcomeUnknown;
import org.ecstore.protocol.ClientReply.QuorumReached;
import org.ecstore.protocol.ClientReply.QuorumValue;
import org.ecstore.protocol.ClientReply.Redirect;
import org.ecstore.protocol.ClientReply.Scanned;
import org.ecstore.protocol.ClientReply.StatusReport;
import org.ecstore.protocol.ClientReply.Tables;
import org.ecstore.protocol.ClientReply.Values;
import org.ecstore.protocol.ClientReply.Welcome;
import org.ecstore.protocol.ClientReply.WholeTable;
import org.ecstore.protocol.ClientReply.WrongRange;
import org.ecstore.protocol.ClientRequest.Administer;
import org.ecstore.protocol.ClientRequest.AskChallenge;
import org.ecstore.protocol.ClientRequest.AskControl;
import org.ecstore.protocol.ClientRequest.AskDecisions;
import org.ecstore.protocol.ClientRequest.AskObjectives;
import org.ecstore.protocol.ClientRequest.AskOutcome;
import org.ecstore.protocol.ClientRequest.AskTables;
import org.ecstore.protocol.ClientRequest.AskWholeTable;
import org.ecstore.protocol.ClientRequest.Begin;
import org.ecstore.protocol.ClientRequest.BeginAt;
import org.ecstore.protocol.ClientRequest.BeginWith;
import org.ecstore.protocol.ClientRequest.Commit;
import org.ecstore.protocol.ClientRequest.EndSnapshot;
import org.ecstore.protocol.ClientRequest.Explain;
import org.ecstore.protocol.ClientRequest.ExplainBalance;
import org.ecstore.protocol.ClientRequest.Get;
import org.ecstore.protocol.ClientRequest.Hello;
import org.ecstore.protocol.ClientRequest.Inspect;
import org.ecstore.protocol.ClientRequest.Locate;
import org.ecstore.protocol.ClientRequest.QuorumGet;
import org.ecstore.protocol.ClientRequest.QuorumWait;
import org.ecstore.protocol.ClientRequest.ReadChanges;
import org.ecstore.protocol.ClientRequest.RenewSnapshot;
import org.ecstore.protocol.ClientRequest.Scan;
import org.ecstore.protocol.ClientRequest.Status;
import org.ecstore.wire.MessageTable;
import org.ecstore.wire.OptionalField;
import org.ecstore.wire.WireReader;
import org.ecstore.wire.WireWriter;

/**
 * The table of requests: numbers 1 to 63. Any of them may be answered by {@link
 * ClientReply.Refused} beside what its row says.
 */
public final class RequestTable {
  static final MessageTable<ClientRequest> ROWS =
      MessageTable.of(ClientRequest.class, "type of request", 1, 63)
          .since(1)
          .row(
              1,
              Hello.class,
              (out, hello) -> out.i32(hello.protocolVersion()).text(hello.clientName()),
              in -> new Hello(in.i32(), in.text()),
              new MessageTable.Optionals<>(
                  RequestFields::writeLowestVersion, RequestFields::withLowestVersion))
          .answeredBy(Welcome.class)
          .row(
              2,
              Locate.class,
              (out, locate) -> out.bytes(locate.key()),
              in -> new Locate(ClientFields.readPlace(in)))
          .answeredBy(Located.class)
          .row(3, Begin.class, RequestFields::writeBegin, RequestFields::readBegin)
          .answeredBy(Begun.class)
          .row(
              4,
              BeginAt.class,
              (out, begin) -> out.position(begin.position()),
              in -> new BeginAt(in.position()))
          .answeredBy(Begun.class)
          .row(
              5,
              RenewSnapshot.class,
              (out, renew) -> out.varint(renew.lease()),
              in -> new RenewSnapshot(in.varint()))
          .answeredBy(Begun.class)
          .row(
              6,
              EndSnapshot.class,
              (out, end) -> out.varint(end.lease()),
              in -> new EndSnapshot(in.varint()))
          .row(7, Get.class, RequestFields::writeGet, RequestFields::readGet)
          .answeredBy(Values.class, Behind.class, Redirect.class, WrongRange.class)
          .row(
              8,
              Scan.class,
              RequestFields::writeScan,
              RequestFields::readScan,
              new MessageTable.Optionals<>(
                  RequestFields::writeAggregate, RequestFields::withAggregate))
          .answeredBy(Scanned.class, Behind.class, Redirect.class, WrongRange.class)
          .row(
              9,
              Commit.class,
              RequestFields::writeCommit,
              RequestFields::readCommit,
              new MessageTable.Optionals<>(RequestFields::writeCatalog, RequestFields::withCatalog))
          .answeredBy(
              Committed.class,
              Aborted.class,
              OutcomeUnknown.class,
              OutcomeExpired.class,
              WrongRange.class)
          .row(
              10,
              AskOutcome.class,
              (out, ask) -> out.txn(ask.txn()).point(ask.point()),
              in -> new AskOutcome(in.txn(), in.point()))
          .answeredBy(Committed.class, Aborted.class, OutcomeUnknown.class, OutcomeExpired.class)
          .row(
              11,
              Status.class,
              (out, status) -> out.optional(status.keys(), WireWriter::range),
              in -> new Status(in.optional(ClientFields::readInterval)),
              new MessageTable.Optionals<>(
                  RequestFields::writeRangesMax, RequestFields::withRangesMax))
          .answeredBy(StatusReport.class)
          .row(12, Inspect.class, (out, inspect) -> {}, in -> new Inspect())
          .answeredBy(Inspected.class)
          .row(
              13,
              Explain.class,
              (out, explain) -> out.bytes(explain.key()).optional(explain.from(), WireWriter::node),
              in -> new Explain(ClientFields.readKey(in), in.optional(WireReader::node)))
          .answeredBy(Explained.class)
          .row(14, Administer.class, RequestFields::writeAdminister, RequestFields::readAdminister)
          .answeredBy(Decided.class)
          .row(
              15,
              AskDecisions.class,
              (out, ask) -> out.optional(ask.range(), WireWriter::rangeId),
              in -> new AskDecisions(in.optional(WireReader::rangeId)))
          .answeredBy(Decided.class)
          .row(16, ExplainBalance.class, (out, explain) -> {}, in -> new ExplainBalance())
          .answeredBy(Balance.class)
          .row(17, BeginWith.class, RequestFields::writeBeginWith, RequestFields::readBeginWith)
          .answeredBy(BegunWith.class, Behind.class, Redirect.class, WrongRange.class)
          .row(18, AskChallenge.class, (out, ask) -> {}, in -> new AskChallenge())
          .answeredBy(Challenge.class)
          .row(20, QuorumGet.class, QuorumFields::writeGet, QuorumFields::readGet)
          .answeredBy(QuorumValue.class)
          .row(21, QuorumWait.class, QuorumFields::writeWait, QuorumFields::readWait)
          .answeredBy(QuorumReached.class)
          .row(22, ReadChanges.class, ChangeFields::writeRead, ChangeFields::readRead)
          .answeredBy(ChangesRead.class, ChangesLost.class)
          .row(23, AskObjectives.class, (out, ask) -> {}, in -> new AskObjectives())
          .answeredBy(Objectives.class)
          .row(24, AskControl.class, (out, ask) -> {}, in -> new AskControl())
          .answeredBy(Control.class)
          .row(26, AskTables.class, (out, ask) -> {}, in -> new AskTables())
          .answeredBy(Tables.class)
          .row(
              27,
              AskWholeTable.class,
              (out, ask) -> out.text(ask.name()),
              in -> new AskWholeTable(in.text()))
          .answeredBy(WholeTable.class)
          .build();

  private RequestTable() {}

  /** In ascending order of numbers. */
  public static List<MessageTable.Row<ClientRequest>> rows() {
    return ROWS.rows();
  }

  /** Whether a request is answered at all. */
  public static boolean isAnswered(ClientRequest request) {
    return !ROWS.rowOf(request).answers().isEmpty();
  }

  /** Whether a reply is one that the request may get. */
  public static boolean mayAnswer(ClientRequest request, ClientReply reply) {
    return isAnswered(request)
        && (reply instanceof ClientReply.Refused
            || ROWS.rowOf(request).answers().contains(reply.getClass()));
  }

  /** The optional fields of requests, in ascending order of tags. */
  public static List<OptionalField<?>> optionalFields() {
    return RequestFields.OPTIONAL;
  }
}
