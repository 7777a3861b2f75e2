package org.ecstore.server.ledger.segment;

import java.util.Arrays;
import org.ecstore.server.ledger.segment.LedgerFiles.SegmentFile;

/**
 * An open segment and where its durable entries are. A sparse index finds an entry: one point for
 * each {@value #INDEX_STEP_BYTES} bytes or so. Guarded by the {@code LedgerContents} it belongs to.
 */
public final class Segment {
  private static final int INDEX_STEP_BYTES = 16 << 10;

  private final SegmentHeader header;
  private final SegmentFile file;
  private long[] indexPositions = new long[16];
  private long[] indexOffsets = new long[16];
  private long[] indexAfter = new long[16];
  private int indexed;
  private long end = SegmentHeader.BYTES;
  private long last;

  public Segment(SegmentHeader header, SegmentFile file) {
    this.header = header;
    this.file = file;
    this.last = header.after();
  }

  public SegmentHeader header() {
    return header;
  }

  public String name() {
    return SegmentHeader.fileName(header.number());
  }

  public SegmentFile file() {
    return file;
  }

  /** Where the durable entries end. */
  public long end() {
    return end;
  }

  /** The last position here, or before here while there is none. */
  public long last() {
    return last;
  }

  public boolean isEmpty() {
    return indexed == 0;
  }

  /** The first position here. */
  public long first() {
    return indexPositions[0];
  }

  /** Notes a durable entry that begins at the end. */
  public void add(long firstPosition, long lastPosition, long bytes) {
    if (indexed == 0 || end - indexOffsets[indexed - 1] >= INDEX_STEP_BYTES) {
      if (indexed == indexPositions.length) {
        indexPositions = Arrays.copyOf(indexPositions, indexed * 2);
        indexOffsets = Arrays.copyOf(indexOffsets, indexed * 2);
        indexAfter = Arrays.copyOf(indexAfter, indexed * 2);
      }
      indexPositions[indexed] = firstPosition;
      indexOffsets[indexed] = end;
      indexAfter[indexed] = last;
      indexed++;
    }
    end += bytes;
    last = lastPosition;
  }

  /** Where to begin looking for a position: an entry at or before it. */
  public Start before(long position) {
    int found = Arrays.binarySearch(indexPositions, 0, indexed, position);
    int point = found >= 0 ? found : -found - 2;
    return point < 0
        ? new Start(SegmentHeader.BYTES, header.after())
        : new Start(indexOffsets[point], indexAfter[point]);
  }

  /** The offset of an entry, and the last position before it. */
  public record Start(long offset, long after) {}
}
