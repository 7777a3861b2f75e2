package org.ecstore.server.ledger.segment;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Optional;
import org.ecstore.core.port.Ledger.LedgerEntry;
import org.ecstore.server.ledger.segment.LedgerFiles.SegmentFile;
import org.jspecify.annotations.Nullable;

/**
 * Reads entries of one segment through a window, mostly forwards. Nothing is handed out whose
 * checksum was not found right. Not safe for use by several threads.
 */
public final class EntryReader {
  private static final int WINDOW_BYTES = 256 << 10;

  private final SegmentFile file;
  private final long salt;
  private final long after;
  private final long limit;
  private ByteBuffer window = ByteBuffer.allocate(0);
  private long windowAt;
  private EntryFormat.@Nullable Header header;
  private int at;

  /** Reads entries of a segment below a limit, an offset of its file. */
  public EntryReader(SegmentFile file, SegmentHeader segment, long limit) {
    this.file = file;
    this.salt = segment.salt();
    this.after = segment.after();
    this.limit = limit;
  }

  /** Moves to an offset; whether a whole entry begins there. */
  public boolean moveTo(long offset) throws IOException {
    header = null;
    if (!isBegun(offset)) {
      return false;
    }
    EntryFormat.Header candidate = EntryFormat.header(window, (int) (offset - windowAt));
    load(offset, EntryFormat.HEADER_BYTES + candidate.bodyBytes());
    at = (int) (offset - windowAt);
    if (!EntryFormat.checks(candidate, window.array(), at, salt)) {
      return false;
    }
    header = candidate;
    return true;
  }

  /** Whether what is at an offset looks like the header of an entry, whole or torn. */
  public boolean isBegun(long offset) throws IOException {
    if (limit - offset < EntryFormat.HEADER_BYTES) {
      return false;
    }
    load(offset, EntryFormat.HEADER_BYTES);
    int found = (int) (offset - windowAt);
    return window.getInt(found) == EntryFormat.MAGIC
        && EntryFormat.header(window, found).isPlausible(offset, limit, after);
  }

  /** The header of the entry moved to. */
  public EntryFormat.Header header() {
    if (header == null) {
      throw new IllegalStateException("not at an entry");
    }
    return header;
  }

  /** Bytes of the entry moved to. */
  public long bytes() {
    return EntryFormat.HEADER_BYTES + (long) header().bodyBytes();
  }

  /** The entry moved to; absent if its body is not in the format. */
  public Optional<LedgerEntry> entry() {
    return EntryFormat.decode(header(), window.array(), at);
  }

  /**
   * The offset of the first whole entry past {@code offset} and below {@code end} that was written
   * when what is at {@code offset} was durable; -1 if there is none.
   */
  public long findWrittenAfter(long offset, long end) throws IOException {
    // The end of a header may be zeros, so a header may reach past the last byte that is none.
    long last = Math.min(end - 1, limit - EntryFormat.HEADER_BYTES);
    for (long candidate = offset + 1; candidate <= last; candidate++) {
      load(candidate, EntryFormat.HEADER_BYTES);
      int found = (int) (candidate - windowAt);
      if (window.getInt(found) == EntryFormat.MAGIC
          && EntryFormat.header(window, found).batchStart() > offset
          && moveTo(candidate)) {
        return candidate;
      }
    }
    return -1;
  }

  /** Makes the window hold a number of bytes from an offset; they must be below the limit. */
  private void load(long offset, int bytes) throws IOException {
    if (offset >= windowAt && offset + bytes <= windowAt + window.limit()) {
      return;
    }
    int length = (int) Math.min(Math.max(bytes, WINDOW_BYTES), limit - offset);
    if (window.capacity() < length || window.capacity() > Math.max(WINDOW_BYTES, length)) {
      window = ByteBuffer.allocate(Math.max(WINDOW_BYTES, length));
    }
    window.clear().limit(length);
    windowAt = offset;
    file.read(window, offset);
    window.flip();
  }
}
