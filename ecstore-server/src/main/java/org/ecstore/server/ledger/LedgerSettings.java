package org.ecstore.server.ledger;

import org.ecstore.server.ledger.segment.EntryFormat;
import org.ecstore.server.ledger.segment.SegmentHeader;

/**
 * Sizes and limits of a {@link LocalLedgerStore}.
 *
 * @param segmentBytes bytes of a segment file, allotted at once; an entry that needs more gets a
 *     segment of its own size
 * @param batchBytesMax bytes written with one force, unless a single entry is longer; at most 4 MiB
 * @param outstandingBytesMax bytes of entries that wait for the writer; further ones are rejected
 * @param readsOutstandingMax reads and trims that wait for the reader; further ones fail
 * @param tailCacheBytes bytes of recent entries kept in memory for readers that follow closely
 */
public record LedgerSettings(
    int segmentBytes,
    int batchBytesMax,
    long outstandingBytesMax,
    int readsOutstandingMax,
    long tailCacheBytes) {
  /** Segments of 64 MiB. */
  public static final LedgerSettings DEFAULT =
      new LedgerSettings(64 << 20, EntryFormat.BATCH_BYTES_MAX, 256L << 20, 4096, 16L << 20);

  public LedgerSettings {
    if (segmentBytes < 2 * SegmentHeader.BYTES) {
      throw new IllegalArgumentException("segments too small: " + segmentBytes + " bytes");
    }
    if (batchBytesMax < 1
        || batchBytesMax > EntryFormat.BATCH_BYTES_MAX
        || outstandingBytesMax < 1
        || readsOutstandingMax < 1
        || tailCacheBytes < 0) {
      throw new IllegalArgumentException("a limit is out of bounds");
    }
  }

  /** The same with segments of another size. */
  public LedgerSettings withSegmentBytes(int bytes) {
    return new LedgerSettings(
        bytes, batchBytesMax, outstandingBytesMax, readsOutstandingMax, tailCacheBytes);
  }
}
