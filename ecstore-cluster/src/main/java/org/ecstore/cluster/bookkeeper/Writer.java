package org.ecstore.cluster.bookkeeper;

import java.util.ArrayDeque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BiConsumer;
import org.apache.bookkeeper.client.api.WriteHandle;
import org.ecstore.check.Check;
import org.ecstore.cluster.bookkeeper.segment.Bookies;
import org.ecstore.cluster.bookkeeper.segment.EntryCodec;
import org.ecstore.cluster.bookkeeper.segment.Futures;
import org.ecstore.cluster.bookkeeper.segment.SegmentList;
import org.ecstore.cluster.bookkeeper.segment.SegmentList.Segment;
import org.ecstore.cluster.bookkeeper.segment.SegmentStore;
import org.ecstore.cluster.bookkeeper.segment.SegmentStore.Listed;
import org.ecstore.cluster.bookkeeper.segment.SegmentTimes;
import org.ecstore.core.port.Ledger.LedgerEntry;
import org.ecstore.core.port.LedgerResult;
import org.ecstore.id.Position;
import org.jspecify.annotations.Nullable;

/**
 * A node's time as the writer: from its fence until the next fence, by whichever node. Belongs to
 * the owner's thread.
 *
 * <p>Rolling (rule 6): no more entries are sent, those under way are awaited; the segment is
 * closed; a new one is created; the list is replaced against the version that was read before the
 * new one was created; only then are entries sent to it. If another process changed the list, the
 * new segment is thrown away. Is the own segment still the last, it was a trim, and all begins
 * again with the list as it is; else another writer has fenced.
 *
 * <p>Once an append has an unknown outcome, so has every one after it, and nothing is sent any
 * more.
 */
final class Writer {
  private static final long AGAIN_MILLIS = 100;

  private final Context context;
  private final BiConsumer<Long, LedgerResult> answers;
  private final ArrayDeque<Append> open = new ArrayDeque<>();
  private WriteHandle handle;
  private Listed listed;
  private long last;
  private long segmentBytes;
  private long segmentBeganNanos;
  private long openBytes;
  private int sent;
  private boolean rolling;

  /** The last entry of the segment that was acknowledged, and the last that was said to be. */
  private long acknowledged = -1;

  private long said = -1;
  private boolean waitsToSay;
  private long rolledNanos;

  /** The answer to what is appended from now on. */
  private @Nullable LedgerResult refusal;

  /** Whether nothing may be sent any more, not even what waits. */
  private boolean ended;

  /** It has ended by itself: an append hears of that, and others may ask. Any thread. */
  private volatile boolean isLost;

  private @Nullable Runnable whenSettled;

  /**
   * A writer of a segment that is last in the list.
   *
   * @param answers takes token and result of each append, in the order of the appends
   */
  Writer(
      Context context,
      WriteHandle handle,
      Listed listed,
      long last,
      BiConsumer<Long, LedgerResult> answers) {
    this.context = context;
    this.handle = handle;
    this.listed = listed;
    this.last = last;
    this.answers = answers;
    this.segmentBeganNanos = context.owner().nanos();
    this.rolledNanos = segmentBeganNanos;
  }

  private static final class Append {
    final long token;
    final LedgerEntry entry;
    final long bytes;
    boolean sent;
    boolean isSilent;
    @Nullable LedgerResult result;

    Append(long token, LedgerEntry entry, long bytes) {
      this.token = token;
      this.entry = entry;
      this.bytes = bytes;
    }
  }

  /** Sends an entry, now or after the segments were changed; or answers why not, in its turn. */
  void append(long token, LedgerEntry entry, long bytes) {
    Append append = new Append(token, entry, bytes);
    open.add(append);
    if (refusal == null && openBytes > 0 && openBytes + bytes > limit()) {
      refusal = new LedgerResult.Rejected(false, "too many appends at once");
    }
    openBytes += bytes;
    if (refusal != null) {
      append.result = refusal;
      answerSettled();
      return;
    }
    if (!rolling) {
      send(append);
    }
  }

  private long limit() {
    return context.settings().outstandingBytesMax();
  }

  private void send(Append append) {
    append.sent = true;
    sent++;
    segmentBytes += append.bytes;
    WriteHandle to = handle;
    said = acknowledged;
    Futures.last(
        to.appendAsync(EntryCodec.encode(append.entry, acknowledged)),
        context.owner(),
        (entry, failure) -> settled(append, to.getId(), entry, failure));
    if (segmentBytes >= context.settings().segmentBytes()) {
      roll();
    }
  }

  private void settled(
      Append append, long ledger, @Nullable Long entry, @Nullable Throwable failure) {
    sent--;
    if (entry != null && append.result == null) {
      acknowledged(append, ledger, entry);
    } else if (append.result == null) {
      end("not acknowledged: " + (failure == null ? "no reason" : Bookies.reason(failure)));
    }
    answerSettled();
    if (sent == 0 && rolling && !ended) {
      closeSegment();
    }
  }

  private void acknowledged(Append append, long ledger, long entry) {
    long position = append.entry.last().value();
    Check.that(position >= last, "appends complete in order", position, last);
    last = position;
    append.result = new LedgerResult.Appended(append.entry.last());
    context.reads().appended(ledger, entry, position);
    if (ledger == handle.getId()) {
      acknowledged = entry;
    }
    if (sent == 0 && !append.isSilent && !waitsToSay) {
      waitsToSay = true;
      context.owner().after(context.settings().confirmMillis(), this::sayConfirmed);
    }
  }

  /** Lets readers know that the last entry is durable, if no further entry has done so. */
  private void sayConfirmed() {
    waitsToSay = false;
    if (ended || rolling || refusal != null || said == acknowledged) {
      return;
    }
    if (sent > 0) {
      waitsToSay = true;
      context.owner().after(context.settings().confirmMillis(), this::sayConfirmed);
      return;
    }
    LedgerEntry nothing = new LedgerEntry(new Position(last + 1), List.of());
    Append append = new Append(0, nothing, EntryCodec.HEADER_BYTES);
    append.isSilent = true;
    open.add(append);
    openBytes += append.bytes;
    send(append);
  }

  private void answerSettled() {
    while (!open.isEmpty()) {
      LedgerResult result = open.peek().result;
      if (result == null) {
        return;
      }
      Append append = open.remove();
      openBytes -= append.bytes;
      if (!append.isSilent) {
        answers.accept(append.token, result);
      }
    }
    Runnable settled = whenSettled;
    if (settled != null) {
      whenSettled = null;
      settled.run();
    }
  }

  /** Everything that has no result yet becomes unknown, and so does all that comes. */
  private void end(String why) {
    isLost = true;
    LedgerResult unknown = new LedgerResult.AppendUnknown(why);
    boolean isFirst = !ended;
    if (isFirst) {
      ended = true;
      rolling = false;
      refusal = unknown;
    }
    for (Append append : open) {
      if (append.result == null) {
        append.result = unknown;
      }
    }
    try {
      if (isFirst) {
        release(handle);
      }
    } finally {
      // Whatever the library does: who appended hears of it.
      answerSettled();
    }
  }

  /** Whether it takes nothing any more. */
  boolean isLost() {
    return isLost;
  }

  /** Ends BookKeeper's work for a segment. A writer that has fenced it closes it, or has. */
  private static void release(WriteHandle of) {
    Futures.forget(of.closeAsync());
  }

  /**
   * Takes no more appends, awaits those there are, then closes the segment, so that the next writer
   * has less to recover, and goes on.
   */
  void finish(LedgerResult late, Runnable then) {
    if (refusal == null) {
      refusal = late;
    }
    whenSettled =
        () -> {
          if (ended) {
            then.run();
            return;
          }
          ended = true;
          Futures.last(
              Futures.within(context.owner(), context.settings().addMillis(), handle.closeAsync()),
              context.owner(),
              (_, _) -> then.run());
        };
    answerSettled();
  }

  /** Ends it for a reason that has nothing to do with an append. */
  void fail(String why) {
    end(why);
  }

  /** Gives up at once, as if the process had ended: nothing is closed. */
  void abandon() {
    ended = true;
  }

  /** Looks whether it is time for a new segment. */
  void tick() {
    if (rolling || refusal != null) {
      return;
    }
    long now = context.owner().nanos();
    if (segmentBytes > 0 && now - segmentBeganNanos >= millis(context.settings().segmentMillis())) {
      roll();
    }
  }

  /** Takes a new segment if this one lacks bookies of its ensemble and there are enough. */
  void fill(List<String> there) {
    if (rolling
        || refusal != null
        || there.size() < context.settings().ensemble()
        || context.owner().nanos() - rolledNanos < millis(SegmentTimes.REFILL_MILLIS)) {
      return;
    }
    List<String> on =
        handle.getLedgerMetadata().getAllEnsembles().lastEntry().getValue().stream()
            .map(Object::toString)
            .toList();
    if (on.size() < context.settings().ensemble() || !there.containsAll(on)) {
      context
          .log()
          .info("ledger: a new segment, for this one lacks bookies: it is on %s".formatted(on));
      roll();
    }
  }

  private static long millis(long millis) {
    return TimeUnit.MILLISECONDS.toNanos(millis);
  }

  private void roll() {
    rolling = true;
    if (sent == 0) {
      closeSegment();
    }
  }

  private void closeSegment() {
    long deadline = context.owner().nanos() + millis(context.settings().fenceMillis());
    WriteHandle old = handle;
    CompletableFuture<Void> closed =
        Futures.within(context.owner(), context.settings().fenceMillis(), old.closeAsync());
    Futures.last(
        Futures.then(closed, context.owner(), _ -> next(old.getId(), deadline)),
        context.owner(),
        (next, failure) -> {
          if (next == null) {
            rollFailed(failure == null ? new TimeoutException("no segment") : failure);
          } else {
            rolled(next);
          }
        });
  }

  private record Next(WriteHandle handle, Listed listed) {}

  /** A new segment behind one that is closed and was the last when the list was read. */
  private CompletableFuture<Next> next(long closed, long deadline) {
    Listed before = listed;
    if (!before.list().endsWith(closed)) {
      return CompletableFuture.failedFuture(new Fenced());
    }
    return Futures.handle(
        context.bookies().create(last),
        context.owner(),
        (created, failure) -> {
          if (created == null) {
            return retry(closed, deadline, failure);
          }
          return replace(created, before, closed, deadline);
        });
  }

  private CompletableFuture<Next> retry(long closed, long deadline, @Nullable Throwable failure) {
    if (context.owner().nanos() - deadline >= 0) {
      return CompletableFuture.failedFuture(
          failure == null ? new TimeoutException("no new segment in time") : failure);
    }
    return Futures.later(
        context.owner(),
        AGAIN_MILLIS,
        () -> ended ? CompletableFuture.failedFuture(new Fenced()) : next(closed, deadline));
  }

  private CompletableFuture<Next> replace(
      WriteHandle created, Listed before, long closed, long deadline) {
    long id = created.getId();
    SegmentList with = before.list().with(new Segment(id, last));
    return Futures.then(
        context.store().replace(before, with, list -> list.contains(id), deadline),
        context.owner(),
        outcome ->
            switch (outcome) {
              case SegmentStore.Done done -> {
                context.collector().dropped(before.list().missingIn(with));
                yield CompletableFuture.completedFuture(new Next(created, done.now()));
              }
              case SegmentStore.Conflict conflict -> {
                release(created);
                context.collector().delete(id);
                listed = conflict.now();
                yield listed.list().endsWith(closed)
                    ? retry(closed, deadline, null)
                    : CompletableFuture.failedFuture(new Fenced());
              }
            });
  }

  private void rolled(Next next) {
    if (ended) {
      release(next.handle());
      return;
    }
    handle = next.handle();
    listed = next.listed();
    context.reads().listed(listed);
    acknowledged = -1;
    said = -1;
    segmentBytes = 0;
    segmentBeganNanos = context.owner().nanos();
    rolledNanos = segmentBeganNanos;
    rolling = false;
    for (Append append : open) {
      if (rolling) {
        break;
      }
      if (!append.sent && append.result == null) {
        send(append);
      }
    }
  }

  private void rollFailed(Throwable failure) {
    if (!(failure instanceof Fenced)) {
      context.log().warn("ledger: no new segment: " + Bookies.reason(failure));
    }
    end("no new segment: " + Bookies.reason(failure));
  }

  /** Another writer's segment is in the list. */
  private static final class Fenced extends Exception {
    private static final long serialVersionUID = 1L;

    Fenced() {
      super("fenced by another writer");
    }
  }
}
