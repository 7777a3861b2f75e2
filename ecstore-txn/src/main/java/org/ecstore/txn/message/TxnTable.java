package org.ecstore.txn.message;

import java.util.List;
import java.util.OptionalLong;
import org.ecstore.core.ledger.LedgerRecord.RangeVote;
import org.ecstore.id.Epoch;
import org.ecstore.id.NodeId;
import org.ecstore.id.RangeId;
import org.ecstore.id.ReadPoint;
import org.ecstore.id.TxnId;
import org.ecstore.key.Bytes;
import org.ecstore.key.KeyRange;
import org.ecstore.model.CatalogStamp;
import org.ecstore.model.Isolation;
import org.ecstore.model.KeyWrite;
import org.ecstore.model.control.ControlFields;
import org.ecstore.model.control.ServiceLimit;
import org.ecstore.model.objective.Objective;
import org.ecstore.model.objective.ServiceFields;
import org.ecstore.protocol.ClientFields;
import org.ecstore.protocol.ClientReply.NodeHistoryLine;
import org.ecstore.protocol.ClientReply.QuotaLine;
import org.ecstore.protocol.KeyOrder;
import org.ecstore.protocol.StewardFields;
import org.ecstore.txn.message.TxnMessage.AdminRequestTold;
import org.ecstore.txn.message.TxnMessage.ApplicationCount;
import org.ecstore.txn.message.TxnMessage.ApplicationSample;
import org.ecstore.txn.message.TxnMessage.Ask;
import org.ecstore.txn.message.TxnMessage.Asker;
import org.ecstore.txn.message.TxnMessage.BalanceReply;
import org.ecstore.txn.message.TxnMessage.BalanceRequest;
import org.ecstore.txn.message.TxnMessage.BuildReply;
import org.ecstore.txn.message.TxnMessage.BuildRequest;
import org.ecstore.txn.message.TxnMessage.BuiltHeld;
import org.ecstore.txn.message.TxnMessage.BuiltUnused;
import org.ecstore.txn.message.TxnMessage.ConfirmRequest;
import org.ecstore.txn.message.TxnMessage.ControlReply;
import org.ecstore.txn.message.TxnMessage.ControlRequest;
import org.ecstore.txn.message.TxnMessage.CopyLoad;
import org.ecstore.txn.message.TxnMessage.CopyReport;
import org.ecstore.txn.message.TxnMessage.Decided;
import org.ecstore.txn.message.TxnMessage.DecisionsReply;
import org.ecstore.txn.message.TxnMessage.DecisionsRequest;
import org.ecstore.txn.message.TxnMessage.DepartWanted;
import org.ecstore.txn.message.TxnMessage.EpochsWanted;
import org.ecstore.txn.message.TxnMessage.Heartbeat;
import org.ecstore.txn.message.TxnMessage.HeldBytes;
import org.ecstore.txn.message.TxnMessage.JoinWanted;
import org.ecstore.txn.message.TxnMessage.LeaveAnswer;
import org.ecstore.txn.message.TxnMessage.LeaveWanted;
import org.ecstore.txn.message.TxnMessage.LimitNews;
import org.ecstore.txn.message.TxnMessage.LoadReport;
import org.ecstore.txn.message.TxnMessage.LocateReply;
import org.ecstore.txn.message.TxnMessage.LocateRequest;
import org.ecstore.txn.message.TxnMessage.LostCopy;
import org.ecstore.txn.message.TxnMessage.NodeLoadNews;
import org.ecstore.txn.message.TxnMessage.ObjectivesReply;
import org.ecstore.txn.message.TxnMessage.ObjectivesRequest;
import org.ecstore.txn.message.TxnMessage.OutcomeReply;
import org.ecstore.txn.message.TxnMessage.PositionReply;
import org.ecstore.txn.message.TxnMessage.QuotaNews;
import org.ecstore.txn.message.TxnMessage.QuotaOrder;
import org.ecstore.txn.message.TxnMessage.QuotaReport;
import org.ecstore.txn.message.TxnMessage.QuotaStance;
import org.ecstore.txn.message.TxnMessage.RangeHolding;
import org.ecstore.txn.message.TxnMessage.Release;
import org.ecstore.txn.message.TxnMessage.Report;
import org.ecstore.txn.message.TxnMessage.ServiceNews;
import org.ecstore.txn.message.TxnMessage.StrongRequest;
import org.ecstore.txn.message.TxnMessage.Submit;
import org.ecstore.txn.message.TxnMessage.TablesReply;
import org.ecstore.txn.message.TxnMessage.TablesRequest;
import org.ecstore.txn.message.TxnMessage.VoteReply;
import org.ecstore.txn.message.TxnMessage.VoteRequest;
import org.ecstore.txn.message.TxnMessage.WholeTableReply;
import org.ecstore.txn.message.TxnMessage.WholeTableRequest;
import org.ecstore.wire.Limits;
import org.ecstore.wire.MalformedMessageException;
import org.ecstore.wire.MessageTable;
import org.ecstore.wire.OptionalField;
import org.ecstore.wire.OptionalFields;
import org.ecstore.wire.WireReader;
import org.ecstore.wire.WireWriter;

/** The table of {@link TxnMessage}: numbers 200 to 299. */
public final class TxnTable {
  /** Of one message of what clients had. */
  private static final int SAMPLES_MAX = 10_000;

  /** Of a submission in a store with a catalog; an absent one is 0, and changes nothing. */
  private static final OptionalField<CatalogStamp> CATALOG =
      new OptionalField<>(
          1,
          "catalog",
          "Submit",
          "The version of the catalog that the transaction was made under, and whether it changes"
              + " the catalog.",
          (out, stamp) -> out.varint(stamp.version()).bool(stamp.changes()),
          in -> new CatalogStamp(in.natural(), in.bool()));

  /** As {@code quotas} of the reply to clients. */
  private static final OptionalField<List<QuotaLine>> QUOTAS =
      new OptionalField<>(
          2,
          "quotas",
          "ObjectivesReply",
          "What applications with quotas hold.",
          StewardFields::writeQuotas,
          StewardFields::readQuotas);

  /** As {@code nodes} of the reply to clients. */
  private static final OptionalField<List<NodeHistoryLine>> NODES =
      new OptionalField<>(
          6,
          "nodes",
          "ObjectivesReply",
          "What each node had to do in slots of half a minute.",
          StewardFields::writeNodeHistories,
          StewardFields::readNodeHistories);

  /** Of what applications may have; an absent one is 0, as nodes are configured. */
  private static final OptionalField<Long> HOT_THRESHOLD =
      new OptionalField<>(
          3,
          "hotThreshold",
          "LimitNews",
          "From how many reads a second of a copy on its busiest keys get hot-spot replicas.",
          WireWriter::varint,
          WireReader::natural);

  /** Of a store that does what it is told; an absent one is 0. */
  private static final OptionalField<Long> STUCK_SECONDS =
      new OptionalField<>(
          4,
          "stuckSeconds",
          "Report",
          "For how long the store of the node's engine has done nothing of what it is told.",
          WireWriter::varint,
          WireReader::natural);

  /** As {@code patience} of the reply to clients; an absent one is 0. */
  private static final OptionalField<Integer> PATIENCE =
      new OptionalField<>(
          5,
          "patience",
          "ControlReply",
          "For how many windows something must be able to go until it is taken back.",
          (out, number) -> out.varint(number),
          ClientFields::readNaturalInt);

  /** Of a copy that could not be built; an absent one is false. */
  private static final OptionalField<Boolean> NO_ROOM =
      new OptionalField<>(
          6,
          "noRoom",
          "BuildReply",
          "Whether the node's store had no room for the copy (decision 0108).",
          WireWriter::bool,
          WireReader::bool);

  /** As {@code hot threshold} of the reply to clients; an absent one is not said. */
  private static final OptionalField<Long> LOWERED =
      new OptionalField<>(
          7,
          "lowered",
          "ControlReply",
          "From how many reads a second of a copy on there are hot-spot replicas; 0 if that is as"
              + " nodes are configured.",
          WireWriter::varint,
          WireReader::natural);

  /** What the sequencer answers; the numbers are fixed for ever. */
  private static final MessageTable<Outcome> OUTCOMES =
      MessageTable.of(Outcome.class, "outcome", 0, 63)
          .row(
              0,
              Outcome.Committed.class,
              (out, committed) -> out.position(committed.number()),
              in -> new Outcome.Committed(in.position()))
          .row(
              1,
              Outcome.Aborted.class,
              (out, aborted) -> out.optional(aborted.changed(), WireWriter::rangeId),
              in -> new Outcome.Aborted(in.optional(WireReader::rangeId)))
          .row(
              2,
              Outcome.Expired.class,
              (out, expired) -> out.position(expired.floor()),
              in -> new Outcome.Expired(in.position()))
          .row(
              3,
              Outcome.NotNow.class,
              (out, notNow) -> out.text(notNow.detail()),
              in -> new Outcome.NotNow(in.text()))
          .row(
              4,
              Outcome.CatalogChanged.class,
              (out, changed) -> out.varint(changed.version()),
              in -> new Outcome.CatalogChanged(in.natural()))
          .build();

  public static final MessageTable<TxnMessage> ROWS =
      MessageTable.of(TxnMessage.class, "transaction message", 200, 299)
          .since(1)
          .row(200, VoteRequest.class, TxnTable::writeVote, TxnTable::readVote)
          .answeredBy(VoteReply.class)
          .row(
              201,
              VoteReply.class,
              (out, vote) ->
                  out.i64(vote.call())
                      .txn(vote.txn())
                      .optional(vote.no(), ClientFields::writeAbortReason),
              in -> new VoteReply(in.i64(), in.txn(), in.optional(ClientFields::readAbortReason)))
          .row(
              202,
              Release.class,
              (out, release) ->
                  out.txn(release.txn())
                      .rangeId(release.range())
                      .varint(release.coordinatorIncarnation()),
              in -> new Release(in.txn(), in.rangeId(), in.natural()))
          .row(203, Decided.class, TxnTable::writeDecided, TxnTable::readDecided)
          .row(
              204,
              Submit.class,
              TxnTable::writeSubmit,
              TxnTable::readSubmit,
              new MessageTable.Optionals<>(TxnTable::writeCatalog, TxnTable::withCatalog))
          .answeredBy(OutcomeReply.class)
          .row(205, Ask.class, TxnTable::writeAsk, TxnTable::readAsk)
          .answeredBy(OutcomeReply.class)
          .row(
              206,
              OutcomeReply.class,
              (out, reply) -> OUTCOMES.writeNested(out.i64(reply.call()), reply.outcome()),
              in -> new OutcomeReply(in.i64(), OUTCOMES.readNested(in)))
          .row(
              207,
              StrongRequest.class,
              (out, request) -> out.i64(request.call()),
              in -> new StrongRequest(in.i64()))
          .answeredBy(PositionReply.class)
          .row(
              208,
              ConfirmRequest.class,
              (out, request) -> out.i64(request.call()).position(request.position()),
              in -> new ConfirmRequest(in.i64(), in.position()))
          .answeredBy(PositionReply.class)
          .row(
              209,
              PositionReply.class,
              (out, reply) -> out.i64(reply.call()).bool(reply.granted()).point(reply.point()),
              in -> new PositionReply(in.i64(), in.bool(), in.point()))
          .row(
              210,
              Heartbeat.class,
              (out, beat) ->
                  out.position(beat.versionFloor())
                      .position(beat.outcomeFloor())
                      .position(beat.checkpoint()),
              in -> new Heartbeat(in.position(), in.position(), in.position()))
          .row(
              211,
              Report.class,
              TxnTable::writeReport,
              TxnTable::readReport,
              new MessageTable.Optionals<>(TxnTable::writeStuck, TxnTable::withStuck))
          .row(
              212,
              EpochsWanted.class,
              (out, wanted) -> out.varint(wanted.incarnation()),
              in -> new EpochsWanted(in.natural()))
          .row(
              213,
              JoinWanted.class,
              (out, wanted) -> out.varint(wanted.incarnation()),
              in -> new JoinWanted(in.natural()))
          .row(214, BuildRequest.class, TxnTable::writeBuild, TxnTable::readBuild)
          .answeredBy(BuildReply.class)
          .row(
              215,
              BuildReply.class,
              (out, reply) -> out.i64(reply.call()).optional(reply.stamp(), WireWriter::position),
              in -> new BuildReply(in.i64(), in.optional(WireReader::position), false),
              new MessageTable.Optionals<>(TxnTable::writeNoRoom, TxnTable::withNoRoom))
          .row(216, LocateRequest.class, TxnTable::writeLocate, TxnTable::readLocate)
          .answeredBy(LocateReply.class)
          .row(217, LocateReply.class, TxnTable::writeLocated, TxnTable::readLocated)
          .row(
              218,
              LeaveWanted.class,
              (out, wanted) -> out.varint(wanted.incarnation()),
              in -> new LeaveWanted(in.natural()))
          .answeredBy(LeaveAnswer.class)
          .row(
              219,
              LeaveAnswer.class,
              (out, answer) ->
                  out.varint(answer.incarnation()).bool(answer.possible()).text(answer.detail()),
              in -> new LeaveAnswer(in.natural(), in.bool(), in.text()))
          .row(
              220,
              BuiltHeld.class,
              (out, held) -> out.rangeId(held.id()),
              in -> new BuiltHeld(in.rangeId()))
          .answeredBy(BuiltUnused.class)
          .row(
              221,
              BuiltUnused.class,
              (out, unused) -> out.rangeId(unused.id()),
              in -> new BuiltUnused(in.rangeId()))
          .row(
              222,
              DepartWanted.class,
              (out, wanted) -> out.varint(wanted.incarnation()),
              in -> new DepartWanted(in.natural()))
          .row(223, AdminRequestTold.class, TxnTable::writeAdmin, TxnTable::readAdmin)
          .answeredBy(DecisionsReply.class)
          .row(
              224,
              DecisionsRequest.class,
              (out, request) ->
                  out.i64(request.call()).optional(request.range(), WireWriter::rangeId),
              in -> new DecisionsRequest(in.i64(), in.optional(WireReader::rangeId)))
          .answeredBy(DecisionsReply.class)
          .row(
              225,
              DecisionsReply.class,
              (out, reply) ->
                  out.i64(reply.call())
                      .bool(reply.isSteward())
                      .list(reply.decisions(), StewardFields::writeDecision),
              in -> new DecisionsReply(in.i64(), in.bool(), in.list(StewardFields::readDecision)))
          .row(
              226,
              LoadReport.class,
              (out, report) -> out.list(report.copies(), TxnTable::writeLoad),
              in -> new LoadReport(in.list(TxnTable::readLoad)))
          .row(
              227,
              BalanceRequest.class,
              (out, request) -> out.i64(request.call()),
              in -> new BalanceRequest(in.i64()))
          .answeredBy(BalanceReply.class)
          .row(
              228,
              BalanceReply.class,
              (out, reply) ->
                  out.i64(reply.call()).optional(reply.balance(), StewardFields::writeBalance),
              in -> new BalanceReply(in.i64(), in.optional(StewardFields::readBalance)))
          .row(
              229,
              ObjectivesRequest.class,
              (out, request) -> out.i64(request.call()),
              in -> new ObjectivesRequest(in.i64()))
          .answeredBy(ObjectivesReply.class)
          .row(
              230,
              ObjectivesReply.class,
              (out, reply) ->
                  out.i64(reply.call())
                      .optional(reply.objectives(), StewardFields::writeObjectives),
              in -> new ObjectivesReply(in.i64(), in.optional(StewardFields::readObjectives)),
              new MessageTable.Optionals<>(TxnTable::writeHeld, TxnTable::withHeld))
          .row(
              231,
              ServiceNews.class,
              (out, news) ->
                  out.list(
                      news.samples(),
                      (to, one) -> ServiceFields.write(to.text(one.application()), one.sample())),
              in ->
                  new ServiceNews(
                      in.list(
                          SAMPLES_MAX,
                          from -> new ApplicationSample(from.text(), ServiceFields.read(from)))))
          .row(
              232,
              NodeLoadNews.class,
              (out, news) -> {
                ControlFields.writeLoad(out, news.load());
                out.list(
                    news.counts(),
                    (to, count) -> to.text(count.application()).varint(count.operations()));
              },
              in ->
                  new NodeLoadNews(
                      ControlFields.readLoad(in),
                      in.list(
                          ServiceLimit.LIMITS_MAX + 1,
                          from -> new ApplicationCount(from.text(), from.natural()))))
          .row(
              233,
              LimitNews.class,
              (out, news) ->
                  out.varint(news.version()).list(news.limits(), ControlFields::writeLimit),
              in ->
                  new LimitNews(
                      in.natural(), in.list(ServiceLimit.LIMITS_MAX, ControlFields::readLimit), 0),
              new MessageTable.Optionals<>(TxnTable::writeHotThreshold, TxnTable::withHotThreshold))
          .row(
              234,
              ControlRequest.class,
              (out, request) -> out.i64(request.call()),
              in -> new ControlRequest(in.i64()))
          .answeredBy(ControlReply.class)
          .row(
              235,
              ControlReply.class,
              (out, reply) ->
                  out.i64(reply.call()).optional(reply.control(), StewardFields::writeControl),
              in -> new ControlReply(in.i64(), in.optional(StewardFields::readControl)),
              new MessageTable.Optionals<>(TxnTable::writeStanding, TxnTable::withStanding))
          .row(236, QuotaReport.class, TxnTable::writeQuotaReport, TxnTable::readQuotaReport)
          .row(
              237,
              QuotaNews.class,
              (out, news) ->
                  out.varint(news.version()).list(news.orders(), TxnTable::writeQuotaOrder),
              in ->
                  new QuotaNews(
                      in.natural(), in.list(ServiceLimit.LIMITS_MAX, TxnTable::readQuotaOrder)))
          .row(
              238,
              TablesRequest.class,
              (out, request) -> out.i64(request.call()),
              in -> new TablesRequest(in.i64()))
          .answeredBy(TablesReply.class)
          .row(
              239,
              TablesReply.class,
              (out, reply) ->
                  out.i64(reply.call()).optional(reply.tables(), StewardFields::writeTables),
              in -> new TablesReply(in.i64(), in.optional(StewardFields::readTables)))
          .row(
              240,
              WholeTableRequest.class,
              (out, request) -> out.i64(request.call()).text(request.name()),
              in -> new WholeTableRequest(in.i64(), in.text()))
          .answeredBy(WholeTableReply.class)
          .row(
              241,
              WholeTableReply.class,
              (out, reply) ->
                  out.i64(reply.call()).optional(reply.table(), StewardFields::writeWholeTable),
              in -> new WholeTableReply(in.i64(), in.optional(StewardFields::readWholeTable)))
          .build();

  private TxnTable() {}

  private static void writeDecided(WireWriter out, Decided decided) {
    out.txn(decided.txn()).rangeId(decided.range());
    out.optional(decided.number(), WireWriter::position);
    out.list(decided.writes(), ClientFields::writeKeyWrite);
  }

  private static Decided readDecided(WireReader in) {
    return new Decided(
        in.txn(),
        in.rangeId(),
        in.optional(WireReader::position),
        KeyOrder.readWrites(in, Limits.TRANSACTION_ITEMS_MAX));
  }

  private static void writeAsk(WireWriter out, Ask ask) {
    out.i64(ask.call()).txn(ask.txn()).position(ask.snapshot());
    out.bool(ask.asker() == Asker.PARTICIPANT);
  }

  private static Ask readAsk(WireReader in) {
    return new Ask(in.i64(), in.txn(), in.position(), in.bool() ? Asker.PARTICIPANT : Asker.CLIENT);
  }

  private static void writeBuild(WireWriter out, BuildRequest build) {
    out.i64(build.call()).rangeId(build.id()).range(build.keys());
    out.node(build.source()).rangeId(build.sourceRange()).epoch(build.sourceEpoch());
  }

  private static BuildRequest readBuild(WireReader in) {
    return new BuildRequest(
        in.i64(), in.rangeId(), in.range(), in.node(), in.rangeId(), in.epoch());
  }

  private static void writeLocate(WireWriter out, LocateRequest locate) {
    out.i64(locate.call()).node(locate.asker()).varint(locate.askerIncarnation());
    out.bytes(locate.key()).varint(locate.hops());
  }

  private static LocateRequest readLocate(WireReader in) {
    return new LocateRequest(in.i64(), in.node(), in.natural(), in.bytes(), hops(in));
  }

  private static void writeLocated(WireWriter out, LocateReply located) {
    out.i64(located.call()).rangeId(located.range()).epoch(located.epoch());
    out.range(located.keys()).node(located.primary()).varint(located.hops());
  }

  private static LocateReply readLocated(WireReader in) {
    return new LocateReply(in.i64(), in.rangeId(), in.epoch(), in.range(), in.node(), hops(in));
  }

  private static void writeAdmin(WireWriter out, AdminRequestTold told) {
    StewardFields.writeAdminRequest(out.i64(told.call()), told.adminRequest());
    out.varint(told.id());
  }

  private static AdminRequestTold readAdmin(WireReader in) {
    return new AdminRequestTold(in.i64(), StewardFields.readAdminRequest(in), in.natural());
  }

  private static void writeLoad(WireWriter out, CopyLoad load) {
    out.rangeId(load.range()).epoch(load.epoch()).varint(load.records()).varint(load.bytes());
    out.varint(load.readsMilli()).varint(load.updatesMilli());
  }

  private static CopyLoad readLoad(WireReader in) {
    return new CopyLoad(
        in.rangeId(), in.epoch(), in.natural(), in.natural(), in.natural(), in.natural());
  }

  private static void writeHotThreshold(WireWriter out, LimitNews news) {
    if (news.hotThreshold() != 0) {
      HOT_THRESHOLD.write(out, news.hotThreshold());
    }
  }

  private static LimitNews withHotThreshold(LimitNews news, OptionalFields fields) {
    return new LimitNews(news.version(), news.limits(), fields.get(HOT_THRESHOLD).orElse(0L));
  }

  private static void writeStanding(WireWriter out, ControlReply reply) {
    reply
        .control()
        .filter(control -> control.patience() != 0)
        .ifPresent(control -> PATIENCE.write(out, control.patience()));
    reply
        .control()
        .filter(control -> control.hotThreshold().isPresent())
        .ifPresent(control -> LOWERED.write(out, control.hotThreshold().getAsLong()));
  }

  private static ControlReply withStanding(ControlReply reply, OptionalFields fields) {
    int windows = fields.get(PATIENCE).orElse(0);
    OptionalLong threshold =
        fields.get(LOWERED).map(OptionalLong::of).orElseGet(OptionalLong::empty);
    return new ControlReply(
        reply.call(), reply.control().map(control -> control.with(windows, threshold)));
  }

  private static void writeHeld(WireWriter out, ObjectivesReply reply) {
    reply
        .objectives()
        .filter(objectives -> !objectives.quotas().isEmpty())
        .ifPresent(objectives -> QUOTAS.write(out, objectives.quotas()));
    reply
        .objectives()
        .filter(objectives -> !objectives.nodes().isEmpty())
        .ifPresent(objectives -> NODES.write(out, objectives.nodes()));
  }

  private static ObjectivesReply withHeld(ObjectivesReply reply, OptionalFields fields) {
    List<QuotaLine> quotas = fields.get(QUOTAS).orElse(List.of());
    List<NodeHistoryLine> nodes = fields.get(NODES).orElse(List.of());
    return new ObjectivesReply(
        reply.call(), reply.objectives().map(objectives -> objectives.with(quotas, nodes)));
  }

  private static void writeQuotaReport(WireWriter out, QuotaReport report) {
    out.varint(report.version())
        .list(
            report.ranges(),
            (to, range) ->
                to.rangeId(range.range())
                    .epoch(range.epoch())
                    .list(
                        range.held(),
                        (held, one) -> held.text(one.application()).varint(one.bytes())))
        .list(report.refused(), WireWriter::text);
  }

  private static QuotaReport readQuotaReport(WireReader in) {
    return new QuotaReport(
        in.natural(),
        in.list(
            range ->
                new RangeHolding(
                    range.rangeId(),
                    range.epoch(),
                    range.list(
                        ServiceLimit.LIMITS_MAX,
                        held -> new HeldBytes(held.text(), held.natural())))),
        in.list(ServiceLimit.LIMITS_MAX, WireReader::text));
  }

  private static void writeQuotaOrder(WireWriter out, QuotaOrder order) {
    out.text(order.application()).list(order.tables(), WireWriter::text);
    out.varint(order.quotaBytes()).varint(order.heldBytes());
    out.u8(
        switch (order.stance()) {
          case TAKE -> 1;
          case REFUSE -> 2;
          case AS_BEFORE -> 3;
        });
  }

  private static QuotaOrder readQuotaOrder(WireReader in) {
    return new QuotaOrder(
        in.text(),
        in.list(Objective.TABLES_MAX, WireReader::text),
        in.natural(),
        in.natural(),
        readStance(in));
  }

  private static QuotaStance readStance(WireReader in) {
    int number = in.u8();
    return switch (number) {
      case 1 -> QuotaStance.TAKE;
      case 2 -> QuotaStance.REFUSE;
      case 3 -> QuotaStance.AS_BEFORE;
      default -> throw new MalformedMessageException("no stance towards a quota: " + number);
    };
  }

  private static int hops(WireReader in) {
    long hops = in.natural();
    if (hops > 1_000_000) {
      throw new MalformedMessageException("too many hops: " + hops);
    }
    return (int) hops;
  }

  /**
   * In the place of the isolation, where the keys of operations follow. A node of a release that
   * knows none refuses it.
   */
  private static final int SNAPSHOT_WITH_OPERATIONS = 3;

  private static final int SERIALIZABLE_WITH_OPERATIONS = 4;

  private static void writeVote(WireWriter out, VoteRequest vote) {
    out.i64(vote.call())
        .txn(vote.txn())
        .varint(vote.coordinatorIncarnation())
        .point(vote.point())
        .rangeId(vote.range())
        .epoch(vote.epoch())
        .list(vote.reads(), WireWriter::bytes)
        .list(vote.intervals(), WireWriter::range)
        .list(vote.writes(), WireWriter::bytes);
    if (vote.operations().isEmpty()) {
      ClientFields.writeIsolation(out, vote.isolation());
      out.varint(vote.room());
    } else {
      boolean isSnapshot = vote.isolation() == Isolation.SNAPSHOT;
      out.u8(isSnapshot ? SNAPSHOT_WITH_OPERATIONS : SERIALIZABLE_WITH_OPERATIONS);
      out.varint(vote.room());
      out.list(vote.operations(), WireWriter::bytes);
    }
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
    int guards = in.u8();
    boolean operates = guards == SNAPSHOT_WITH_OPERATIONS || guards == SERIALIZABLE_WITH_OPERATIONS;
    Isolation isolation =
        !operates
            ? ClientFields.isolation(guards)
            : guards == SNAPSHOT_WITH_OPERATIONS ? Isolation.SNAPSHOT : Isolation.SERIALIZABLE;
    long weight = in.natural();
    List<Bytes> operations =
        operates ? KeyOrder.readKeys(in, Limits.TRANSACTION_ITEMS_MAX) : List.of();
    return new VoteRequest(
        call,
        txn,
        incarnation,
        point,
        isolation,
        range,
        epoch,
        reads,
        intervals,
        writes,
        operations,
        weight);
  }

  private static void writeSubmit(WireWriter out, Submit submit) {
    out.i64(submit.call())
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
    return new Submit(
        call, txn, coordinator, incarnation, point, isolation, votes, writes, CatalogStamp.at(0));
  }

  private static void writeCatalog(WireWriter out, Submit submit) {
    if (!submit.catalog().equals(CatalogStamp.at(0))) {
      CATALOG.write(out, submit.catalog());
    }
  }

  private static Submit withCatalog(Submit submit, OptionalFields fields) {
    return fields.get(CATALOG).map(submit::by).orElse(submit);
  }

  private static void writeReport(WireWriter out, Report report) {
    out.varint(report.sequence())
        .list(
            report.copies(),
            (to, copy) ->
                to.rangeId(copy.range())
                    .epoch(copy.epoch())
                    .position(copy.folded())
                    .position(copy.closed()))
        .optional(report.leastPin(), WireWriter::position)
        .optional(report.leastLease(), WireWriter::position)
        .list(report.lost(), (to, copy) -> to.rangeId(copy.range()).epoch(copy.epoch()));
  }

  private static Report readReport(WireReader in) {
    return new Report(
        in.natural(),
        in.list(
            from -> new CopyReport(from.rangeId(), from.epoch(), from.position(), from.position())),
        in.optional(WireReader::position),
        in.optional(WireReader::position),
        in.list(from -> new LostCopy(from.rangeId(), from.epoch())),
        0);
  }

  private static void writeNoRoom(WireWriter out, BuildReply reply) {
    if (reply.noRoom()) {
      NO_ROOM.write(out, true);
    }
  }

  private static BuildReply withNoRoom(BuildReply reply, OptionalFields fields) {
    return new BuildReply(reply.call(), reply.stamp(), fields.get(NO_ROOM).orElse(false));
  }

  private static void writeStuck(WireWriter out, Report report) {
    if (report.stuckSeconds() > 0) {
      STUCK_SECONDS.write(out, report.stuckSeconds());
    }
  }

  private static Report withStuck(Report report, OptionalFields fields) {
    return new Report(
        report.sequence(),
        report.copies(),
        report.leastPin(),
        report.leastLease(),
        report.lost(),
        fields.get(STUCK_SECONDS).orElse(0L));
  }
}
