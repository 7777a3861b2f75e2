package org.ecstore.server.bookkeeper;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.ecstore.core.port.Ledger.LedgerEntry;
import org.ecstore.core.port.LedgerResult;
import org.ecstore.id.Position;
import org.ecstore.server.bookkeeper.SegmentList.Segment;
import org.ecstore.server.bookkeeper.SegmentStore.Listed;
import org.jspecify.annotations.Nullable;

/**
 * Reads of all nodes of the process. Belongs to the owner's thread.
 *
 * <p>Nobody sees an entry that is not confirmed (rule 6: standbys tail to the last-confirmed
 * position only): by the end of a closed segment, or by what the writer says in a later entry
 * ({@link EntryCodec}). An idle writer says so in an entry without records a little later. So a
 * read that comes to the end looks whether any bookie has one more entry, and ZooKeeper one more
 * segment. If there is an entry, the read waits a moment for it to be confirmed. If there is none,
 * this is the end: an acknowledged entry is on so many bookies that one of those who answer has it.
 */
final class SegmentReads {
  private static final int READERS_MAX = 64;
  private static final long LOOK_MILLIS = 3;

  /** After so many looks it is worth to see whether the segment was closed. */
  private static final int LOOKS = 8;

  private final Owner owner;
  private final Bookies bookies;
  private final SegmentStore store;
  private final BookKeeperSettings settings;
  private final Map<Long, SegmentReader> readers = new LinkedHashMap<>(16, 0.75f, true);
  private final Set<Call> calls = new HashSet<>();
  private @Nullable Listed latest;
  private long end;
  private boolean closed;

  SegmentReads(Owner owner, Bookies bookies, SegmentStore store, BookKeeperSettings settings) {
    this.owner = owner;
    this.bookies = bookies;
    this.store = store;
    this.settings = settings;
  }

  /** A read under way. */
  private static final class Call {
    final long from;
    final int bytesMax;
    final long deadlineNanos;
    final long tailDeadlineNanos;
    final List<Consumer<LedgerResult>> answers = new ArrayList<>();
    final List<LedgerEntry> entries = new ArrayList<>();
    long bytes;
    int looks;

    Call(long from, int bytesMax, BookKeeperSettings settings, Consumer<LedgerResult> answer) {
      this.from = from;
      this.bytesMax = bytesMax;
      answers.add(answer);
      long now = System.nanoTime();
      this.deadlineNanos = now + TimeUnit.MILLISECONDS.toNanos(settings.readMillis());
      this.tailDeadlineNanos = now + TimeUnit.MILLISECONDS.toNanos(settings.tailMillis());
    }

    /** The same answer for all who ask the same while it is sought. */
    void answer(LedgerResult result) {
      answers.forEach(answer -> answer.accept(result));
    }

    boolean isFull() {
      return !entries.isEmpty() && bytes >= bytesMax;
    }

    /** What it still looks for. */
    long next() {
      return entries.isEmpty() ? from : entries.getLast().last().value() + 1;
    }

    void add(LedgerEntry entry) {
      entries.add(entry);
      bytes += EntryCodec.bytes(entry);
    }
  }

  /** The list was seen as it is. */
  void listed(Listed now) {
    Listed before = latest;
    if (before == null || now.version() - before.version() > 0) {
      latest = now;
    }
  }

  /** This process appended an entry to a segment. */
  void appended(long ledger, long entry, long position) {
    reader(ledger).acknowledged(entry, position);
    end = Math.max(end, position);
  }

  private SegmentReader reader(long ledger) {
    SegmentReader reader =
        readers.computeIfAbsent(ledger, id -> new SegmentReader(bookies, owner, id));
    if (readers.size() > READERS_MAX) {
      long oldest = readers.keySet().iterator().next();
      SegmentReader evicted = readers.remove(oldest);
      if (evicted != null) {
        evicted.close();
      }
    }
    return reader;
  }

  /**
   * Reads; the answer comes on the owner's thread, within the time a read may take. A node that
   * comes back has many copies that lack the same part of the ledger: what is read for one of them
   * is for all who ask for it meanwhile.
   */
  void read(long from, int bytesMax, Consumer<LedgerResult> answer) {
    if (closed) {
      answer.accept(new LedgerResult.Failed("the ledger is closed"));
      return;
    }
    for (Call same : calls) {
      if (same.from == from && same.bytesMax == bytesMax) {
        same.answers.add(answer);
        return;
      }
    }
    if (calls.size() >= settings.readsOutstandingMax()) {
      answer.accept(new LedgerResult.Failed("too many reads at once"));
      return;
    }
    Call call = new Call(from, bytesMax, settings, answer);
    calls.add(call);
    Futures.last(
        Futures.then(current(), owner, listed -> begin(call, listed)),
        owner,
        (result, failure) -> done(call, result, failure));
  }

  private void done(Call call, @Nullable LedgerResult result, @Nullable Throwable failure) {
    if (!calls.remove(call)) {
      return;
    }
    if (result != null) {
      call.answer(result);
    } else {
      String reason = failure == null ? "no result" : Bookies.reason(failure);
      call.answer(new LedgerResult.Failed("cannot read the ledger: " + reason));
    }
  }

  /**
   * Ends what takes too long with what it has read so far, so that a reader of a ledger that is
   * slow gets on all the same; fails it if that is nothing.
   */
  void tick() {
    long now = System.nanoTime();
    List<Call> late = calls.stream().filter(call -> now - call.deadlineNanos >= 0).toList();
    for (Call call : late) {
      calls.remove(call);
      call.answer(
          call.entries.isEmpty()
              ? new LedgerResult.Failed("cannot read the ledger: no answer in time")
              : entries(call, 0));
    }
  }

  /** Answers what was begun and takes no more. */
  void close() {
    closed = true;
    for (Call call : List.copyOf(calls)) {
      calls.remove(call);
      call.answer(new LedgerResult.Failed("the ledger is closed"));
    }
    readers.values().forEach(SegmentReader::close);
    readers.clear();
  }

  private CompletableFuture<Listed> current() {
    Listed known = latest;
    return known == null ? refreshed() : CompletableFuture.completedFuture(known);
  }

  private CompletableFuture<Listed> refreshed() {
    return store
        .read()
        .thenApplyAsync(
            now -> {
              listed(now);
              Listed newest = latest;
              return newest == null ? now : newest;
            },
            owner);
  }

  private CompletableFuture<LedgerResult> begin(Call call, Listed listed) {
    if (listed.list().isEmpty()) {
      return Futures.then(
          refreshed(),
          owner,
          now ->
              now.list().isEmpty()
                  ? CompletableFuture.completedFuture(entries(call, 0))
                  : begin(call, now));
    }
    if (call.next() <= listed.list().trimmed() && listed.list().trimmed() > 0) {
      return first(listed)
          .exceptionally(_ -> listed.list().trimmed() + 1)
          .thenApply(first -> new LedgerResult.Trimmed(new Position(first)));
    }
    return segment(call, listed, listed.list().indexOf(call.next()));
  }

  private CompletableFuture<LedgerResult> segment(Call call, Listed listed, int index) {
    Segment segment = listed.list().segments().get(index);
    boolean isTail = index == listed.list().segments().size() - 1;
    SegmentReader reader = reader(segment.ledger());
    return Futures.handle(
        Futures.then(reader.open(!isTail), owner, _ -> reader.find(call.next())),
        owner,
        (entry, failure) ->
            entry != null
                ? entries(call, listed, index, entry)
                : gone(call, listed, failure == null ? new IllegalStateException() : failure));
  }

  /** A segment cannot be opened: perhaps it was trimmed since the list was read. */
  private CompletableFuture<LedgerResult> gone(Call call, Listed listed, Throwable failure) {
    if (!Bookies.isAbsent(failure)) {
      return CompletableFuture.failedFuture(failure);
    }
    return Futures.then(
        refreshed(),
        owner,
        now ->
            now.version() == listed.version()
                ? CompletableFuture.failedFuture(failure)
                : begin(call, now));
  }

  private CompletableFuture<LedgerResult> entries(Call call, Listed listed, int index, long from) {
    SegmentReader reader = reader(listed.list().segments().get(index).ledger());
    return Futures.then(
        reader.open(false),
        owner,
        _ -> {
          long limit = reader.limit();
          if (from > limit) {
            return beyond(call, listed, index);
          }
          return Futures.handle(
              reader.read(from, limit, call.bytesMax - call.bytes),
              owner,
              (some, failure) ->
                  some == null
                      ? gone(call, listed, failure == null ? new IllegalStateException() : failure)
                      : take(call, listed, index, from, some));
        });
  }

  private CompletableFuture<LedgerResult> take(
      Call call, Listed listed, int index, long from, List<LedgerEntry> some) {
    if (!calls.contains(call)) {
      // It was answered: nobody waits for more.
      return CompletableFuture.completedFuture(entries(call, 0));
    }
    long next = from;
    for (LedgerEntry entry : some) {
      if (call.isFull()) {
        break;
      }
      if (!entry.records().isEmpty() && entry.last().value() >= call.next()) {
        call.add(entry);
      }
      next++;
    }
    SegmentReader reader = reader(listed.list().segments().get(index).ledger());
    reader.found(call.next(), next);
    return call.isFull()
        ? CompletableFuture.completedFuture(entries(call, 0))
        : entries(call, listed, index, next);
  }

  /** What was read, and how far the ledger is known to be durable. */
  private LedgerResult entries(Call call, long known) {
    end = Math.max(end, known);
    if (!call.entries.isEmpty()) {
      end = Math.max(end, call.entries.getLast().last().value());
    }
    return new LedgerResult.Entries(List.copyOf(call.entries), new Position(end));
  }

  /** A segment has no more entries, as far as is known. */
  private CompletableFuture<LedgerResult> beyond(Call call, Listed listed, int index) {
    if (index < listed.list().segments().size() - 1) {
      return segment(call, listed, index + 1);
    }
    if (!call.entries.isEmpty()) {
      return CompletableFuture.completedFuture(entries(call, 0));
    }
    Segment tail = listed.list().last();
    SegmentReader reader = reader(tail.ledger());
    long limit = reader.limit();
    CompletableFuture<SegmentReader.Look> look =
        reader.isClosed()
            ? CompletableFuture.completedFuture(SegmentReader.Look.NOTHING)
            : reader.look(settings.tailMillis());
    return Futures.then(
        look,
        owner,
        found ->
            Futures.then(
                refreshed(),
                owner,
                now -> {
                  if (found == SegmentReader.Look.MORE || now.version() != listed.version()) {
                    return begin(call, now);
                  }
                  return found == SegmentReader.Look.SOON
                      ? wait(call, now, reader, limit)
                      : end(call, now, reader, limit);
                }));
  }

  private CompletableFuture<LedgerResult> wait(
      Call call, Listed listed, SegmentReader reader, long limit) {
    if (System.nanoTime() - call.tailDeadlineNanos >= 0) {
      return end(call, listed, reader, limit);
    }
    call.looks++;
    boolean anew = call.looks % LOOKS == 0;
    return Futures.later(
        owner, LOOK_MILLIS, () -> Futures.then(reader.open(anew), owner, _ -> begin(call, listed)));
  }

  private CompletableFuture<LedgerResult> end(
      Call call, Listed listed, SegmentReader reader, long limit) {
    if (limit < 0) {
      return CompletableFuture.completedFuture(entries(call, listed.list().last().after()));
    }
    return reader.lastPosition(limit).thenApplyAsync(last -> entries(call, last), owner);
  }

  /**
   * The first position that is kept; one above the last if nothing is. Fails if its segment cannot
   * be read.
   */
  CompletableFuture<Long> first(Listed listed) {
    return first(listed, 0);
  }

  private CompletableFuture<Long> first(Listed listed, int index) {
    List<Segment> segments = listed.list().segments();
    if (index == segments.size()) {
      return CompletableFuture.completedFuture(
          segments.isEmpty() ? 1 : segments.getLast().after() + 1);
    }
    SegmentReader reader = reader(segments.get(index).ledger());
    return Futures.then(
        reader.open(index < segments.size() - 1),
        owner,
        _ -> reader.limit() < 0 ? first(listed, index + 1) : firstIn(listed, index, reader));
  }

  /** The first position in a segment, of which the first entry may be without records. */
  private CompletableFuture<Long> firstIn(Listed listed, int index, SegmentReader reader) {
    return Futures.then(
        reader.positions(0),
        owner,
        span ->
            span.last() >= span.first()
                ? CompletableFuture.completedFuture(span.first())
                : first(listed, index + 1));
  }
}
