package org.ecstore.model.control;

import java.util.OptionalInt;
import java.util.OptionalLong;
import org.ecstore.model.objective.Objective;
import org.ecstore.wire.MalformedMessageException;
import org.ecstore.wire.WireReader;
import org.ecstore.wire.WireWriter;

/** The bytes of what the controller does, in messages and in coordination. */
public final class ControlFields {
  private ControlFields() {}

  public static void writeSettings(WireWriter out, ControlSettings settings) {
    out.u8(number(settings.mode())).varint(settings.nodesMax()).varint(settings.costMaxMilli());
  }

  /** Settings; any numbers, which are looked at by who keeps them. */
  public static ControlSettings readSettings(WireReader in) {
    return new ControlSettings(readMode(in), readNodesMax(in), in.natural());
  }

  public static void writeChange(WireWriter out, ControlChange change) {
    out.optional(change.mode(), (to, mode) -> to.u8(number(mode)));
    out.bool(change.nodesMax().isPresent());
    change.nodesMax().ifPresent(out::varint);
    out.bool(change.costMaxMilli().isPresent());
    change.costMaxMilli().ifPresent(out::varint);
  }

  /** A change of settings; any numbers, which are looked at by who keeps them. */
  public static ControlChange readChange(WireReader in) {
    return new ControlChange(
        in.optional(ControlFields::readMode),
        in.bool() ? OptionalInt.of(readNodesMax(in)) : OptionalInt.empty(),
        in.bool() ? OptionalLong.of(in.natural()) : OptionalLong.empty());
  }

  private static int readNodesMax(WireReader in) {
    return (int) Math.min(Integer.MAX_VALUE, in.natural());
  }

  public static void writeAction(WireWriter out, ControlAction action) {
    out.varint(action.number()).u8(number(action.kind())).text(action.about());
    out.text(action.limited()).optional(action.node(), WireWriter::node);
    out.varint(action.perSecond()).text(action.why()).varint(action.beforeMicros());
    out.varint(action.predictedMicros()).u8(number(action.stage())).varint(action.afterMicros());
    out.text(action.detail());
  }

  /** An action. */
  public static ControlAction readAction(WireReader in) {
    return new ControlAction(
        in.natural(),
        readKind(in),
        in.text(),
        in.text(),
        in.optional(WireReader::node),
        in.natural(),
        in.text(),
        in.natural(),
        in.natural(),
        readStage(in),
        in.natural(),
        in.text());
  }

  public static void writeLimit(WireWriter out, ServiceLimit limit) {
    out.text(limit.application()).list(limit.tables(), WireWriter::text);
    out.varint(limit.perSecond()).varint(limit.promisedPerSecond());
  }

  /** A limit. */
  public static ServiceLimit readLimit(WireReader in) {
    return new ServiceLimit(
        in.text(), in.list(Objective.TABLES_MAX, WireReader::text), in.natural(), in.natural());
  }

  public static void writeLoad(WireWriter out, NodeLoad load) {
    out.varint(load.busyMilli()).varint(load.waitMicros());
    out.varint(load.lookups()).varint(load.misses()).varint(load.foldLag());
  }

  /** A load. */
  public static NodeLoad readLoad(WireReader in) {
    return new NodeLoad(in.natural(), in.natural(), in.natural(), in.natural(), in.natural());
  }

  private static int number(ControlMode mode) {
    return switch (mode) {
      case FREEZE -> 1;
      case OBSERVE -> 2;
      case ASK -> 3;
      case ACT -> 4;
    };
  }

  private static ControlMode readMode(WireReader in) {
    int number = in.u8();
    return switch (number) {
      case 1 -> ControlMode.FREEZE;
      case 2 -> ControlMode.OBSERVE;
      case 3 -> ControlMode.ASK;
      case 4 -> ControlMode.ACT;
      default -> throw new MalformedMessageException("no mode of the controller: " + number);
    };
  }

  private static int number(ActionKind kind) {
    return switch (kind) {
      case LIMIT -> 1;
      case RELEASE -> 2;
      case REBALANCE -> 3;
      case ADD_NODE -> 4;
      case REMOVE_NODE -> 5;
      case LOWER_THRESHOLD -> 6;
      case RAISE_THRESHOLD -> 7;
    };
  }

  private static ActionKind readKind(WireReader in) {
    int number = in.u8();
    return switch (number) {
      case 1 -> ActionKind.LIMIT;
      case 2 -> ActionKind.RELEASE;
      case 3 -> ActionKind.REBALANCE;
      case 4 -> ActionKind.ADD_NODE;
      case 5 -> ActionKind.REMOVE_NODE;
      case 6 -> ActionKind.LOWER_THRESHOLD;
      case 7 -> ActionKind.RAISE_THRESHOLD;
      default -> throw new MalformedMessageException("no kind of action: " + number);
    };
  }

  private static int number(ActionStage stage) {
    return switch (stage) {
      case PROPOSED -> 1;
      case UNDER_WAY -> 2;
      case MEASURING -> 3;
      case DONE -> 4;
      case FAILED -> 5;
      case WITHDRAWN -> 6;
    };
  }

  private static ActionStage readStage(WireReader in) {
    int number = in.u8();
    return switch (number) {
      case 1 -> ActionStage.PROPOSED;
      case 2 -> ActionStage.UNDER_WAY;
      case 3 -> ActionStage.MEASURING;
      case 4 -> ActionStage.DONE;
      case 5 -> ActionStage.FAILED;
      case 6 -> ActionStage.WITHDRAWN;
      default -> throw new MalformedMessageException("no stage of an action: " + number);
    };
  }
}
