package org.ecstore.cluster.bookkeeper;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;
import org.apache.bookkeeper.client.api.BKException;
import org.apache.bookkeeper.client.api.LedgerMetadata;
import org.apache.bookkeeper.client.api.ReadHandle;
import org.apache.bookkeeper.client.api.WriteHandle;
import org.ecstore.cluster.bookkeeper.metadata.Metadata;
import org.ecstore.cluster.bookkeeper.segment.Bookies;
import org.ecstore.cluster.bookkeeper.segment.Futures;
import org.ecstore.cluster.bookkeeper.segment.SegmentCollector;
import org.ecstore.cluster.bookkeeper.segment.SegmentList;
import org.ecstore.cluster.bookkeeper.segment.SegmentList.Segment;
import org.ecstore.cluster.bookkeeper.segment.SegmentReader;
import org.ecstore.cluster.bookkeeper.segment.SegmentStore;
import org.ecstore.cluster.bookkeeper.segment.SegmentStore.Listed;
import org.jspecify.annotations.Nullable;

/**
 * One node's way to become the writer, in exactly the order of rule 6:
 *
 * <ol>
 *   <li>read the list of segments, and keep its version;
 *   <li>recovery-open the last two segments: that fences their writers, settles which entry is the
 *       last, and closes them;
 *   <li>create the new segment;
 *   <li>replace the list if it still has the version of step 1. If not, delete the new segment and
 *       begin again at step 1.
 * </ol>
 *
 * <p>The list is never read again between fencing and replacing. With a version read after fencing
 * this could happen: A fences segment 7; meanwhile the writer, deposed but unaware, closes 7, rolls
 * to 8 and has an entry acknowledged there; A reads the list with 8 in it and puts 9 behind 8,
 * which it never fenced: two writers.
 *
 * <p>Every segment that is ever put into the list is created after the version was read that it is
 * put in against. So who changes the list after seeing a segment that is not in it may delete that
 * segment ({@link SegmentCollector}). Belongs to the owner's thread.
 */
public final class Fencing {
  private static final long AGAIN_MILLIS = 50;
  private static final int TRIES = 5;

  private final Context context;
  private final BooleanSupplier isWanted;
  private final long deadlineNanos;
  private int tries;

  /**
   * One fence.
   *
   * @param isWanted whether a node still waits for it
   */
  Fencing(Context context, BooleanSupplier isWanted, long deadlineNanos) {
    this.context = context;
    this.isWanted = isWanted;
    this.deadlineNanos = deadlineNanos;
  }

  /** The end of a fence that succeeded. */
  record Won(WriteHandle handle, Listed listed, long last) {}

  /** No node waits for the fence any more. */
  static final class Unwanted extends Exception {
    private static final long serialVersionUID = 1L;
  }

  CompletableFuture<Won> begin() {
    return Futures.handle(
        Futures.then(context.store().read(), context.owner(), this::closeAndCreate),
        context.owner(),
        (won, failure) -> won != null ? CompletableFuture.completedFuture(won) : again(failure));
  }

  /**
   * Others that recover the same segment at the same time make one of them fail. A lost connection
   * to ZooKeeper is waited for (decision 0048): each try begins with reading the list, and finds
   * there what an earlier one has changed without hearing of it.
   */
  private CompletableFuture<Won> again(@Nullable Throwable failure) {
    Throwable reason = failure == null ? new IllegalStateException("no result") : failure;
    if (reason instanceof Superseded) {
      return isWanted.getAsBoolean() ? begin() : CompletableFuture.failedFuture(new Unwanted());
    }
    if (reason instanceof Metadata.Disconnected && isWanted.getAsBoolean() && isInTime()) {
      return Futures.later(context.owner(), AGAIN_MILLIS, this::begin);
    }
    tries++;
    if (reason instanceof Bookies.TooFewBookies few && few.isOver && isWanted.getAsBoolean()) {
      return Futures.later(context.owner(), AGAIN_MILLIS, this::begin);
    }
    if (!(reason instanceof BKException) || tries >= TRIES || !isWanted.getAsBoolean()) {
      return CompletableFuture.failedFuture(reason);
    }
    return Futures.later(context.owner(), AGAIN_MILLIS, this::begin);
  }

  private boolean isInTime() {
    return context.owner().nanos() - deadlineNanos < 0;
  }

  private CompletableFuture<Won> closeAndCreate(Listed listed) {
    if (!isWanted.getAsBoolean()) {
      return CompletableFuture.failedFuture(new Unwanted());
    }
    List<Segment> segments = listed.list().segments();
    List<Segment> lastTwo = segments.subList(Math.max(0, segments.size() - 2), segments.size());
    List<CompletableFuture<Long>> ends = new ArrayList<>();
    for (Segment segment : lastTwo) {
      ends.add(closeSegment(segment));
    }
    CompletableFuture<Void> all = CompletableFuture.allOf(ends.toArray(CompletableFuture[]::new));
    return Futures.then(
        all,
        context.owner(),
        _ -> {
          long last = 0;
          for (CompletableFuture<Long> end : ends) {
            last = Math.max(last, end.join());
          }
          return create(listed, last);
        });
  }

  /** Fences and closes a segment; the last position in it, or before it if it is empty. */
  private CompletableFuture<Long> closeSegment(Segment segment) {
    return Futures.then(
        context.bookies().recover(segment.ledger()),
        context.owner(),
        handle ->
            lastPosition(handle, segment)
                .whenComplete((_, _) -> Futures.forget(handle.closeAsync())));
  }

  private CompletableFuture<Long> lastPosition(ReadHandle handle, Segment segment) {
    // Not what the handle takes for confirmed: if the old writer was quicker to close the segment
    // than the recovery, that is too much.
    LedgerMetadata metadata = handle.getLedgerMetadata();
    if (!metadata.isClosed()) {
      return CompletableFuture.failedFuture(new Superseded());
    }
    long last = metadata.getLastEntryId();
    if (last < 0) {
      return CompletableFuture.completedFuture(segment.after());
    }
    return SegmentReader.positions(handle, last, context.owner())
        .thenApply(SegmentReader.Span::last);
  }

  private CompletableFuture<Won> create(Listed listed, long last) {
    if (!isWanted.getAsBoolean()) {
      return CompletableFuture.failedFuture(new Unwanted());
    }
    return Futures.then(
        context.bookies().create(last),
        context.owner(),
        created -> {
          if (isWanted.getAsBoolean()) {
            return replace(listed, created, last);
          }
          discard(created);
          return CompletableFuture.failedFuture(new Unwanted());
        });
  }

  private CompletableFuture<Won> replace(Listed listed, WriteHandle created, long last) {
    long id = created.getId();
    SegmentList with = listed.list().with(new Segment(id, last));
    return Futures.then(
        context.store().replace(listed, with, list -> list.contains(id), deadlineNanos),
        context.owner(),
        outcome ->
            switch (outcome) {
              case SegmentStore.Done done -> {
                context.collector().dropped(listed.list().missingIn(with));
                if (done.now().list().endsWith(id)) {
                  yield CompletableFuture.completedFuture(new Won(created, done.now(), last));
                }
                // Fenced already, before it knew that it was the writer.
                Futures.forget(created.closeAsync());
                yield CompletableFuture.failedFuture(new Superseded());
              }
              case SegmentStore.Conflict _ -> {
                discard(created);
                yield CompletableFuture.failedFuture(new Superseded());
              }
            });
  }

  /** Deletes a segment that is in no list and never will be. */
  private void discard(WriteHandle created) {
    Futures.last(
        created.closeAsync(),
        context.owner(),
        (_, _) -> context.collector().delete(created.getId()));
  }

  /** Another process changed the list first. */
  private static final class Superseded extends Exception {
    private static final long serialVersionUID = 1L;
  }
}
