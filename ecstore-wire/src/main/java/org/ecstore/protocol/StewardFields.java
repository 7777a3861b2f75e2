package org.ecstore.protocol;

import java.util.List;
import org.ecstore.id.RangeId;
import org.ecstore.model.AdminRequest;
import org.ecstore.model.control.ControlFields;
import org.ecstore.model.control.NodeSlot;
import org.ecstore.model.objective.ObjectiveFields;
import org.ecstore.model.objective.ServiceFields;
import org.ecstore.protocol.ClientReply.Balance;
import org.ecstore.protocol.ClientReply.BalanceShare;
import org.ecstore.protocol.ClientReply.BalanceStep;
import org.ecstore.protocol.ClientReply.Control;
import org.ecstore.protocol.ClientReply.ControlCheckLine;
import org.ecstore.protocol.ClientReply.Decided;
import org.ecstore.protocol.ClientReply.DecisionLine;
import org.ecstore.protocol.ClientReply.NodeHistoryLine;
import org.ecstore.protocol.ClientReply.NodeLoadLine;
import org.ecstore.protocol.ClientReply.ObjectiveChangeLine;
import org.ecstore.protocol.ClientReply.ObjectiveLine;
import org.ecstore.protocol.ClientReply.Objectives;
import org.ecstore.protocol.ClientReply.QuotaLine;
import org.ecstore.protocol.ClientReply.TableLine;
import org.ecstore.protocol.ClientReply.TableUseLine;
import org.ecstore.protocol.ClientReply.Tables;
import org.ecstore.protocol.ClientReply.WholeTable;
import org.ecstore.wire.MessageTable;
import org.ecstore.wire.WireReader;
import org.ecstore.wire.WireWriter;

/** The bytes of requests and decisions, between clients and nodes as between nodes. */
public final class StewardFields {
  /** What an operator may want; the numbers are fixed for ever. */
  private static final MessageTable<AdminRequest> ADMIN_REQUESTS =
      MessageTable.of(AdminRequest.class, "type of request", 1, 63)
          .row(
              1,
              AdminRequest.Split.class,
              (out, split) -> out.rangeId(split.range()).optional(split.at(), WireWriter::bytes),
              in -> new AdminRequest.Split(in.rangeId(), in.optional(ClientFields::readKey)))
          .row(
              2,
              AdminRequest.Merge.class,
              (out, merge) -> out.rangeId(merge.one()).rangeId(merge.other()),
              in -> new AdminRequest.Merge(in.rangeId(), in.rangeId()))
          .row(
              3,
              AdminRequest.Move.class,
              (out, move) ->
                  out.rangeId(move.range()).node(move.to()).optional(move.from(), WireWriter::node),
              in -> new AdminRequest.Move(in.rangeId(), in.node(), in.optional(WireReader::node)))
          .row(
              4,
              AdminRequest.Drain.class,
              (out, drain) -> out.node(drain.node()),
              in -> new AdminRequest.Drain(in.node()))
          .row(
              5,
              AdminRequest.Rebalance.class,
              (out, rebalance) -> {},
              in -> new AdminRequest.Rebalance())
          .row(
              6,
              AdminRequest.SetObjective.class,
              (out, set) -> {
                ObjectiveFields.write(out, set.objective());
                out.varint(set.atMillis());
              },
              in -> new AdminRequest.SetObjective(ObjectiveFields.read(in), in.natural()))
          .row(
              7,
              AdminRequest.RemoveObjective.class,
              (out, remove) -> out.text(remove.application()).varint(remove.atMillis()),
              in -> new AdminRequest.RemoveObjective(in.text(), in.natural()))
          .row(
              8,
              AdminRequest.SetControl.class,
              (out, set) -> ControlFields.writeSettings(out, set.settings()),
              in -> new AdminRequest.SetControl(ControlFields.readSettings(in)))
          .row(
              9,
              AdminRequest.AnswerAction.class,
              (out, answer) -> out.varint(answer.action()).bool(answer.isApproved()),
              in -> new AdminRequest.AnswerAction(in.natural(), in.bool()))
          .row(
              12,
              AdminRequest.UseTable.class,
              (out, use) -> out.text(use.name()).text(use.text()).varint(use.atMillis()),
              in -> new AdminRequest.UseTable(in.text(), in.text(), in.natural()))
          .row(
              13,
              AdminRequest.RemoveTable.class,
              (out, remove) -> out.text(remove.name()).varint(remove.atMillis()),
              in -> new AdminRequest.RemoveTable(in.text(), in.natural()))
          .row(
              14,
              AdminRequest.ChangeControl.class,
              (out, change) -> ControlFields.writeChange(out, change.change()),
              in -> new AdminRequest.ChangeControl(ControlFields.readChange(in)))
          .build();

  /** Ranges of one decision. */
  private static final int RANGES_MAX = 1 << 16;

  /** Nodes, or steps, of one answer. */
  private static final int BALANCE_LINES_MAX = 1 << 16;

  /** Objectives, changes of them, or figures of one, of one answer. */
  private static final int OBJECTIVE_LINES_MAX = 1_000;

  private StewardFields() {}

  public static void writeAdminRequest(WireWriter out, AdminRequest adminRequest) {
    ADMIN_REQUESTS.writeNested(out, adminRequest);
  }

  /** A request. */
  public static AdminRequest readAdminRequest(WireReader in) {
    return ADMIN_REQUESTS.readNested(in);
  }

  static void writeDecided(WireWriter out, Decided decided) {
    out.node(decided.steward()).list(decided.decisions(), StewardFields::writeDecision);
  }

  static Decided readDecided(WireReader in) {
    return new Decided(in.node(), in.list(ReplyFields.LINES_MAX, StewardFields::readDecision));
  }

  public static void writeBalance(WireWriter out, Balance balance) {
    out.node(balance.steward()).bool(balance.automatic());
    out.list(
        balance.nodes(),
        (to, share) ->
            to.node(share.node())
                .varint(share.ranges())
                .optional(share.bytes(), WireWriter::varint)
                .varint(share.readsPerSecond())
                .varint(share.updatesPerSecond()));
    out.list(balance.steps(), (to, step) -> to.text(step.what()).text(step.why()));
  }

  /** How a cluster is balanced. */
  public static Balance readBalance(WireReader in) {
    return new Balance(
        in.node(),
        in.bool(),
        in.list(
            BALANCE_LINES_MAX,
            from ->
                new BalanceShare(
                    from.node(),
                    from.natural(),
                    from.optional(WireReader::natural),
                    from.natural(),
                    from.natural())),
        in.list(BALANCE_LINES_MAX, from -> new BalanceStep(from.text(), from.text())));
  }

  public static void writeDecision(WireWriter out, DecisionLine line) {
    out.varint(line.number()).optional(line.agoMillis(), WireWriter::varint).varint(line.map());
    out.text(line.cause()).list(line.ranges(), WireWriter::rangeId);
    out.text(line.what()).text(line.why()).text(line.outcome()).text(line.detail());
  }

  /** A decision. */
  public static DecisionLine readDecision(WireReader in) {
    long number = in.natural();
    var ago = in.optional(WireReader::natural);
    long map = in.natural();
    String cause = in.text();
    List<RangeId> ranges = in.list(RANGES_MAX, WireReader::rangeId);
    return new DecisionLine(
        number, ago, map, cause, ranges, in.text(), in.text(), in.text(), in.text());
  }

  public static void writeObjectives(WireWriter out, Objectives answer) {
    out.node(answer.steward());
    out.list(answer.objectives(), StewardFields::writeObjective);
    out.list(answer.changes(), StewardFields::writeObjectiveChange);
  }

  /** What applications are promised, and what became of that. */
  public static Objectives readObjectives(WireReader in) {
    return new Objectives(
        in.node(),
        in.list(OBJECTIVE_LINES_MAX, StewardFields::readObjective),
        in.list(OBJECTIVE_LINES_MAX, StewardFields::readObjectiveChange));
  }

  public static void writeQuotas(WireWriter out, List<QuotaLine> quotas) {
    out.list(
        quotas,
        (to, line) ->
            to.text(line.application())
                .optional(line.heldBytes(), WireWriter::varint)
                .bool(line.isRefused()));
  }

  /** What applications with quotas hold. */
  public static List<QuotaLine> readQuotas(WireReader in) {
    return in.list(
        OBJECTIVE_LINES_MAX,
        from -> new QuotaLine(from.text(), from.optional(WireReader::natural), from.bool()));
  }

  public static void writeNodeHistories(WireWriter out, List<NodeHistoryLine> lines) {
    out.list(
        lines,
        (to, line) ->
            to.node(line.node())
                .list(
                    line.slots(),
                    (slots, slot) ->
                        ControlFields.writeLoad(slots.varint(slot.agoMillis()), slot.load())));
  }

  /** What nodes had to do of late. */
  public static List<NodeHistoryLine> readNodeHistories(WireReader in) {
    return in.list(
        OBJECTIVE_LINES_MAX,
        from ->
            new NodeHistoryLine(
                from.node(),
                from.list(
                    OBJECTIVE_LINES_MAX,
                    slot -> new NodeSlot(slot.natural(), ControlFields.readLoad(slot)))));
  }

  private static void writeObjective(WireWriter out, ObjectiveLine line) {
    ObjectiveFields.write(out, line.objective());
    out.varint(line.sinceMillis()).optional(line.recent(), ServiceFields::writeFigures);
    out.list(line.slots(), ServiceFields::writeFigures);
  }

  private static ObjectiveLine readObjective(WireReader in) {
    return new ObjectiveLine(
        ObjectiveFields.read(in),
        in.natural(),
        in.optional(ServiceFields::readFigures),
        in.list(OBJECTIVE_LINES_MAX, ServiceFields::readFigures));
  }

  private static void writeObjectiveChange(WireWriter out, ObjectiveChangeLine change) {
    out.varint(change.number()).varint(change.atMillis()).bool(change.removed());
    ObjectiveFields.write(out, change.objective());
  }

  private static ObjectiveChangeLine readObjectiveChange(WireReader in) {
    return new ObjectiveChangeLine(in.natural(), in.natural(), in.bool(), ObjectiveFields.read(in));
  }

  public static void writeControl(WireWriter out, Control control) {
    out.node(control.steward());
    ControlFields.writeSettings(out, control.settings());
    out.text(control.provisioner());
    out.list(
        control.nodes(), (to, line) -> ControlFields.writeLoad(to.node(line.node()), line.load()));
    out.list(
        control.checks(),
        (to, line) ->
            to.text(line.application())
                .varint(line.checks())
                .varint(line.needed())
                .varint(line.violated()));
    out.list(control.limits(), ControlFields::writeLimit);
    out.list(control.actions(), ControlFields::writeAction);
  }

  /** What the controller does. */
  public static Control readControl(WireReader in) {
    return new Control(
        in.node(),
        ControlFields.readSettings(in),
        in.text(),
        in.list(
            BALANCE_LINES_MAX, from -> new NodeLoadLine(from.node(), ControlFields.readLoad(from))),
        in.list(
            OBJECTIVE_LINES_MAX,
            from ->
                new ControlCheckLine(
                    from.text(),
                    ObjectiveFields.readInt(from),
                    ObjectiveFields.readInt(from),
                    ObjectiveFields.readInt(from))),
        in.list(OBJECTIVE_LINES_MAX, ControlFields::readLimit),
        in.list(OBJECTIVE_LINES_MAX, ControlFields::readAction));
  }

  public static void writeTables(WireWriter out, Tables tables) {
    out.node(tables.steward());
    out.list(
        tables.tables(),
        (to, line) ->
            to.text(line.name())
                .varint(line.sinceMillis())
                .text(line.measured())
                .text(line.cells())
                .text(line.stale()));
    out.list(
        tables.uses(),
        (to, line) ->
            to.text(line.application()).optional(line.table(), WireWriter::text).text(line.why()));
  }

  /** By which tables the controller goes. */
  public static Tables readTables(WireReader in) {
    return new Tables(
        in.node(),
        in.list(
            OBJECTIVE_LINES_MAX,
            from ->
                new TableLine(from.text(), from.natural(), from.text(), from.text(), from.text())),
        in.list(
            OBJECTIVE_LINES_MAX,
            from -> new TableUseLine(from.text(), from.optional(WireReader::text), from.text())));
  }

  public static void writeWholeTable(WireWriter out, WholeTable table) {
    out.optional(table.text(), WireWriter::text);
  }

  /** What is in a table that is kept. */
  public static WholeTable readWholeTable(WireReader in) {
    return new WholeTable(in.optional(WireReader::text));
  }
}
