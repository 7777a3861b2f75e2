package org.ecstore.protocol;

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
import org.ecstore.wire.MessageTable;
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

  /** Why transactions abort; the numbers are fixed for ever. */
  private static final MessageTable<AbortReason> ABORT_REASONS =
      MessageTable.of(AbortReason.class, "abort reason", 1, 63)
          .row(
              1,
              AbortReason.Conflict.class,
              ClientFields::writeConflict,
              ClientFields::readConflict)
          .row(
              2,
              AbortReason.TooOld.class,
              (out, tooOld) -> out.position(tooOld.base()),
              in -> new AbortReason.TooOld(in.position()))
          .row(
              3,
              AbortReason.RangeChanged.class,
              (out, changed) -> out.rangeId(changed.range()),
              in -> new AbortReason.RangeChanged(in.rangeId()))
          .row(
              4,
              AbortReason.SettledByAsker.class,
              (out, settled) -> {},
              in -> new AbortReason.SettledByAsker())
          .row(
              5,
              AbortReason.NotReachable.class,
              (out, notReachable) -> out.text(notReachable.detail()),
              in -> new AbortReason.NotReachable(in.text()))
          .row(
              6,
              AbortReason.NoRoom.class,
              (out, noRoom) -> out.text(noRoom.detail()).bool(noRoom.ever()),
              in -> new AbortReason.NoRoom(in.text(), in.bool()))
          .row(
              7,
              AbortReason.CatalogChanged.class,
              (out, changed) -> out.varint(changed.version()),
              in -> new AbortReason.CatalogChanged(in.natural()))
          .build();

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
    WriteKind.write(out.bytes(write.key()), write.mutation());
  }

  public static KeyWrite readKeyWrite(WireReader in) {
    return new KeyWrite(readKey(in), WriteKind.read(in, Limits.VALUE_BYTES_MAX));
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
    return isolation(in.u8());
  }

  /** The isolation of a number. */
  public static Isolation isolation(int number) {
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

  /**
   * Writes a code as each release knows it. One that came later is written as the nearest that was
   * there at first, and its own number goes into an optional field.
   */
  public static void writeRefusalCode(WireWriter out, RefusalCode code) {
    out.u8(
        switch (code) {
          case SNAPSHOT_TOO_OLD -> 1;
          case UNAVAILABLE -> 2;
          case OVERLOADED -> 3;
          case TOO_LARGE, OVER_QUOTA -> 4;
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
    ABORT_REASONS.writeNested(out, reason);
  }

  public static AbortReason readAbortReason(WireReader in) {
    return ABORT_REASONS.readNested(in);
  }

  private static void writeConflict(WireWriter out, AbortReason.Conflict conflict) {
    out.rangeId(conflict.range()).range(conflict.keys());
    out.optional(conflict.other(), WireWriter::txn);
    out.optional(conflict.version(), WireWriter::position);
  }

  private static AbortReason.Conflict readConflict(WireReader in) {
    return new AbortReason.Conflict(
        in.rangeId(),
        readInterval(in),
        in.optional(WireReader::txn),
        in.optional(WireReader::position));
  }
}
