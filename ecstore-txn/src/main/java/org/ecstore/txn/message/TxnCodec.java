package org.ecstore.txn.message;

import java.util.List;
import org.ecstore.core.ledger.LedgerRecord.RangeVote;
import org.ecstore.core.message.MessageCodec;
import org.ecstore.id.Epoch;
import org.ecstore.id.NodeId;
import org.ecstore.id.RangeId;
import org.ecstore.id.ReadPoint;
import org.ecstore.id.TxnId;
import org.ecstore.key.Bytes;
import org.ecstore.key.KeyRange;
import org.ecstore.model.Isolation;
import org.ecstore.model.KeyWrite;
import org.ecstore.protocol.ClientFields;
import org.ecstore.protocol.KeyOrder;
import org.ecstore.protocol.StewardFields;
import org.ecstore.txn.message.TxnMessage.AdminRequestTold;
import org.ecstore.txn.message.TxnMessage.Ask;
import org.ecstore.txn.message.TxnMessage.Asker;
import org.ecstore.txn.message.TxnMessage.BalanceReply;
import org.ecstore.txn.message.TxnMessage.BalanceRequest;
import org.ecstore.txn.message.TxnMessage.BuildReply;
import org.ecstore.txn.message.TxnMessage.BuildRequest;
import org.ecstore.txn.message.TxnMessage.BuiltHeld;
import org.ecstore.txn.message.TxnMessage.BuiltUnused;
import org.ecstore.txn.message.TxnMessage.ConfirmRequest;
import org.ecstore.txn.message.TxnMessage.CopyLoad;
import org.ecstore.txn.message.TxnMessage.CopyReport;
import org.ecstore.txn.message.TxnMessage.Decided;
import org.ecstore.txn.message.TxnMessage.DecisionsReply;
import org.ecstore.txn.message.TxnMessage.DecisionsRequest;
import org.ecstore.txn.message.TxnMessage.DepartWanted;
import org.ecstore.txn.message.TxnMessage.EpochsWanted;
import org.ecstore.txn.message.TxnMessage.Heartbeat;
import org.ecstore.txn.message.TxnMessage.JoinWanted;
import org.ecstore.txn.message.TxnMessage.LeaveAnswer;
import org.ecstore.txn.message.TxnMessage.LeaveWanted;
import org.ecstore.txn.message.TxnMessage.LoadReport;
import org.ecstore.txn.message.TxnMessage.LocateReply;
import org.ecstore.txn.message.TxnMessage.LocateRequest;
import org.ecstore.txn.message.TxnMessage.OutcomeReply;
import org.ecstore.txn.message.TxnMessage.PositionReply;
import org.ecstore.txn.message.TxnMessage.Release;
import org.ecstore.txn.message.TxnMessage.Report;
import org.ecstore.txn.message.TxnMessage.StrongRequest;
import org.ecstore.txn.message.TxnMessage.Submit;
import org.ecstore.txn.message.TxnMessage.VoteReply;
import org.ecstore.txn.message.TxnMessage.VoteRequest;
import org.ecstore.wire.Limits;
import org.ecstore.wire.MalformedMessageException;
import org.ecstore.wire.WireReader;
import org.ecstore.wire.WireWriter;

/** Format of {@link TxnMessage}: types 200 to 299. Numbers are fixed for ever. */
public final class TxnCodec implements MessageCodec<TxnMessage> {
  private static final int VOTE_REQUEST = 200;
  private static final int VOTE_REPLY = 201;
  private static final int RELEASE = 202;
  private static final int DECIDED = 203;
  private static final int SUBMIT = 204;
  private static final int ASK = 205;
  private static final int OUTCOME_REPLY = 206;
  private static final int STRONG_REQUEST = 207;
  private static final int CONFIRM_REQUEST = 208;
  private static final int POSITION_REPLY = 209;
  private static final int HEARTBEAT = 210;
  private static final int REPORT = 211;
  private static final int EPOCHS_WANTED = 212;
  private static final int JOIN_WANTED = 213;
  private static final int BUILD_REQUEST = 214;
  private static final int BUILD_REPLY = 215;
  private static final int LOCATE_REQUEST = 216;
  private static final int LOCATE_REPLY = 217;
  private static final int LEAVE_WANTED = 218;
  private static final int LEAVE_ANSWER = 219;
  private static final int BUILT_HELD = 220;
  private static final int BUILT_UNUSED = 221;
  private static final int DEPART_WANTED = 222;
  private static final int WISH_REQUEST = 223;
  private static final int DECISIONS_REQUEST = 224;
  private static final int DECISIONS_REPLY = 225;
  private static final int LOAD_REPORT = 226;
  private static final int BALANCE_REQUEST = 227;
  private static final int BALANCE_REPLY = 228;

  @Override
  public Class<TxnMessage> family() {
    return TxnMessage.class;
  }

  @Override
  public int typeMin() {
    return 200;
  }

  @Override
  public int typeMax() {
    return 299;
  }

  @Override
  public void write(WireWriter out, TxnMessage message) {
    switch (message) {
      case VoteRequest vote -> writeVote(out, vote);
      case VoteReply(var call, var txn, var no) ->
          out.varint(VOTE_REPLY).i64(call).txn(txn).optional(no, ClientFields::writeAbortReason);
      case Release(var txn, var range, var incarnation) ->
          out.varint(RELEASE).txn(txn).rangeId(range).varint(incarnation);
      case Decided(var txn, var range, var number, var writes) ->
          out.varint(DECIDED)
              .txn(txn)
              .rangeId(range)
              .optional(number, WireWriter::position)
              .list(writes, ClientFields::writeKeyWrite);
      case Submit submit -> writeSubmit(out, submit);
      case Ask(var call, var txn, var snapshot, var asker) ->
          out.varint(ASK).i64(call).txn(txn).position(snapshot).bool(asker == Asker.PARTICIPANT);
      case OutcomeReply(var call, var outcome) ->
          writeOutcome(out.varint(OUTCOME_REPLY).i64(call), outcome);
      case StrongRequest(var call) -> out.varint(STRONG_REQUEST).i64(call);
      case ConfirmRequest(var call, var position) ->
          out.varint(CONFIRM_REQUEST).i64(call).position(position);
      case PositionReply(var call, var granted, var point) ->
          out.varint(POSITION_REPLY).i64(call).bool(granted).point(point);
      case Heartbeat(var versionFloor, var outcomeFloor, var checkpoint) ->
          out.varint(HEARTBEAT).position(versionFloor).position(outcomeFloor).position(checkpoint);
      case Report report -> writeReport(out, report);
      case LoadReport(var copies) ->
          out.varint(LOAD_REPORT)
              .list(
                  copies,
                  (to, load) ->
                      to.rangeId(load.range())
                          .epoch(load.epoch())
                          .varint(load.records())
                          .varint(load.bytes())
                          .varint(load.readsMilli())
                          .varint(load.updatesMilli()));
      case BalanceRequest(var call) -> out.varint(BALANCE_REQUEST).i64(call);
      case BalanceReply(var call, var balance) ->
          out.varint(BALANCE_REPLY).i64(call).optional(balance, StewardFields::writeBalance);
      case EpochsWanted(var incarnation) -> out.varint(EPOCHS_WANTED).varint(incarnation);
      case JoinWanted(var incarnation) -> out.varint(JOIN_WANTED).varint(incarnation);
      case LeaveWanted(var incarnation) -> out.varint(LEAVE_WANTED).varint(incarnation);
      case LeaveAnswer(var incarnation, var possible, var detail) ->
          out.varint(LEAVE_ANSWER).varint(incarnation).bool(possible).text(detail);
      case DepartWanted(var incarnation) -> out.varint(DEPART_WANTED).varint(incarnation);
      case AdminRequestTold(var call, var adminRequest, var id) -> {
        StewardFields.writeAdminRequest(out.varint(WISH_REQUEST).i64(call), adminRequest);
        out.varint(id);
      }
      case DecisionsRequest(var call, var range) ->
          out.varint(DECISIONS_REQUEST).i64(call).optional(range, WireWriter::rangeId);
      case DecisionsReply(var call, var isSteward, var decisions) ->
          out.varint(DECISIONS_REPLY)
              .i64(call)
              .bool(isSteward)
              .list(decisions, StewardFields::writeDecision);
      case BuiltHeld(var id) -> out.varint(BUILT_HELD).rangeId(id);
      case BuiltUnused(var id) -> out.varint(BUILT_UNUSED).rangeId(id);
      case BuildRequest(var call, var id, var keys, var source, var range, var epoch) ->
          out.varint(BUILD_REQUEST)
              .i64(call)
              .rangeId(id)
              .range(keys)
              .node(source)
              .rangeId(range)
              .epoch(epoch);
      case BuildReply(var call, var stamp) ->
          out.varint(BUILD_REPLY).i64(call).optional(stamp, WireWriter::position);
      case LocateRequest(var call, var asker, var incarnation, var key, var hops) ->
          out.varint(LOCATE_REQUEST)
              .i64(call)
              .node(asker)
              .varint(incarnation)
              .bytes(key)
              .varint(hops);
      case LocateReply(var call, var range, var epoch, var keys, var primary, var hops) ->
          out.varint(LOCATE_REPLY)
              .i64(call)
              .rangeId(range)
              .epoch(epoch)
              .range(keys)
              .node(primary)
              .varint(hops);
    }
  }

  @Override
  public TxnMessage read(int type, WireReader in) {
    return switch (type) {
      case VOTE_REQUEST -> readVote(in);
      case VOTE_REPLY ->
          new VoteReply(in.i64(), in.txn(), in.optional(ClientFields::readAbortReason));
      case RELEASE -> new Release(in.txn(), in.rangeId(), in.natural());
      case DECIDED ->
          new Decided(
              in.txn(),
              in.rangeId(),
              in.optional(WireReader::position),
              KeyOrder.readWrites(in, Limits.TRANSACTION_ITEMS_MAX));
      case SUBMIT -> readSubmit(in);
      case ASK ->
          new Ask(in.i64(), in.txn(), in.position(), in.bool() ? Asker.PARTICIPANT : Asker.CLIENT);
      case OUTCOME_REPLY -> new OutcomeReply(in.i64(), readOutcome(in));
      case STRONG_REQUEST -> new StrongRequest(in.i64());
      case CONFIRM_REQUEST -> new ConfirmRequest(in.i64(), in.position());
      case POSITION_REPLY -> new PositionReply(in.i64(), in.bool(), in.point());
      case HEARTBEAT -> new Heartbeat(in.position(), in.position(), in.position());
      case REPORT -> readReport(in);
      case LOAD_REPORT ->
          new LoadReport(
              in.list(
                  from ->
                      new CopyLoad(
                          from.rangeId(),
                          from.epoch(),
                          from.natural(),
                          from.natural(),
                          from.natural(),
                          from.natural())));
      case BALANCE_REQUEST -> new BalanceRequest(in.i64());
      case BALANCE_REPLY -> new BalanceReply(in.i64(), in.optional(StewardFields::readBalance));
      case EPOCHS_WANTED -> new EpochsWanted(in.natural());
      case JOIN_WANTED -> new JoinWanted(in.natural());
      case LEAVE_WANTED -> new LeaveWanted(in.natural());
      case LEAVE_ANSWER -> new LeaveAnswer(in.natural(), in.bool(), in.text());
      case BUILT_HELD -> new BuiltHeld(in.rangeId());
      case BUILT_UNUSED -> new BuiltUnused(in.rangeId());
      case WISH_REQUEST ->
          new AdminRequestTold(in.i64(), StewardFields.readAdminRequest(in), in.natural());
      case DECISIONS_REQUEST -> new DecisionsRequest(in.i64(), in.optional(WireReader::rangeId));
      case DECISIONS_REPLY ->
          new DecisionsReply(in.i64(), in.bool(), in.list(StewardFields::readDecision));
      case DEPART_WANTED -> new DepartWanted(in.natural());
      case BUILD_REQUEST ->
          new BuildRequest(in.i64(), in.rangeId(), in.range(), in.node(), in.rangeId(), in.epoch());
      case BUILD_REPLY -> new BuildReply(in.i64(), in.optional(WireReader::position));
      case LOCATE_REQUEST ->
          new LocateRequest(in.i64(), in.node(), in.natural(), in.bytes(), hops(in));
      case LOCATE_REPLY ->
          new LocateReply(in.i64(), in.rangeId(), in.epoch(), in.range(), in.node(), hops(in));
      default -> throw new MalformedMessageException("unknown transaction message: " + type);
    };
  }

  private static int hops(WireReader in) {
    long hops = in.natural();
    if (hops > 1_000_000) {
      throw new MalformedMessageException("too many hops: " + hops);
    }
    return (int) hops;
  }

  private static void writeVote(WireWriter out, VoteRequest vote) {
    out.varint(VOTE_REQUEST)
        .i64(vote.call())
        .txn(vote.txn())
        .varint(vote.coordinatorIncarnation())
        .point(vote.point())
        .rangeId(vote.range())
        .epoch(vote.epoch())
        .list(vote.reads(), WireWriter::bytes)
        .list(vote.intervals(), WireWriter::range)
        .list(vote.writes(), WireWriter::bytes);
    ClientFields.writeIsolation(out, vote.isolation());
    out.varint(vote.room());
  }

  private static VoteRequest readVote(WireReader in) {
    long call = in.i64();
    TxnId txn = in.txn();
    long incarnation = in.natural();
    ReadPoint point = in.point();
    RangeId range = in.rangeId();
    Epoch epoch = in.epoch();
    List<Bytes> reads = KeyOrder.readKeys(in, Limits.TRANSACTION_ITEMS_MAX);
    List<KeyRange> intervals = KeyOrder.readIntervals(in, Limits.TRANSACTION_ITEMS_MAX);
    List<Bytes> writes = KeyOrder.readKeys(in, Limits.TRANSACTION_ITEMS_MAX);
    Isolation isolation = ClientFields.readIsolation(in);
    long weight = in.natural();
    return new VoteRequest(
        call, txn, incarnation, point, isolation, range, epoch, reads, intervals, writes, weight);
  }

  private static void writeSubmit(WireWriter out, Submit submit) {
    out.varint(SUBMIT)
        .i64(submit.call())
        .txn(submit.txn())
        .node(submit.coordinator())
        .varint(submit.coordinatorIncarnation())
        .point(submit.point())
        .list(submit.votes(), (to, vote) -> to.rangeId(vote.range()).epoch(vote.epoch()))
        .list(submit.writes(), ClientFields::writeKeyWrite);
    ClientFields.writeIsolation(out, submit.isolation());
  }

  private static Submit readSubmit(WireReader in) {
    long call = in.i64();
    TxnId txn = in.txn();
    NodeId coordinator = in.node();
    long incarnation = in.natural();
    ReadPoint point = in.point();
    List<RangeVote> votes = in.list(from -> new RangeVote(from.rangeId(), from.epoch()));
    List<KeyWrite> writes = KeyOrder.readWrites(in, Limits.TRANSACTION_ITEMS_MAX);
    Isolation isolation = ClientFields.readIsolation(in);
    return new Submit(call, txn, coordinator, incarnation, point, isolation, votes, writes);
  }

  private static void writeReport(WireWriter out, Report report) {
    out.varint(REPORT)
        .varint(report.sequence())
        .list(
            report.copies(),
            (to, copy) ->
                to.rangeId(copy.range()).epoch(copy.epoch()).position(copy.durableClosed()))
        .optional(report.leastPin(), WireWriter::position)
        .optional(report.leastLease(), WireWriter::position);
  }

  private static Report readReport(WireReader in) {
    return new Report(
        in.natural(),
        in.list(from -> new CopyReport(from.rangeId(), from.epoch(), from.position())),
        in.optional(WireReader::position),
        in.optional(WireReader::position));
  }

  private static void writeOutcome(WireWriter out, Outcome outcome) {
    switch (outcome) {
      case Outcome.Committed(var number) -> out.u8(0).position(number);
      case Outcome.Aborted(var changed) -> out.u8(1).optional(changed, WireWriter::rangeId);
      case Outcome.Expired(var floor) -> out.u8(2).position(floor);
      case Outcome.NotNow(var detail) -> out.u8(3).text(detail);
    }
  }

  private static Outcome readOutcome(WireReader in) {
    int code = in.u8();
    return switch (code) {
      case 0 -> new Outcome.Committed(in.position());
      case 1 -> new Outcome.Aborted(in.optional(WireReader::rangeId));
      case 2 -> new Outcome.Expired(in.position());
      case 3 -> new Outcome.NotNow(in.text());
      default -> throw new MalformedMessageException("unknown outcome: " + code);
    };
  }
}
