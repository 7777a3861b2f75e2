package org.ecstore.core.ledger;

import java.util.ArrayList;
import java.util.List;
import org.ecstore.check.Check;
import org.ecstore.key.Bytes;
import org.ecstore.wire.MalformedMessageException;
import org.ecstore.wire.WireReader;
import org.ecstore.wire.WireWriter;

/**
 * Splits a long logical record into the raw records that are appended, in order, at consecutive
 * positions (rule 1). A part is
 *
 * <pre>  version | 15 | run id (8 bytes) | index (varint) | count (varint) | payload (with length)
 * </pre>
 *
 * <p>and the payloads of a run, joined, are the encoding of the logical record. The run id tells
 * this run from another that a fenced writer left incomplete; {@link RecordAssembler} joins.
 */
public final class RecordParts {
  /** Raw records are no longer than this unless the caller says otherwise: 512 KiB. */
  public static final int RECORD_BYTES_MAX = 512 << 10;

  /** Bytes a part has beside its payload, at most. */
  private static final int OVERHEAD_BYTES_MAX = 2 + 8 + 5 + 5 + 5;

  private RecordParts() {}

  /** The raw records of a logical one, each of {@link #RECORD_BYTES_MAX} at most. */
  public static List<Bytes> split(LedgerRecord record, long run) {
    return split(record, run, RECORD_BYTES_MAX);
  }

  /**
   * The raw records of a logical one: itself if it is short enough.
   *
   * @param run an id no other run of this ledger has
   * @param recordBytesMax the longest raw record, in bytes; at least 64
   */
  public static List<Bytes> split(LedgerRecord record, long run, int recordBytesMax) {
    Check.that(recordBytesMax >= 64, "a raw record has room for a payload");
    WireWriter whole = new WireWriter(LedgerCodec.bytesAbout(record));
    LedgerCodec.write(whole, record);
    Check.that(
        whole.length() <= LedgerCodec.LOGICAL_BYTES_MAX, "a logical record is within its limit");
    if (whole.length() <= recordBytesMax) {
      return List.of(whole.toBytes());
    }
    int payloadBytesMax = recordBytesMax - OVERHEAD_BYTES_MAX;
    int count = Math.ceilDiv(whole.length(), payloadBytesMax);
    List<Bytes> parts = new ArrayList<>(count);
    for (int index = 0; index < count; index++) {
      int from = index * payloadBytesMax;
      int to = Math.min(whole.length(), from + payloadBytesMax);
      parts.add(part(run, index, count, whole, from, to, recordBytesMax));
    }
    return parts;
  }

  /** Cut out of the whole without a copy between: the largest records are much of a small heap. */
  private static Bytes part(
      long run, int index, int count, WireWriter whole, int from, int to, int recordBytesMax) {
    WireWriter out = new WireWriter(to - from + OVERHEAD_BYTES_MAX);
    out.u8(LedgerCodec.VERSION).u8(LedgerCodec.PART).i64(run).varint(index).varint(count);
    out.varint(to - from).raw(whole.array(), from, to);
    Check.that(out.length() <= recordBytesMax, "a part is within the limit of a raw record");
    return out.toBytes();
  }

  /** Whether a raw record is a part of a longer one that goes on with the record after it. */
  public static boolean goesOn(Bytes raw) {
    return isPart(raw) && !Part.decode(raw).isLast();
  }

  /** Whether a raw record is a part of a longer one. */
  static boolean isPart(Bytes raw) {
    return raw.length() >= 2
        && (raw.at(0) & 0xff) == LedgerCodec.VERSION
        && (raw.at(1) & 0xff) == LedgerCodec.PART;
  }

  /** One part of a run. */
  record Part(long run, int index, int count, Bytes payload) {
    static Part decode(Bytes raw) {
      WireReader in = new WireReader(raw);
      LedgerCodec.readType(in);
      long run = in.i64();
      long index = in.natural();
      long count = in.natural();
      Bytes payload = in.bytes();
      in.expectEnd();
      if (count < 2 || count > LedgerCodec.LOGICAL_BYTES_MAX || index >= count) {
        throw new MalformedMessageException("part " + index + " of " + count);
      }
      return new Part(run, (int) index, (int) count, payload);
    }

    boolean follows(Part before) {
      return run == before.run && count == before.count && index == before.index + 1;
    }

    boolean isLast() {
      return index == count - 1;
    }
  }
}
