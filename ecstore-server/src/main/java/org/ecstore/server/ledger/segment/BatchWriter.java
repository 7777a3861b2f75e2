package org.ecstore.server.ledger.segment;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import org.ecstore.core.port.Ledger.LedgerEntry;
import org.ecstore.key.Bytes;
import org.ecstore.server.ledger.segment.LedgerFiles.SegmentFile;

/** Encodes a batch of entries through a fixed buffer into a file. For the writer thread only. */
public final class BatchWriter {
  private final ByteBuffer staging = ByteBuffer.allocateDirect(1 << 20);

  /** Writes entries one after another from an offset; makes nothing durable. */
  public void write(List<LedgerEntry> batch, Segment segment, long offset) throws IOException {
    SegmentFile file = segment.file();
    byte[] length = new byte[Integer.BYTES];
    long at = offset;
    staging.clear();
    for (LedgerEntry entry : batch) {
      at = put(EntryFormat.header(entry, segment.header().salt(), offset), file, at);
      for (Bytes record : entry.records()) {
        ByteBuffer.wrap(length).putInt(record.length());
        at = put(length, file, at);
        at = put(record.array(), file, at);
      }
    }
    flush(file, at);
  }

  /** Adds bytes, writing when the buffer is full; returns where the buffer's content belongs. */
  private long put(byte[] bytes, SegmentFile file, long offset) throws IOException {
    long at = offset;
    int from = 0;
    while (from < bytes.length) {
      if (!staging.hasRemaining()) {
        at = flush(file, at);
      }
      int count = Math.min(staging.remaining(), bytes.length - from);
      staging.put(bytes, from, count);
      from += count;
    }
    return at;
  }

  private long flush(SegmentFile file, long offset) throws IOException {
    staging.flip();
    int count = staging.remaining();
    file.write(staging, offset);
    staging.clear();
    return offset + count;
  }
}
