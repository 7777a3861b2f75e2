package org.ecstore.protocol;

import java.util.Optional;
import org.ecstore.key.Bytes;
import org.ecstore.key.KeyRange;
import org.ecstore.model.AbortReason;
import org.ecstore.model.CopyRole;
import org.ecstore.model.Isolation;
import org.ecstore.model.KeyWrite;
import org.ecstore.model.ReadLevel;
import org.ecstore.model.ReadSource;
import org.ecstore.model.RefusalCode;
import org.ecstore.model.Route;
import org.ecstore.model.Row;
import org.ecstore.wire.Limits;
import org.ecstore.wire.MalformedMessageException;
import org.ecstore.wire.WireReader;
import org.ecstore.wire.WireWriter;

/**
 * The bytes of the values that requests and replies are made of; messages between nodes that carry
 * the same values use them too. The numbers of enum constants and abort reasons are fixed for ever.
 */
public final class ClientFields {
  /** A bound may be the successor of the longest key. */
  private static final int BOUND_BYTES_MAX = Limits.KEY_BYTES_MAX + 1;

  /** Copies of one range that a route names. */
  private static final int COPIES_MAX = 1 << 10;

  private static final int CONFLICT = 1;
  private static final int TOO_OLD = 2;
  private static final int RANGE_CHANGED = 3;
  private static final int SETTLED_BY_ASKER = 4;
  private static final int NOT_REACHABLE = 5;
  private static final int NO_ROOM = 6;

  private ClientFields() {}

  /** A key within its limit. */
  public static Bytes readKey(WireReader in) {
    return in.bytes(Limits.KEY_BYTES_MAX);
  }

  /** Where something begins in key order: a key, or the successor of the longest one. */
  public static Bytes readPlace(WireReader in) {
    return in.bytes(BOUND_BYTES_MAX);
  }

  /** A value within its limit. */
  public static Bytes readValue(WireReader in) {
    return in.bytes(Limits.VALUE_BYTES_MAX);
  }

  /** An interval with bounds within their limit. */
  public static KeyRange readInterval(WireReader in) {
    return in.range(BOUND_BYTES_MAX);
  }

  /** A variable-length integer from 0 to 2^31-1. */
  public static int readNaturalInt(WireReader in) {
    long value = in.natural();
    if (value > Integer.MAX_VALUE) {
      throw new MalformedMessageException("number too large: " + value);
    }
    return (int) value;
  }

  public static void writeKeyWrite(WireWriter out, KeyWrite write) {
    out.bytes(write.key()).optional(write.value(), WireWriter::bytes);
  }

  public static KeyWrite readKeyWrite(WireReader in) {
    Bytes key = readKey(in);
    Optional<Bytes> value = in.optional(ClientFields::readValue);
    return new KeyWrite(key, value);
  }

  public static void writeRow(WireWriter out, Row row) {
    out.bytes(row.key()).position(row.version()).bytes(row.value());
  }

  public static Row readRow(WireReader in) {
    return new Row(readKey(in), in.position(), readValue(in));
  }

  public static void writeRoute(WireWriter out, Route route) {
    out.rangeId(route.range()).epoch(route.epoch()).range(route.keys());
    out.node(route.primary()).text(route.address());
    out.list(route.secondaries(), (to, copy) -> to.node(copy.node()).text(copy.address()));
  }

  public static Route readRoute(WireReader in) {
    return new Route(
        in.rangeId(),
        in.epoch(),
        readInterval(in),
        in.node(),
        in.text(),
        in.list(COPIES_MAX, from -> new Route.Secondary(from.node(), from.text())));
  }

  public static void writeReadSource(WireWriter out, ReadSource source) {
    out.node(source.node());
    out.u8(
        switch (source.role()) {
          case PRIMARY -> 1;
          case SECONDARY -> 2;
          case HOT_REPLICA -> 3;
        });
    out.position(source.closed()).position(source.known()).varint(source.load());
  }

  public static ReadSource readReadSource(WireReader in) {
    return new ReadSource(
        in.node(), readCopyRole(in), in.position(), in.position(), readNaturalInt(in));
  }

  private static CopyRole readCopyRole(WireReader in) {
    int number = in.u8();
    return switch (number) {
      case 1 -> CopyRole.PRIMARY;
      case 2 -> CopyRole.SECONDARY;
      case 3 -> CopyRole.HOT_REPLICA;
      default -> throw new MalformedMessageException("unknown role of a copy: " + number);
    };
  }

  public static void writeIsolation(WireWriter out, Isolation isolation) {
    out.u8(
        switch (isolation) {
          case SERIALIZABLE -> 1;
          case SNAPSHOT -> 2;
        });
  }

  public static Isolation readIsolation(WireReader in) {
    int number = in.u8();
    return switch (number) {
      case 1 -> Isolation.SERIALIZABLE;
      case 2 -> Isolation.SNAPSHOT;
      default -> throw new MalformedMessageException("unknown isolation: " + number);
    };
  }

  public static void writeReadLevel(WireWriter out, ReadLevel level) {
    switch (level.kind()) {
      case SESSION -> out.u8(1);
      case STRONG -> out.u8(2);
      case BOUNDED -> out.u8(3).varint(level.lagMillis());
      case LOCAL -> out.u8(4);
    }
  }

  public static ReadLevel readReadLevel(WireReader in) {
    int number = in.u8();
    return switch (number) {
      case 1 -> ReadLevel.SESSION;
      case 2 -> ReadLevel.STRONG;
      case 3 -> bounded(readNaturalInt(in));
      case 4 -> ReadLevel.LOCAL;
      default -> throw new MalformedMessageException("unknown read level: " + number);
    };
  }

  private static ReadLevel bounded(int lagMillis) {
    if (lagMillis < 1) {
      throw new MalformedMessageException("no lag: " + lagMillis);
    }
    return new ReadLevel(ReadLevel.Kind.BOUNDED, lagMillis);
  }

  public static void writeRefusalCode(WireWriter out, RefusalCode code) {
    out.u8(
        switch (code) {
          case SNAPSHOT_TOO_OLD -> 1;
          case UNAVAILABLE -> 2;
          case OVERLOADED -> 3;
          case TOO_LARGE -> 4;
          case BAD_REQUEST -> 5;
        });
  }

  public static RefusalCode readRefusalCode(WireReader in) {
    int number = in.u8();
    return switch (number) {
      case 1 -> RefusalCode.SNAPSHOT_TOO_OLD;
      case 2 -> RefusalCode.UNAVAILABLE;
      case 3 -> RefusalCode.OVERLOADED;
      case 4 -> RefusalCode.TOO_LARGE;
      case 5 -> RefusalCode.BAD_REQUEST;
      default -> throw new MalformedMessageException("unknown refusal code: " + number);
    };
  }

  public static void writeAbortReason(WireWriter out, AbortReason reason) {
    if (reason instanceof AbortReason.Conflict conflict) {
      out.u8(CONFLICT).rangeId(conflict.range()).range(conflict.keys());
      out.optional(conflict.other(), WireWriter::txn);
      out.optional(conflict.version(), WireWriter::position);
    } else if (reason instanceof AbortReason.TooOld tooOld) {
      out.u8(TOO_OLD).position(tooOld.base());
    } else if (reason instanceof AbortReason.RangeChanged changed) {
      out.u8(RANGE_CHANGED).rangeId(changed.range());
    } else if (reason instanceof AbortReason.SettledByAsker) {
      out.u8(SETTLED_BY_ASKER);
    } else if (reason instanceof AbortReason.NotReachable notReachable) {
      out.u8(NOT_REACHABLE).text(notReachable.detail());
    } else if (reason instanceof AbortReason.NoRoom noRoom) {
      out.u8(NO_ROOM).text(noRoom.detail()).bool(noRoom.ever());
    } else {
      throw new IllegalStateException("an abort reason without a codec: " + reason);
    }
  }

  public static AbortReason readAbortReason(WireReader in) {
    int number = in.u8();
    return switch (number) {
      case CONFLICT ->
          new AbortReason.Conflict(
              in.rangeId(),
              readInterval(in),
              in.optional(WireReader::txn),
              in.optional(WireReader::position));
      case TOO_OLD -> new AbortReason.TooOld(in.position());
      case RANGE_CHANGED -> new AbortReason.RangeChanged(in.rangeId());
      case SETTLED_BY_ASKER -> new AbortReason.SettledByAsker();
      case NOT_REACHABLE -> new AbortReason.NotReachable(in.text());
      case NO_ROOM -> new AbortReason.NoRoom(in.text(), in.bool());
      default -> throw new MalformedMessageException("unknown abort reason: " + number);
    };
  }
}
