package org.ecstore.cluster.bookkeeper.segment;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeoutException;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.ecstore.cluster.bookkeeper.metadata.Metadata;
import org.jspecify.annotations.Nullable;

/**
 * The list of segments, changed by compare-and-set. A change whose answer was lost is never taken
 * for done or failed: the list is read back, and only what stands there decides.
 */
public final class SegmentStore {
  private static final long AGAIN_MILLIS = 20;

  private final Metadata metadata;
  private final Owner owner;
  private final int callMillis;

  public SegmentStore(Metadata metadata, Owner owner, int callMillis) {
    this.metadata = metadata;
    this.owner = owner;
    this.callMillis = callMillis;
  }

  /** The list and the version it had. */
  public record Listed(SegmentList list, int version) {}

  /** What became of a change. */
  public sealed interface Outcome {
    /** The list as it is now. */
    Listed now();
  }

  /** It is done. Others may have changed the list since. */
  public record Done(Listed now) implements Outcome {}

  /** Another change came first: this one is not done and never will be. */
  public record Conflict(Listed now) implements Outcome {}

  /**
   * Reads the list, as it was when the call began or later ({@link Metadata#readSegments}); ends on
   * any thread.
   */
  public CompletableFuture<Listed> read() {
    return Futures.within(owner, callMillis, metadata.readSegments())
        .thenCompose(
            stored -> {
              try {
                return CompletableFuture.completedFuture(
                    new Listed(SegmentList.decode(stored.data().array()), stored.version()));
              } catch (SegmentList.BadList e) {
                return CompletableFuture.failedFuture(e);
              }
            });
  }

  /**
   * Replaces the list if it still has the version that was read. Fails if it is not known, until
   * the deadline, whether it was replaced: it may be, even later.
   *
   * @param landed whether a list that was read back has the change in it
   */
  public CompletableFuture<Outcome> replace(
      Listed expected, SegmentList next, Predicate<SegmentList> landed, long deadlineNanos) {
    return Futures.handle(
        Futures.within(
            owner, callMillis, metadata.writeSegments(next.encode(), expected.version())),
        owner,
        (version, failure) ->
            version != null
                ? CompletableFuture.completedFuture(new Done(new Listed(next, version)))
                : readBack(expected, next, landed, deadlineNanos));
  }

  private CompletableFuture<Outcome> readBack(
      Listed expected, SegmentList next, Predicate<SegmentList> landed, long deadlineNanos) {
    return Futures.handle(
        read(),
        owner,
        (now, failure) -> {
          if (now == null) {
            return again(
                deadlineNanos, failure, () -> readBack(expected, next, landed, deadlineNanos));
          }
          int since = now.version() - expected.version();
          if (since < 0) {
            return again(
                deadlineNanos, failure, () -> readBack(expected, next, landed, deadlineNanos));
          }
          if (since == 0) {
            // Not there, but it may still be on its way. If it comes first, the next try finds it.
            return again(
                deadlineNanos, failure, () -> replace(expected, next, landed, deadlineNanos));
          }
          return CompletableFuture.completedFuture(
              landed.test(now.list()) ? new Done(now) : new Conflict(now));
        });
  }

  private <T> CompletableFuture<T> again(
      long deadlineNanos, @Nullable Throwable failure, Supplier<CompletableFuture<T>> call) {
    if (owner.nanos() - deadlineNanos >= 0) {
      return CompletableFuture.failedFuture(
          failure == null
              ? new TimeoutException("the list of segments is not changed in time")
              : failure);
    }
    return Futures.later(owner, AGAIN_MILLIS, call);
  }
}
