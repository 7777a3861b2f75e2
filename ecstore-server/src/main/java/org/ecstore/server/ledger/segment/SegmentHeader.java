package org.ecstore.server.ledger.segment;

import java.nio.ByteBuffer;
import java.util.UUID;
import java.util.zip.CRC32C;

/**
 * The first block of a segment file. A segment is created whole and durable under another name and
 * then renamed, so a header that cannot be read is damage, never the trace of a crash.
 *
 * <pre>
 * magic i64 | CRC32C i32 of all that follows | version i32 | cluster 16 | number i64 | salt i64 |
 * after i64 | previousEnd i64 | capacity i64 | reused i32 | zeros up to 4096
 * </pre>
 *
 * @param number segments are numbered 1, 2, 3, ...; trimmed ones are gone
 * @param salt random; goes into the checksum of each entry, so that stored bytes which look like an
 *     entry are never taken for one
 * @param after the last position before this segment: every entry here is above it
 * @param previousEnd where the entries of the segment before end. What is found there beyond was
 *     never acknowledged, and never will be
 * @param capacity bytes the file was created with
 * @param reused whether the file was an older segment's, of which entries may be left behind the
 *     end of this one's
 */
public record SegmentHeader(
    UUID cluster,
    long number,
    long salt,
    long after,
    long previousEnd,
    long capacity,
    boolean reused) {
  /** A block of its own: writing entries never rewrites the block of the header. */
  public static final int BYTES = 4096;

  private static final long MAGIC = 0x45435354_4c454447L; // "ECSTLEDG"
  private static final int VERSION = 1;
  private static final int CHECKED_FROM = 12;
  private static final String PREFIX = "segment-";
  private static final String SUFFIX = ".ledger";

  public static String fileName(long number) {
    return "%s%016d%s".formatted(PREFIX, number, SUFFIX);
  }

  /** The number in a file's name, or -1 if it is not the name of a segment. */
  public static long numberIn(String fileName) {
    if (!fileName.startsWith(PREFIX) || !fileName.endsWith(SUFFIX)) {
      return -1;
    }
    String digits = fileName.substring(PREFIX.length(), fileName.length() - SUFFIX.length());
    boolean plain = digits.length() == 16 && digits.chars().allMatch(c -> c >= '0' && c <= '9');
    return plain ? Long.parseLong(digits) : -1;
  }

  public ByteBuffer encode() {
    ByteBuffer block = ByteBuffer.allocate(BYTES);
    block.putLong(MAGIC).putInt(0).putInt(VERSION);
    block.putLong(cluster.getMostSignificantBits()).putLong(cluster.getLeastSignificantBits());
    block.putLong(number).putLong(salt).putLong(after).putLong(previousEnd).putLong(capacity);
    block.putInt(reused ? 1 : 0);
    block.putInt(8, checksum(block.array()));
    return block.position(0).limit(BYTES);
  }

  private static int checksum(byte[] block) {
    CRC32C crc = new CRC32C();
    crc.update(block, CHECKED_FROM, BYTES - CHECKED_FROM);
    return (int) crc.getValue();
  }

  /**
   * Decodes a block.
   *
   * @throws Unreadable if it is damaged
   * @throws WrongLedgerException if it is whole, but of a version this program does not know
   */
  public static SegmentHeader decode(ByteBuffer block) throws Unreadable, WrongLedgerException {
    if (block.getLong(0) != MAGIC) {
      throw new Unreadable("no segment header");
    }
    int version = block.getInt(12);
    byte[] bytes = new byte[BYTES];
    block.get(0, bytes);
    if (block.getInt(8) != checksum(bytes)) {
      throw new Unreadable("the checksum of the segment header is wrong");
    }
    if (version != VERSION) {
      throw new WrongLedgerException(
          "ledger format " + version + " is not known to this program, which reads " + VERSION);
    }
    return new SegmentHeader(
        new UUID(block.getLong(16), block.getLong(24)),
        block.getLong(32),
        block.getLong(40),
        block.getLong(48),
        block.getLong(56),
        block.getLong(64),
        block.getInt(72) != 0);
  }

  /** The block is not a whole header. */
  public static final class Unreadable extends Exception {
    private static final long serialVersionUID = 1L;

    Unreadable(String message) {
      super(message);
    }
  }
}
