package org.ecstore.server.ledger;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.ecstore.core.port.OperatorLog;
import org.ecstore.id.Position;
import org.ecstore.server.ledger.segment.EntryFormat;
import org.ecstore.server.ledger.segment.EntryReader;
import org.ecstore.server.ledger.segment.LedgerFiles;
import org.ecstore.server.ledger.segment.LedgerFiles.SegmentFile;
import org.ecstore.server.ledger.segment.Segment;
import org.ecstore.server.ledger.segment.SegmentHeader;
import org.ecstore.server.ledger.segment.SpareSegment;
import org.ecstore.server.ledger.segment.WrongLedgerException;
import org.ecstore.server.parts.MixedPartsException;

/**
 * Opens the segments of a ledger and finds out what a crash left.
 *
 * <p>Only the last segment can have been written to at the moment of a crash: the next one is
 * created, durable, only when the writer has done with it, and says where it ends. So everything
 * unreadable in an earlier segment is damage. In the last one an unreadable entry is damage if an
 * entry written after it was durable is found (see {@link EntryFormat}); else it is taken for the
 * trace of a crash, and cut together with what follows it.
 *
 * <p>All is read before anything is changed. Then the last batch is written and forced once more: a
 * process that died before a force left it in the cache of the operating system, where it can be
 * read but is not durable; and a force that failed may have left it there as if it were written.
 * For the same reason zeros are written after the end even where zeros are read: entries of a batch
 * whose begin is lost could else come back behind an entry that is still to come.
 */
final class LedgerRecovery {
  private static final int CHUNK_BYTES = 1 << 20;

  private final LedgerFiles files;
  private final UUID cluster;
  private final LedgerClaim claim;
  private final OperatorLog log;
  private final List<Segment> segments = new ArrayList<>();

  LedgerRecovery(LedgerFiles files, UUID cluster, LedgerClaim claim, OperatorLog log) {
    this.files = files;
    this.cluster = cluster;
    this.claim = claim;
    this.log = log;
  }

  /**
   * The segments in order, the last one ready to be appended to; empty if there is no ledger yet.
   *
   * @throws CorruptLedgerException if something durable cannot be read
   * @throws WrongLedgerException if this is the ledger of another cluster
   * @throws MixedPartsException if it ends before what is had from it
   */
  List<Segment> open() throws IOException {
    List<String> names = files.names();
    try {
      openSegments(names);
      for (int i = 0; i + 1 < segments.size(); i++) {
        scanWritten(segments.get(i), segments.get(i + 1));
      }
      if (segments.isEmpty()) {
        checkReaches(Position.ZERO);
      } else {
        recoverLast(segments.getLast());
      }
      for (String name : names) {
        if (name.equals(LocalLedgerStore.UNFINISHED) || name.equals(SpareSegment.NAME)) {
          files.delete(name);
        }
      }
      return segments;
    } catch (IOException | RuntimeException e) {
      for (Segment segment : segments) {
        try {
          segment.file().close();
        } catch (IOException closing) {
          e.addSuppressed(closing);
        }
      }
      throw e;
    }
  }

  private void openSegments(List<String> names) throws IOException {
    List<Long> numbers =
        names.stream().map(SegmentHeader::numberIn).filter(n -> n >= 0).sorted().toList();
    for (int i = 0; i < numbers.size(); i++) {
      long number = numbers.get(i);
      String name = SegmentHeader.fileName(number);
      if (i > 0 && number != numbers.get(i - 1) + 1) {
        String missing = SegmentHeader.fileName(numbers.get(i - 1) + 1);
        throw new CorruptLedgerException(files.path(missing), 0, "the file is missing");
      }
      SegmentFile file = files.open(name);
      boolean opened = false;
      try {
        segments.add(new Segment(header(name, file, number), file));
        opened = true;
      } finally {
        if (!opened) {
          file.close();
        }
      }
    }
  }

  private SegmentHeader header(String name, SegmentFile file, long number) throws IOException {
    if (file.length() < SegmentHeader.BYTES) {
      throw new CorruptLedgerException(files.path(name), 0, "the segment header is cut off");
    }
    ByteBuffer block = ByteBuffer.allocate(SegmentHeader.BYTES);
    file.read(block, 0);
    SegmentHeader header;
    try {
      header = SegmentHeader.decode(block);
    } catch (SegmentHeader.Unreadable e) {
      throw new CorruptLedgerException(files.path(name), 0, String.valueOf(e.getMessage()));
    }
    if (!header.cluster().equals(cluster)) {
      throw new WrongLedgerException(
          "%s belongs to cluster %s, not to %s: choose the right directory"
              .formatted(files.path(name), header.cluster(), cluster));
    }
    if (header.number() != number) {
      throw new CorruptLedgerException(
          files.path(name), 0, "its header is that of segment " + header.number());
    }
    return header;
  }

  /** Notes every entry of a segment that another one follows. */
  private void scanWritten(Segment segment, Segment next) throws IOException {
    long end = next.header().previousEnd();
    long there = Math.min(end, segment.file().length());
    scan(segment, there);
    if (segment.end() != end) {
      throw new CorruptLedgerException(
          files.path(segment.name()),
          segment.end(),
          "an unreadable entry before offset " + end + ", where this segment ended");
    }
    if (next.header().after() != segment.last()) {
      throw new CorruptLedgerException(
          files.path(segment.name()),
          segment.end(),
          "it ends at position %d, but the next segment follows position %d"
              .formatted(segment.last(), next.header().after()));
    }
  }

  /** Notes whole entries up to the first that is not; returns the start of the last one's batch. */
  private long scan(Segment segment, long limit) throws IOException {
    EntryReader reader = new EntryReader(segment.file(), segment.header(), limit);
    long batchStart = segment.end();
    while (reader.moveTo(segment.end())) {
      EntryFormat.Header entry = reader.header();
      if (entry.first() <= segment.last()) {
        throw new CorruptLedgerException(
            files.path(segment.name()),
            segment.end(),
            "position %d after position %d".formatted(entry.first(), segment.last()));
      }
      batchStart = entry.batchStart();
      segment.add(entry.first(), entry.last(), reader.bytes());
    }
    return batchStart;
  }

  private void recoverLast(Segment segment) throws IOException {
    SegmentFile file = segment.file();
    long length = file.length();
    long batchStart = scan(segment, length);
    long end = segment.end();
    long usedEnd = usedEnd(file, end, length);
    EntryReader reader = new EntryReader(file, segment.header(), length);
    long later = reader.findWrittenAfter(end, usedEnd);
    if (later >= 0) {
      throw new CorruptLedgerException(
          files.path(segment.name()),
          end,
          "an unreadable entry, though a later one at offset " + later + " is whole");
    }
    checkReaches(new Position(segment.last()));
    if (length < segment.header().capacity()) {
      log.warn(
          "ledger: %s was made with %d bytes and has %d"
              .formatted(files.path(segment.name()), segment.header().capacity(), length));
    }
    // In a file that was an older segment's there is always something behind the end.
    if (usedEnd > end && (!segment.header().reused() || reader.isBegun(end))) {
      log.warn(
          ("ledger: cut the torn tail of %s at offset %d: %d bytes after position %d that were"
                  + " being written when the process ended")
              .formatted(files.path(segment.name()), end, usedEnd - end, segment.last()));
    }
    rewrite(file, batchStart, end);
    long batchEnd = Math.min(length, end + EntryFormat.BATCH_BYTES_MAX);
    clear(file, end, Math.max(usedEnd, batchEnd));
    file.force();
  }

  private void checkReaches(Position last) throws MixedPartsException {
    new LedgerExtent(Position.ZERO, last).checkReaches(files.path(""), claim);
  }

  /** The offset after the last byte that is not zero, at least {@code from}. */
  private static long usedEnd(SegmentFile file, long from, long length) throws IOException {
    ByteBuffer chunk = ByteBuffer.allocate(CHUNK_BYTES);
    ByteBuffer zeros = ByteBuffer.allocate(CHUNK_BYTES);
    long used = from;
    for (long at = from; at < length; at += CHUNK_BYTES) {
      int bytes = (int) Math.min(CHUNK_BYTES, length - at);
      chunk.clear().limit(bytes);
      file.read(chunk, at);
      chunk.flip();
      zeros.clear().limit(bytes);
      if (chunk.mismatch(zeros) >= 0) {
        int last = bytes - 1;
        while (chunk.get(last) == 0) {
          last--;
        }
        used = at + last + 1;
      }
    }
    return used;
  }

  private static void rewrite(SegmentFile file, long from, long to) throws IOException {
    ByteBuffer chunk = ByteBuffer.allocate(CHUNK_BYTES);
    for (long at = from; at < to; at += CHUNK_BYTES) {
      chunk.clear().limit((int) Math.min(CHUNK_BYTES, to - at));
      file.read(chunk, at);
      file.write(chunk.flip(), at);
    }
  }

  private static void clear(SegmentFile file, long from, long to) throws IOException {
    ByteBuffer zeros = ByteBuffer.allocate(CHUNK_BYTES);
    for (long at = from; at < to; at += CHUNK_BYTES) {
      zeros.clear().limit((int) Math.min(CHUNK_BYTES, to - at));
      file.write(zeros, at);
    }
  }
}
