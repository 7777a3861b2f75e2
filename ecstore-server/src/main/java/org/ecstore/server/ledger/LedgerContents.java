package org.ecstore.server.ledger;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.ecstore.core.port.Ledger.LedgerEntry;
import org.ecstore.core.port.LedgerResult;
import org.ecstore.id.Position;
import org.ecstore.server.ledger.segment.EntryFormat;
import org.ecstore.server.ledger.segment.EntryReader;
import org.ecstore.server.ledger.segment.LedgerFiles;
import org.ecstore.server.ledger.segment.Segment;
import org.ecstore.server.ledger.segment.SpareSegment;

/**
 * What is durable in the ledger: the segments in order and the most recent entries in memory. The
 * writer thread adds, the reader thread reads and trims; its monitor guards the segments too, and
 * is never held during I/O.
 */
public final class LedgerContents {
  private final List<Segment> segments;
  private final TreeMap<Long, LedgerEntry> tail = new TreeMap<>();
  private final long tailBytesMax;
  private long tailBytes;

  /** Takes over the segments, at least one; the last one is being appended to. */
  LedgerContents(List<Segment> segments, long tailBytesMax) {
    this.segments = new ArrayList<>(segments);
    this.tailBytesMax = tailBytesMax;
  }

  /** The first position that is kept: past the last one if none is. */
  synchronized Position first() {
    for (Segment segment : segments) {
      if (!segment.isEmpty()) {
        return new Position(segment.first());
      }
    }
    return last().next();
  }

  /** The last durable position. */
  synchronized Position last() {
    return new Position(segments.getLast().last());
  }

  /** Where it begins and ends. */
  synchronized LedgerExtent extent() {
    return new LedgerExtent(new Position(segments.getFirst().header().after()), last());
  }

  /** Where the last segment's durable entries end. */
  synchronized long end() {
    return segments.getLast().end();
  }

  /** Adds a segment to be appended to from now on. */
  synchronized void add(Segment segment) {
    segments.add(segment);
  }

  /** Adds entries that have become durable at the end of the last segment. */
  synchronized void add(List<LedgerEntry> entries) {
    Segment segment = segments.getLast();
    for (LedgerEntry entry : entries) {
      long bytes = EntryFormat.bytes(entry);
      segment.add(entry.first().value(), entry.last().value(), bytes);
      tail.put(entry.first().value(), entry);
      tailBytes += bytes;
    }
    while (tailBytes > tailBytesMax) {
      tailBytes -= EntryFormat.bytes(tail.pollFirstEntry().getValue());
    }
  }

  /** Reads as {@link org.ecstore.core.port.Ledger#read} says. */
  LedgerResult read(long from, int bytesMax) throws IOException, UnreadableException {
    List<Piece> pieces = new ArrayList<>();
    Position end;
    synchronized (this) {
      long trimmed = segments.getFirst().header().after();
      if (trimmed > 0 && from <= trimmed) {
        return new LedgerResult.Trimmed(first());
      }
      end = last();
      if (from > end.value()) {
        return new LedgerResult.Entries(List.of(), end);
      }
      Map.Entry<Long, LedgerEntry> cached = tail.floorEntry(from);
      if (cached != null) {
        return new LedgerResult.Entries(fromTail(cached, from, bytesMax), end);
      }
      for (Segment segment : segments) {
        if (segment.last() >= from && !segment.isEmpty()) {
          pieces.add(new Piece(segment, segment.before(from), segment.end()));
        }
      }
    }
    return new LedgerResult.Entries(fromFiles(pieces, from, bytesMax), end);
  }

  /** A stretch of durable entries of a segment. */
  private record Piece(Segment segment, Segment.Start from, long end) {}

  private List<LedgerEntry> fromTail(Map.Entry<Long, LedgerEntry> floor, long from, int bytesMax) {
    boolean held = floor.getValue().last().value() >= from;
    Gathered gathered = new Gathered(bytesMax);
    for (LedgerEntry entry : tail.tailMap(floor.getKey(), held).values()) {
      if (!gathered.add(entry, EntryFormat.bytes(entry))) {
        break;
      }
    }
    return gathered.entries;
  }

  private static List<LedgerEntry> fromFiles(List<Piece> pieces, long from, int bytesMax)
      throws IOException, UnreadableException {
    Gathered gathered = new Gathered(bytesMax);
    for (Piece piece : pieces) {
      Segment segment = piece.segment();
      EntryReader reader = new EntryReader(segment.file(), segment.header(), piece.end());
      long at = piece.from().offset();
      long after = piece.from().after();
      while (at < piece.end()) {
        // An entry that is skipped is checked too: its length leads to the next one.
        if (!reader.moveTo(at)) {
          throw new UnreadableException(segment.name(), at);
        }
        if (reader.header().last() >= from) {
          long offset = at;
          LedgerEntry read =
              reader.entry().orElseThrow(() -> new UnreadableException(segment.name(), offset));
          LedgerEntry entry = new LedgerEntry(read.first(), read.records(), new Position(after));
          if (!gathered.add(entry, reader.bytes())) {
            return gathered.entries;
          }
        }
        after = reader.header().last();
        at += reader.bytes();
      }
    }
    return gathered.entries;
  }

  /** A durable entry that cannot be read any more. */
  static final class UnreadableException extends Exception {
    private static final long serialVersionUID = 1L;

    private final String file;
    private final long offset;

    UnreadableException(String file, long offset) {
      super("an unreadable entry in " + file + " at offset " + offset);
      this.file = file;
      this.offset = offset;
    }

    String file() {
      return file;
    }

    long offset() {
      return offset;
    }
  }

  /** Entries up to a number of bytes, at least one. */
  private static final class Gathered {
    private final List<LedgerEntry> entries = new ArrayList<>();
    private final long bytesMax;
    private long bytes;

    Gathered(long bytesMax) {
      this.bytesMax = bytesMax;
    }

    boolean add(LedgerEntry entry, long entryBytes) {
      if (!entries.isEmpty() && bytes + entryBytes > bytesMax) {
        return false;
      }
      entries.add(entry);
      bytes += entryBytes;
      return true;
    }
  }

  /**
   * Deletes segments wholly below a position, the oldest first and each durably before the next, so
   * that a crash never leaves a gap; one of them may become the spare. The last segment stays. For
   * the reader thread only.
   */
  void trim(long below, LedgerFiles files, SpareSegment spare) throws IOException {
    while (true) {
      Segment oldest;
      synchronized (this) {
        oldest = segments.getFirst();
        if (segments.size() == 1 || oldest.last() >= below) {
          return;
        }
      }
      boolean kept = spare.keep(oldest);
      if (!kept) {
        files.delete(oldest.name());
      }
      synchronized (this) {
        segments.removeFirst();
      }
      if (!kept) {
        oldest.file().close();
      }
    }
  }

  /** Closes all files; for the last user. */
  synchronized void close() throws IOException {
    IOException failure = null;
    for (Segment segment : segments) {
      try {
        segment.file().close();
      } catch (IOException e) {
        failure = e;
      }
    }
    if (failure != null) {
      throw failure;
    }
  }
}
