package org.ecstore.cluster.bookkeeper.segment;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.ecstore.core.port.Ledger.LedgerEntry;
import org.ecstore.id.Position;
import org.ecstore.key.Bytes;

/**
 * An entry as a bookie keeps it. BookKeeper adds a checksum of its own.
 *
 * <pre>
 * version i32 | record count i32 | confirmed i64 | first position i64 | after i64, in version 2 only |
 * (length i32, bytes) for each record
 * </pre>
 *
 * Confirmed is the number, in BookKeeper's ledger, of the last entry that was acknowledged to the
 * writer when it sent this one; -1 if none was. It is a fact, and stays one whatever becomes of the
 * entry that carries it. BookKeeper's own last-add-confirmed is not: who recovers a segment writes
 * entries back with a higher one, and then the deposed writer may close the segment below it.
 *
 * <p>An entry without records says nothing else. Its first position is one above the last before
 * it.
 *
 * <p>After is the position that the entry follows, by which who reads sees that none is missing. In
 * version 1 it is the one below the first; version 2 is for entries before which numbers are burnt.
 */
public final class EntryCodec {
  public static final int HEADER_BYTES = 24;

  /** Bytes of an encoded entry. */
  public static final int ENTRY_BYTES_MAX = 24 << 20;

  /** What client and bookie take for a frame: an entry and what BookKeeper puts around it. */
  public static final int FRAME_BYTES_MAX = ENTRY_BYTES_MAX + (1 << 20);

  private static final int DENSE = 1;
  private static final int BURNT = 2;

  private EntryCodec() {}

  /**
   * What was read.
   *
   * @param entry without records if it only says what is confirmed
   */
  public record Stored(long confirmed, LedgerEntry entry) {}

  /** The bytes on a bookie are not an entry. */
  public static final class BadEntry extends Exception {
    private static final long serialVersionUID = 1L;

    BadEntry(String message) {
      super(message);
    }
  }

  public static long bytes(LedgerEntry entry) {
    long bytes = (long) HEADER_BYTES + (isDense(entry) ? 0 : Long.BYTES);
    for (Bytes record : entry.records()) {
      bytes += Integer.BYTES + record.length();
    }
    return bytes;
  }

  private static boolean isDense(LedgerEntry entry) {
    return entry.after().next().equals(entry.first());
  }

  public static byte[] encode(LedgerEntry entry, long confirmed) {
    ByteBuffer buffer = ByteBuffer.allocate(Math.toIntExact(bytes(entry)));
    boolean dense = isDense(entry);
    buffer.putInt(dense ? DENSE : BURNT).putInt(entry.records().size());
    buffer.putLong(confirmed).putLong(entry.first().value());
    if (!dense) {
      buffer.putLong(entry.after().value());
    }
    for (Bytes record : entry.records()) {
      buffer.putInt(record.length()).put(record.array());
    }
    return buffer.array();
  }

  public static Stored decode(byte[] array) throws BadEntry {
    ByteBuffer buffer = ByteBuffer.wrap(array);
    if (array.length < HEADER_BYTES) {
      throw new BadEntry("too short: " + array.length + " bytes");
    }
    int version = buffer.getInt();
    if (version != DENSE && version != BURNT) {
      throw new BadEntry("format " + version + " is not known to this program");
    }
    int count = buffer.getInt();
    long confirmed = buffer.getLong();
    long first = buffer.getLong();
    if (version == BURNT && buffer.remaining() < Long.BYTES) {
      throw new BadEntry("too short: " + array.length + " bytes");
    }
    long after = version == BURNT ? buffer.getLong() : first - 1;
    if (after < 0 || after >= first) {
      throw new BadEntry("no entry from position " + first + " follows position " + after);
    }
    if (count < 0 || confirmed < -1 || count > buffer.remaining() / Integer.BYTES) {
      throw new BadEntry("no entry has " + count + " records from position " + first);
    }
    List<Bytes> records = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      int length = buffer.remaining() < Integer.BYTES ? -1 : buffer.getInt();
      if (length < 0 || length > buffer.remaining()) {
        throw new BadEntry("record " + i + " of " + count + " is cut off");
      }
      byte[] record = new byte[length];
      buffer.get(record);
      records.add(Bytes.wrap(record));
    }
    if (buffer.hasRemaining()) {
      throw new BadEntry(buffer.remaining() + " bytes after the last record");
    }
    return new Stored(
        confirmed, new LedgerEntry(new Position(first), records, new Position(after)));
  }
}
