package org.ecstore.server.ledger.segment;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.CRC32C;
import org.ecstore.core.port.Ledger.LedgerEntry;
import org.ecstore.id.Position;
import org.ecstore.key.Bytes;

/**
 * An entry in a segment, without gaps one after another. After the last are zeros or, in a file
 * that was an older segment's, what was there: entries with another salt and of lower positions.
 *
 * <pre>
 * magic i32 | CRC32C i32 of salt and all that follows | body length i32 | record count i32 |
 * first position i64 | batch start i64 | body: (length i32, bytes) for each record
 * </pre>
 *
 * The batch start is the offset of the first entry that was written with the same force. Everything
 * before it was durable when this entry was written. So an unreadable entry was durable, and is
 * damage, exactly if some later entry has a batch start beyond it; else it may be the trace of a
 * crash during its own force, even if entries after it in the same batch are whole.
 */
public final class EntryFormat {
  static final int MAGIC = 0x4c456e74; // "LEnt"
  public static final int HEADER_BYTES = 32;
  public static final int ENTRY_BYTES_MAX = 256 << 20;

  /** Bytes of a batch of several entries; recovery relies on it. */
  public static final int BATCH_BYTES_MAX = 4 << 20;

  private static final int CHECKED_FROM = 8;

  private EntryFormat() {}

  /** Bytes of an entry in a file. */
  public static long bytes(LedgerEntry entry) {
    long bytes = HEADER_BYTES;
    for (Bytes record : entry.records()) {
      bytes += Integer.BYTES + record.length();
    }
    return bytes;
  }

  /** The header of an entry, ready to be written. */
  public static byte[] header(LedgerEntry entry, long salt, long batchStart) {
    ByteBuffer header = ByteBuffer.allocate(HEADER_BYTES);
    header.putInt(MAGIC).putInt(0);
    header.putInt((int) (bytes(entry) - HEADER_BYTES)).putInt(entry.records().size());
    header.putLong(entry.first().value()).putLong(batchStart);
    CRC32C crc = begin(salt, header.array(), 0);
    byte[] length = new byte[Integer.BYTES];
    for (Bytes record : entry.records()) {
      ByteBuffer.wrap(length).putInt(record.length());
      crc.update(length);
      crc.update(record.array());
    }
    header.putInt(4, (int) crc.getValue());
    return header.array();
  }

  private static CRC32C begin(long salt, byte[] array, int headerAt) {
    CRC32C crc = new CRC32C();
    crc.update(ByteBuffer.allocate(Long.BYTES).putLong(0, salt));
    crc.update(array, headerAt + CHECKED_FROM, HEADER_BYTES - CHECKED_FROM);
    return crc;
  }

  /**
   * What a header says of its entry. None of it may be trusted before the checksum was found right.
   */
  public record Header(int checksum, int bodyBytes, int count, long first, long batchStart) {
    /**
     * Whether an entry at this offset of a file of this length, in a segment of positions above
     * {@code after}, can have this header.
     */
    public boolean isPlausible(long offset, long fileBytes, long after) {
      return bodyBytes >= 0
          && bodyBytes <= fileBytes - offset - HEADER_BYTES
          && count >= 1
          && count <= bodyBytes / Integer.BYTES
          && first > after
          && first <= Long.MAX_VALUE - count
          && batchStart >= SegmentHeader.BYTES
          && batchStart <= offset;
    }

    public long last() {
      return first + count - 1;
    }
  }

  /** Reads a header from a buffer; the magic must be checked before. */
  public static Header header(ByteBuffer buffer, int at) {
    return new Header(
        buffer.getInt(at + 4),
        buffer.getInt(at + 8),
        buffer.getInt(at + 12),
        buffer.getLong(at + 16),
        buffer.getLong(at + 24));
  }

  /** Whether the checksum fits the entry in {@code array[at, at + HEADER_BYTES + bodyBytes)}. */
  public static boolean checks(Header header, byte[] array, int at, long salt) {
    CRC32C crc = begin(salt, array, at);
    crc.update(array, at + HEADER_BYTES, header.bodyBytes());
    return (int) crc.getValue() == header.checksum();
  }

  /**
   * Decodes an entry whose checksum is right; absent if its records do not fill its body, which no
   * writer of this format leaves.
   */
  public static java.util.Optional<LedgerEntry> decode(Header header, byte[] array, int at) {
    int end = at + HEADER_BYTES + header.bodyBytes();
    ByteBuffer body = ByteBuffer.wrap(array, at + HEADER_BYTES, header.bodyBytes());
    List<Bytes> records = new ArrayList<>(header.count());
    for (int i = 0; i < header.count(); i++) {
      int length = body.remaining() >= Integer.BYTES ? body.getInt() : -1;
      if (length < 0 || length > body.remaining()) {
        return java.util.Optional.empty();
      }
      byte[] record = new byte[length];
      body.get(record);
      records.add(Bytes.wrap(record));
    }
    return body.position() == end
        ? java.util.Optional.of(new LedgerEntry(new Position(header.first()), records))
        : java.util.Optional.empty();
  }
}
