package org.ecstore.cluster.bookkeeper.segment;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.ecstore.cluster.bookkeeper.segment.SegmentList.Segment;
import org.ecstore.cluster.bookkeeper.segment.SegmentStore.Listed;
import org.ecstore.core.port.Ledger.LedgerEntry;
import org.ecstore.core.port.LedgerResult;
import org.ecstore.id.Position;
import org.jspecify.annotations.Nullable;

/**
 * Reads of all nodes of the process. Belongs to the owner's thread.
 *
 * <p>No reader sees an entry that is not confirmed (rule 6: standbys tail to the last-confirmed
 * position only): by the end of a closed segment, or by what the writer says in a later entry
 * ({@link EntryCodec}). An idle writer says so in an entry without records a little later. So a
 * read that comes to the end looks whether any bookie has one more entry, and ZooKeeper one more
 * segment. If there is an entry, the read waits a moment for it to be confirmed; if bookies say
 * that it is and it does not come in time, the read looks again for as long as it may take. If
 * there is none, this is the end: an acknowledged entry is on so many bookies that one of those who
 * answer has it.
 *
 * <p>Positions are handed over densely (rule 6). A segment that is followed by another is closed,
 * and reaches to the position that the next one follows: the list says so. Where that is not seen,
 * the segment's metadata comes from a session that is behind: it is read again, behind a sync,
 * until it is, or the read fails. The next segment is never read instead.
 *
 * <p>A read that was as long as it may be is most likely followed by one of what comes next, as
 * that of a node that comes back: this is read while the first is taken in ({@link EntriesAhead}).
 */
public class SegmentReads {
  private static final int READERS_MAX = 64;
  private static final long LOOK_MILLIS = 3;

  /** What was read ahead is kept for so long, or twice that, after it was of use. */
  private static final long AGE_NANOS = 10_000_000_000L;

  /** Between two readings of metadata that must be older than what is known. */
  private static final long AGAIN_MILLIS = 10;

  /** After so many looks it is worth to see whether the segment was closed. */
  private static final int LOOKS = 8;

  /** What is read ahead may be longer or shorter by this part. */
  static final int SLACK = 4;

  private final Owner owner;
  private final Bookies bookies;
  private final SegmentStore store;
  private final BookKeeperSettings settings;
  private final Map<Long, SegmentReader> readers = new LinkedHashMap<>(16, 0.75f, true);
  private final Set<Call> calls = new LinkedHashSet<>();
  private final EntriesAhead ahead = new EntriesAhead();
  private @Nullable Listed latest;
  private long agedNanos;
  private boolean closed;

  public SegmentReads(
      Owner owner, Bookies bookies, SegmentStore store, BookKeeperSettings settings) {
    this.owner = owner;
    this.bookies = bookies;
    this.store = store;
    this.settings = settings;
    this.agedNanos = owner.nanos();
  }

  /** A read under way. */
  private static final class Call {
    final long from;
    final int bytesMax;

    /** About how much it looks for: more than is asked for at a time, of what is read ahead. */
    final long goal;

    final long tailDeadlineNanos;
    long deadlineNanos;
    final List<Consumer<LedgerResult>> answers;

    /** Of reads that ask the same and came when this one had begun to look. */
    final List<Consumer<LedgerResult>> joined = new ArrayList<>();

    final List<LedgerEntry> entries = new ArrayList<>();
    long bytes;
    int looks;

    Call(
        long from,
        int bytesMax,
        long now,
        BookKeeperSettings settings,
        List<Consumer<LedgerResult>> answers) {
      this.from = from;
      this.bytesMax = bytesMax;
      this.goal = answers.isEmpty() ? EntriesAhead.goal(bytesMax) : bytesMax;
      this.answers = List.copyOf(answers);
      this.deadlineNanos = deadline(now, settings);
      this.tailDeadlineNanos = now + TimeUnit.MILLISECONDS.toNanos(settings.tailMillis());
    }

    private static long deadline(long now, BookKeeperSettings settings) {
      return now + TimeUnit.MILLISECONDS.toNanos(settings.readMillis());
    }

    /**
     * A read asks the same. It has the time that a read may take, however long before it a look
     * ahead began.
     */
    void join(Consumer<LedgerResult> answer, long now, BookKeeperSettings settings) {
      if (!isAwaited()) {
        deadlineNanos = deadline(now, settings);
      }
      joined.add(answer);
    }

    /** Whether it was begun for a read that may come, and not for one that is there. */
    boolean isAhead() {
      return answers.isEmpty();
    }

    /** Whether a read waits for it. */
    boolean isAwaited() {
      return !isAhead() || !joined.isEmpty();
    }

    /** Ahead of a read the last part is left out: it would take as many rounds as all before it. */
    boolean isFull() {
      return !entries.isEmpty() && bytes >= (isAhead() ? goal - goal / SLACK : goal);
    }

    /** Whether entries that were read with those before are left for the next read. */
    boolean isEnough() {
      return !entries.isEmpty() && bytes >= goal;
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
  public void listed(Listed now) {
    Listed before = latest;
    if (before == null || now.version() - before.version() > 0) {
      latest = now;
    }
  }

  /** This process appended an entry to a segment. */
  public void appended(long ledger, long entry, long position) {
    reader(ledger).acknowledged(entry, position);
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
   * is for all that ask for it meanwhile. Entries are an answer to each of them, for they are
   * durable whenever it asks. That there are none is an answer only to reads which were there when
   * the look began: what was appended since is looked for again, for all the others at once.
   */
  public void read(long position, int bytesMax, Consumer<LedgerResult> answer) {
    long from = Math.max(1, position);
    if (closed) {
      answer.accept(new LedgerResult.Failed("the ledger is closed"));
      return;
    }
    List<LedgerEntry> held = held(from, bytesMax);
    if (!held.isEmpty()) {
      answer.accept(entries(held));
      return;
    }
    for (Call same : calls) {
      if (same.from == from && same.bytesMax == bytesMax) {
        same.join(answer, owner.nanos(), settings);
        return;
      }
    }
    if (calls.stream().filter(Call::isAwaited).count() >= settings.readsOutstandingMax()) {
      answer.accept(new LedgerResult.Failed("too many reads at once"));
      return;
    }
    begin(new Call(from, bytesMax, owner.nanos(), settings, List.of(answer)));
  }

  /** What was read ahead from a position on; what comes next is read now, if that is not much. */
  private List<LedgerEntry> held(long from, int bytesMax) {
    Listed known = latest;
    if (known != null && from <= known.list().trimmed()) {
      return List.of();
    }
    List<LedgerEntry> held = ahead.from(from, bytesMax, this::follows);
    if (!held.isEmpty()) {
      long enough = EntriesAhead.goal(bytesMax) / 2;
      List<LedgerEntry> rest = ahead.from(after(held), enough, this::follows);
      if (EntriesAhead.bytes(rest) < enough) {
        readAhead(after(rest.isEmpty() ? held : rest), bytesMax);
      }
    }
    return held;
  }

  /**
   * Reads what a reader most likely asks for next. What is on its way is bounded as what is held.
   */
  private void readAhead(long from, int bytesMax) {
    boolean isUnderWay = calls.stream().anyMatch(call -> call.from == from);
    long goal = EntriesAhead.goal(bytesMax);
    long onTheirWay = calls.stream().filter(Call::isAhead).mapToLong(call -> call.goal).sum();
    boolean isRoom = onTheirWay + goal <= EntriesAhead.BYTES_MAX;
    if (!isUnderWay && !closed && isRoom && bytesMax <= goal) {
      begin(new Call(from, bytesMax, owner.nanos(), settings, List.of()));
    }
  }

  private static long after(List<LedgerEntry> entries) {
    return entries.getLast().last().value() + 1;
  }

  private void begin(Call call) {
    calls.add(call);
    Futures.last(
        Futures.then(current(), owner, listed -> begin(call, listed)),
        owner,
        (result, failure) -> done(call, result, failure));
  }

  private void answer(Call call, LedgerResult result) {
    if (call.isAhead()) {
      arrivedAhead(call, result);
      return;
    }
    if (call.isFull()) {
      readAhead(call.next(), call.bytesMax);
    }
    call.answers.forEach(answer -> answer.accept(result));
    boolean nothing = result instanceof LedgerResult.Entries read && read.entries().isEmpty();
    if (!nothing || isForAll()) {
      call.joined.forEach(answer -> answer.accept(result));
    } else if (!call.joined.isEmpty()) {
      begin(new Call(call.from, call.bytesMax, owner.nanos(), settings, call.joined));
    }
  }

  /**
   * What was read ahead is held, also of a look that failed behind it; a read that came meanwhile
   * has its part of it, or begins.
   */
  private void arrivedAhead(Call call, LedgerResult result) {
    call.entries.forEach(ahead::hold);
    if (call.joined.isEmpty()) {
      return;
    }
    List<LedgerEntry> held = held(call.from, call.bytesMax);
    if (!held.isEmpty()) {
      call.joined.forEach(answer -> answer.accept(entries(held)));
    } else if (result instanceof LedgerResult.Failed) {
      call.joined.forEach(answer -> answer.accept(result));
    } else {
      begin(new Call(call.from, call.bytesMax, owner.nanos(), settings, call.joined));
    }
  }

  private LedgerResult entries(List<LedgerEntry> held) {
    return new LedgerResult.Entries(held, new Position(said(held.getLast().last().value())));
  }

  /** Whether an entry that is held goes on where what comes next is a position (rule 6). */
  public boolean follows(LedgerEntry entry, long next) {
    return entry.after().value() < next;
  }

  /** Whether that a read found nothing is an answer to who came after it had begun to look. */
  public boolean isForAll() {
    return false;
  }

  private void done(Call call, @Nullable LedgerResult result, @Nullable Throwable failure) {
    if (!calls.remove(call)) {
      return;
    }
    if (result != null) {
      answer(call, result);
    } else {
      String reason = failure == null ? "no result" : Bookies.reason(failure);
      answer(call, new LedgerResult.Failed("cannot read the ledger: " + reason));
    }
  }

  /**
   * Ends what takes too long with what it has read so far, so that a reader of a ledger that is
   * slow gets on all the same; fails it if that is nothing.
   */
  public void tick() {
    long now = owner.nanos();
    if (now - agedNanos >= AGE_NANOS) {
      agedNanos = now;
      ahead.age();
    }
    List<Call> late = calls.stream().filter(call -> now - call.deadlineNanos >= 0).toList();
    for (Call call : late) {
      calls.remove(call);
      answer(
          call,
          call.entries.isEmpty()
              ? new LedgerResult.Failed("cannot read the ledger: no answer in time")
              : entries(call, 0));
    }
  }

  /** Answers what was begun and takes no more. */
  public void close() {
    closed = true;
    for (Call call : List.copyOf(calls)) {
      calls.remove(call);
      answer(call, new LedgerResult.Failed("the ledger is closed"));
    }
    ahead.age();
    ahead.age();
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
              reader.read(from, limit, call.goal - call.bytes),
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
      // The call was answered already.
      return CompletableFuture.completedFuture(entries(call, 0));
    }
    long next = from;
    for (LedgerEntry entry : some) {
      if (call.isEnough()) {
        break;
      }
      if (!entry.records().isEmpty() && entry.last().value() >= call.next()) {
        if (entry.after().value() >= call.next()) {
          return CompletableFuture.failedFuture(
              new IOException(
                  "position %s follows %s, of which none from %d on is there"
                      .formatted(entry.first(), entry.after(), call.next())));
        }
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

  /**
   * What was read.
   *
   * @param below the last position of the ledger, if nothing was read because it has no more
   */
  private LedgerResult entries(Call call, long below) {
    long end = call.entries.isEmpty() ? below : call.entries.getLast().last().value();
    return new LedgerResult.Entries(List.copyOf(call.entries), new Position(said(end)));
  }

  /** The end that an answer names: what the read has seen, whatever else is known. */
  public long said(long seen) {
    return seen;
  }

  /** A segment has no more entries, as far as is known. */
  private CompletableFuture<LedgerResult> beyond(Call call, Listed listed, int index) {
    if (index < listed.list().segments().size() - 1) {
      return isPast(call.next(), listed.list().segments().get(index + 1))
          ? segment(call, listed, index + 1)
          : lacks(call, listed, index);
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
        found -> {
          if (found == SegmentReader.Look.MORE) {
            return begin(call, listed);
          }
          if (found != SegmentReader.Look.NOTHING && !needsList(call)) {
            return again(call, listed, reader);
          }
          return Futures.then(
              refreshed(), owner, now -> looked(call, listed, now, reader, limit, found));
        });
  }

  /**
   * Whether a read that waits for what is on its way must know the list as it is: before it says
   * that this is the end, and at one look of {@code LOOKS}. What a segment says is confirmed is so
   * whatever the list says, and reading the list takes a round through ZooKeeper's servers.
   */
  private boolean needsList(Call call) {
    return (call.looks + 1) % LOOKS == 0 || owner.nanos() - call.tailDeadlineNanos >= 0;
  }

  private CompletableFuture<LedgerResult> looked(
      Call call,
      Listed listed,
      Listed now,
      SegmentReader reader,
      long limit,
      SegmentReader.Look found) {
    if (now.version() != listed.version()) {
      return begin(call, now);
    }
    return switch (found) {
      case MORE -> begin(call, now);
      case LATE -> again(call, now, reader);
      case SOON -> wait(call, now, reader, limit);
      case NOTHING -> end(call, now, reader, limit);
    };
  }

  /** Whether what comes next is not in the segments before one (rule 6). */
  public boolean isPast(long next, Segment following) {
    return next > following.after();
  }

  /** A segment ends, as it is seen, before positions that it has: it is read again. */
  private CompletableFuture<LedgerResult> lacks(Call call, Listed listed, int index) {
    SegmentReader reader = reader(listed.list().segments().get(index).ledger());
    if (!call.entries.isEmpty() || !calls.contains(call)) {
      return CompletableFuture.completedFuture(entries(call, 0));
    }
    if (reader.isClosed()) {
      return CompletableFuture.failedFuture(
          new IOException(
              "segment %d is closed without position %d, which it had"
                  .formatted(reader.ledger(), call.next())));
    }
    return Futures.later(
        owner,
        AGAIN_MILLIS,
        () -> Futures.then(reader.open(true), owner, _ -> segment(call, listed, index)));
  }

  private CompletableFuture<LedgerResult> wait(
      Call call, Listed listed, SegmentReader reader, long limit) {
    if (owner.nanos() - call.tailDeadlineNanos >= 0) {
      return end(call, listed, reader, limit);
    }
    return again(call, listed, reader);
  }

  /** Looks again a little later: this is not the end. */
  private CompletableFuture<LedgerResult> again(Call call, Listed listed, SegmentReader reader) {
    if (!calls.contains(call)) {
      // The call was answered already.
      return CompletableFuture.completedFuture(entries(call, 0));
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
    return reader.lastPosition(limit).thenApply(last -> entries(call, last));
  }

  /**
   * The first position that is kept; one above the last if nothing is. Fails if its segment cannot
   * be read.
   */
  public CompletableFuture<Long> first(Listed listed) {
    return first(listed, 0);
  }

  private CompletableFuture<Long> first(Listed listed, int index) {
    List<Segment> segments = listed.list().segments();
    if (segments.isEmpty()) {
      return CompletableFuture.completedFuture(1L);
    }
    Segment segment = segments.get(index);
    if (index == segments.size() - 1) {
      SegmentReader reader = reader(segment.ledger());
      return Futures.then(
          reader.open(false),
          owner,
          _ -> firstIn(reader, 0, CompletableFuture.completedFuture(segment.after() + 1)));
    }
    return segments.get(index + 1).after() == segment.after()
        ? first(listed, index + 1)
        : firstOfClosed(reader(segment.ledger()));
  }

  /** The first position of a segment that has some. It may have to be read again to be seen. */
  private CompletableFuture<Long> firstOfClosed(SegmentReader reader) {
    CompletableFuture<Long> none =
        CompletableFuture.failedFuture(
            new IOException("segment %d is not seen as it is".formatted(reader.ledger())));
    return Futures.then(
        reader.open(true),
        owner,
        _ ->
            reader.limit() >= 0
                ? firstIn(reader, 0, none)
                : Futures.then(reader.open(true), owner, _ -> firstIn(reader, 0, none)));
  }

  /** The first position from an entry on: entries may be without records. */
  private CompletableFuture<Long> firstIn(
      SegmentReader reader, long entry, CompletableFuture<Long> none) {
    if (entry > reader.limit()) {
      return none;
    }
    return Futures.then(
        reader.positions(entry),
        owner,
        span ->
            span.last() >= span.first()
                ? CompletableFuture.completedFuture(span.first())
                : firstIn(reader, entry + 1, none));
  }
}
