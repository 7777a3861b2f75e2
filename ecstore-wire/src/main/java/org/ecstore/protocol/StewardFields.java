package org.ecstore.protocol;

import java.util.List;
import org.ecstore.id.RangeId;
import org.ecstore.model.AdminRequest;
import org.ecstore.protocol.ClientReply.Balance;
import org.ecstore.protocol.ClientReply.BalanceShare;
import org.ecstore.protocol.ClientReply.BalanceStep;
import org.ecstore.protocol.ClientReply.DecisionLine;
import org.ecstore.wire.MalformedMessageException;
import org.ecstore.wire.WireReader;
import org.ecstore.wire.WireWriter;

/** The bytes of requests and decisions, between clients and nodes as between nodes. */
public final class StewardFields {
  private static final int SPLIT = 1;
  private static final int MERGE = 2;
  private static final int MOVE = 3;
  private static final int DRAIN = 4;
  private static final int REBALANCE = 5;

  /** Ranges of one decision. */
  private static final int RANGES_MAX = 1 << 16;

  /** Nodes, or steps, of one answer. */
  private static final int BALANCE_LINES_MAX = 1 << 16;

  private StewardFields() {}

  public static void writeAdminRequest(WireWriter out, AdminRequest adminRequest) {
    if (adminRequest instanceof AdminRequest.Split split) {
      out.u8(SPLIT).rangeId(split.range()).optional(split.at(), WireWriter::bytes);
    } else if (adminRequest instanceof AdminRequest.Merge merge) {
      out.u8(MERGE).rangeId(merge.one()).rangeId(merge.other());
    } else if (adminRequest instanceof AdminRequest.Move move) {
      out.u8(MOVE).rangeId(move.range()).node(move.to()).optional(move.from(), WireWriter::node);
    } else if (adminRequest instanceof AdminRequest.Drain drain) {
      out.u8(DRAIN).node(drain.node());
    } else if (adminRequest instanceof AdminRequest.Rebalance) {
      out.u8(REBALANCE);
    } else {
      throw new IllegalStateException("a request without a codec: " + adminRequest);
    }
  }

  /** A request. */
  public static AdminRequest readAdminRequest(WireReader in) {
    int type = in.u8();
    return switch (type) {
      case SPLIT -> new AdminRequest.Split(in.rangeId(), in.optional(ClientFields::readKey));
      case MERGE -> new AdminRequest.Merge(in.rangeId(), in.rangeId());
      case MOVE -> new AdminRequest.Move(in.rangeId(), in.node(), in.optional(WireReader::node));
      case DRAIN -> new AdminRequest.Drain(in.node());
      case REBALANCE -> new AdminRequest.Rebalance();
      default -> throw new MalformedMessageException("unknown type of request: " + type);
    };
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
}
