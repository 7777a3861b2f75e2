package org.ecstore.cluster.bookkeeper.segment;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeoutException;
import org.apache.bookkeeper.client.api.LedgerEntries;
import org.apache.bookkeeper.client.api.LedgerEntry;
import org.apache.bookkeeper.client.api.LedgerMetadata;
import org.apache.bookkeeper.client.api.ReadHandle;
import org.ecstore.core.port.Ledger;
import org.jspecify.annotations.Nullable;

/**
 * A segment as it is read: opened without recovery, so that its writer does not notice. It knows up
 * to which entry the segment is confirmed, and where some positions are. Belongs to the owner's
 * thread.
 */
public final class SegmentReader {
  private static final int KNOWN_MAX = 256;
  private static final int BATCH_MAX = 512;

  private static final long ENTRY_BYTES_GUESS = 4096;

  private final Bookies bookies;
  private final Owner owner;
  private final long ledger;
  private final SegmentLengths lengths;

  /** From a position: no entry before this one reaches up to it. */
  private final TreeMap<Long, Long> known = new TreeMap<>();

  private @Nullable Opening opening;
  private @Nullable ReadHandle handle;
  private long confirmed = -1;
  private long lastRead = -1;
  private long lastPosition;

  /** An opening under way. */
  private static final class Opening {
    final boolean mustBeClosed;
    CompletableFuture<ReadHandle> result = new CompletableFuture<>();

    Opening(boolean mustBeClosed) {
      this.mustBeClosed = mustBeClosed;
    }
  }

  SegmentReader(Bookies bookies, Owner owner, long ledger) {
    this.bookies = bookies;
    this.owner = owner;
    this.ledger = ledger;
    this.lengths = new SegmentLengths(owner);
  }

  /** The first and the last position of an entry. */
  public record Span(long first, long last) {}

  long ledger() {
    return ledger;
  }

  /** What this process, being the writer, knows to be acknowledged before the bookies say so. */
  void acknowledged(long entry, long position) {
    confirmed = Math.max(confirmed, entry);
    note(entry, position);
  }

  /**
   * Opens it unless it is open; if it must be closed and is not, as far as known, again. Then an
   * opening under way that was begun for less is not waited for: while a bookie of a segment that
   * was open is away, it takes seconds, and one of the closed segment asks no bookie at all.
   *
   * <p>The first time any metadata will do, for most segments are long closed. If it says that this
   * one is open it may be old: the next time it is read behind a sync.
   */
  CompletableFuture<ReadHandle> open(boolean mustBeClosed) {
    ReadHandle open = handle;
    if (open != null && (open.isClosed() || !mustBeClosed)) {
      return CompletableFuture.completedFuture(open);
    }
    Opening under = opening;
    if (under != null && (under.mustBeClosed || !mustBeClosed)) {
      return under.result;
    }
    Opening begun = new Opening(mustBeClosed);
    opening = begun;
    Bookies.Freshness freshness = open == null ? Bookies.Freshness.ANY : Bookies.Freshness.SYNCED;
    begun.result =
        Futures.handle(
            bookies.open(ledger, freshness), owner, (fresh, e) -> opened(begun, fresh, e));
    return begun.result;
  }

  private CompletableFuture<ReadHandle> opened(
      Opening done, @Nullable ReadHandle fresh, @Nullable Throwable failure) {
    if (opening == done) {
      opening = null;
    }
    if (fresh == null) {
      return CompletableFuture.failedFuture(
          failure == null ? new IllegalStateException("no handle") : failure);
    }
    ReadHandle open = handle;
    if (open != null && open.isClosed()) {
      // A later opening was quicker, and knows all that this one does.
      Futures.forget(fresh.closeAsync());
      return CompletableFuture.completedFuture(open);
    }
    close();
    handle = fresh;
    return CompletableFuture.completedFuture(fresh);
  }

  /** The last entry that is certainly durable; -1 if there is none. The segment must be open. */
  long limit() {
    LedgerMetadata metadata = open().getLedgerMetadata();
    return metadata.isClosed() ? metadata.getLastEntryId() : confirmed;
  }

  boolean isClosed() {
    ReadHandle open = handle;
    return open != null && open.isClosed();
  }

  private ReadHandle open() {
    ReadHandle open = handle;
    if (open == null) {
      throw new IllegalStateException("segment " + ledger + " is not open");
    }
    return open;
  }

  /** What a look beyond the limit found. */
  enum Look {
    /** Entries that are durable. */
    MORE,
    /** An entry of which that is not known yet. */
    SOON,
    /** Entries that are durable, as the bookies say, but did not come in time. */
    LATE,
    /** Nothing, at the bookies that answered in time. */
    NOTHING
  }

  /** Looks for entries beyond the limit; the segment must be open. */
  CompletableFuture<Look> look(long millis) {
    long from = limit() + 1;
    CompletableFuture<Long> hinted = open().readLastAddConfirmedAsync();
    CompletableFuture<Look> found =
        Futures.handle(
            hinted,
            owner,
            (hint, _) -> look(from, from, Math.max(from, hint == null ? 0 : hint + 1)));
    return Futures.within(owner, millis, found)
        .exceptionallyCompose(
            failure ->
                Futures.cause(failure) instanceof TimeoutException
                    ? CompletableFuture.completedFuture(tooLate(hinted, from))
                    : CompletableFuture.failedFuture(failure));
  }

  /** What came of a look that took too long: only what the first answer of the bookies said. */
  private static Look tooLate(CompletableFuture<Long> hinted, long from) {
    boolean said = hinted.isDone() && !hinted.isCompletedExceptionally();
    return said && hinted.join() >= from ? Look.LATE : Look.NOTHING;
  }

  /** What entries say is confirmed counts, what they are does not yet. */
  private CompletableFuture<Look> look(long beyond, long from, long to) {
    // Far beyond, one entry mostly says of those before it that they are confirmed: they may be
    // long.
    boolean probes = to - from >= SegmentLengths.UNPROBED_MAX;
    long first = probes ? to : from;
    return Futures.handle(
        open().readUnconfirmedAsync(first, to),
        owner,
        (entries, _) -> {
          if (entries == null) {
            return to > from
                ? look(beyond, from, from + (to - from) / 2)
                : CompletableFuture.completedFuture(Look.NOTHING);
          }
          try (entries) {
            boolean records = false;
            for (LedgerEntry entry : entries) {
              EntryCodec.Stored stored = decode(entry);
              confirmed = Math.max(confirmed, stored.confirmed());
              records |= !stored.entry().records().isEmpty();
            }
            if (limit() >= beyond) {
              return CompletableFuture.completedFuture(Look.MORE);
            }
            if (probes) {
              return look(beyond, from, from + (to - from) / 2);
            }
            // Behind entries that only say what is confirmed there may be others.
            return records
                ? CompletableFuture.completedFuture(Look.SOON)
                : look(beyond, to + 1, to + 1);
          } catch (EntryCodec.BadEntry e) {
            return CompletableFuture.failedFuture(e);
          }
        });
  }

  /** The place of an entry that is durable. */
  public CompletableFuture<Span> positions(long entry) {
    return positions(open(), entry, owner);
  }

  public static CompletableFuture<Span> positions(ReadHandle from, long entry, Owner owner) {
    return Futures.then(
        from.readUnconfirmedAsync(entry, entry),
        owner,
        entries -> {
          try (entries) {
            Ledger.LedgerEntry decoded = decode(entries.getEntry(entry)).entry();
            return CompletableFuture.completedFuture(
                new Span(decoded.first().value(), decoded.last().value()));
          } catch (EntryCodec.BadEntry e) {
            return CompletableFuture.failedFuture(e);
          }
        });
  }

  private static EntryCodec.Stored decode(LedgerEntry entry) throws EntryCodec.BadEntry {
    try {
      return EntryCodec.decode(entry.getEntryBytes());
    } catch (EntryCodec.BadEntry e) {
      throw new EntryCodec.BadEntry(
          "entry %d of BookKeeper's ledger %d: %s"
              .formatted(entry.getEntryId(), entry.getLedgerId(), e.getMessage()));
    }
  }

  /** The last position up to an entry that is the limit. */
  CompletableFuture<Long> lastPosition(long entry) {
    if (entry == lastRead) {
      return CompletableFuture.completedFuture(lastPosition);
    }
    return positions(entry)
        .thenApplyAsync(
            span -> {
              note(entry, span.last());
              return span.last();
            },
            owner);
  }

  /**
   * Reads some entries, those without records too, about as many as have a number of bytes.
   *
   * @param upTo the last entry that may be read
   */
  CompletableFuture<List<Ledger.LedgerEntry>> read(long from, long upTo, long bytes) {
    ReadHandle segment = open();
    long entries = upTo + 1;
    long average = entries > 0 ? Math.max(1, segment.getLength() / entries) : ENTRY_BYTES_GUESS;
    long count = Math.clamp(bytes / average + 1, 1, BATCH_MAX);
    long to = Math.min(upTo, from + count - 1);
    return Futures.then(
        lengths.fitting(segment, from, to, bytes),
        owner,
        last ->
            Futures.then(
                segment.readUnconfirmedAsync(from, last), owner, some -> decodeAll(some, from)));
  }

  private CompletableFuture<List<Ledger.LedgerEntry>> decodeAll(LedgerEntries entries, long from) {
    try (entries) {
      List<Ledger.LedgerEntry> decoded = new ArrayList<>();
      long length = 0;
      for (LedgerEntry entry : entries) {
        if (entry.getEntryId() != from + decoded.size()) {
          throw new EntryCodec.BadEntry(
              "entry %d of BookKeeper's ledger %d is where %d should be"
                  .formatted(entry.getEntryId(), ledger, from + decoded.size()));
        }
        EntryCodec.Stored next = decode(entry);
        confirmed = Math.max(confirmed, next.confirmed());
        note(entry.getEntryId(), next.entry().last().value());
        decoded.add(next.entry());
        length = entry.getLength();
      }
      lengths.measured(from + decoded.size() - 1, length);
      return CompletableFuture.completedFuture(decoded);
    } catch (EntryCodec.BadEntry e) {
      return CompletableFuture.failedFuture(e);
    }
  }

  private void note(long entry, long position) {
    if (entry > lastRead) {
      lastRead = entry;
      lastPosition = position;
    }
  }

  /** Remembers that a position is in an entry, or in a later one. */
  void found(long position, long entry) {
    known.put(position, entry);
    if (known.size() > KNOWN_MAX) {
      known.pollFirstEntry();
    }
  }

  /**
   * The entry that holds a position, or the first after it; one above the limit if there is none.
   */
  CompletableFuture<Long> find(long position) {
    Map.Entry<Long, Long> before = known.floorEntry(position);
    if (before != null && before.getKey() == position) {
      return CompletableFuture.completedFuture(before.getValue());
    }
    long low = before == null ? 0 : before.getValue();
    long limit = limit();
    return low > limit ? CompletableFuture.completedFuture(low) : search(position, low, limit, low);
  }

  /** Bisects: every entry below low ends before the position, none above high does. */
  private CompletableFuture<Long> search(long position, long low, long high, long probe) {
    return Futures.then(
        positions(probe),
        owner,
        span -> {
          long newLow = span.last() < position ? probe + 1 : low;
          long newHigh = span.last() < position ? high : probe - 1;
          if (newLow > newHigh) {
            found(position, newLow);
            return CompletableFuture.completedFuture(newLow);
          }
          return search(position, newLow, newHigh, (newLow + newHigh) >>> 1);
        });
  }

  /** Lets go what it holds of the library. It may be opened again. */
  void close() {
    ReadHandle open = handle;
    handle = null;
    if (open != null) {
      Futures.forget(open.closeAsync());
    }
  }
}
