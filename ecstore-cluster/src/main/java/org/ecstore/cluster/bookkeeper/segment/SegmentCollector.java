package org.ecstore.cluster.bookkeeper.segment;

import java.io.IOException;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.ecstore.cluster.bookkeeper.segment.SegmentStore.Listed;
import org.ecstore.core.port.LedgerResult;
import org.ecstore.core.port.OperatorLog;
import org.ecstore.core.runtime.RateLimitedLog;
import org.ecstore.id.Position;
import org.jspecify.annotations.Nullable;

/**
 * Trims the list of segments (rule 7), and deletes what is in it no more after a grace, so that who
 * reads in the middle of it can go on. Belongs to the owner's thread.
 *
 * <p>A process may end before it has deleted. So BookKeeper's ledgers are looked through from time
 * to time for such as carry this cluster's id and are not in the list. One of them may be a segment
 * that a writer is just about to put into the list. Before anything is deleted, therefore, the list
 * is replaced by itself: a writer that created a segment that was seen here did so after reading an
 * older version ({@code Fencing}), and can no longer put it in.
 */
public final class SegmentCollector {
  private final Owner owner;
  private final Bookies bookies;
  private final SegmentStore store;
  private final SegmentReads reads;
  private final BookKeeperSettings settings;
  private final OperatorLog log;
  private final Set<Trim> trims = new LinkedHashSet<>();
  private final Map<Long, Long> orphanSinceNanos = new HashMap<>();
  private boolean looking;
  private boolean closed;

  public SegmentCollector(
      Owner owner,
      Bookies bookies,
      SegmentStore store,
      SegmentReads reads,
      BookKeeperSettings settings,
      OperatorLog log) {
    this.owner = owner;
    this.bookies = bookies;
    this.store = store;
    this.reads = reads;
    this.settings = settings;
    this.log = new RateLimitedLog(log, owner::nanos);
  }

  /** A trim under way. */
  private record Trim(long below, long deadlineNanos, Consumer<LedgerResult> answer) {}

  /** Trims; the answer comes on the owner's thread, within the time a read may take. */
  public void trim(long below, Consumer<LedgerResult> answer) {
    if (closed) {
      answer.accept(new LedgerResult.Failed("the ledger is closed"));
      return;
    }
    if (trims.size() >= settings.readsOutstandingMax()) {
      answer.accept(new LedgerResult.Failed("too many trims at once"));
      return;
    }
    long deadline = owner.nanos() + TimeUnit.MILLISECONDS.toNanos(settings.readMillis());
    Trim trim = new Trim(below, deadline, answer);
    trims.add(trim);
    CompletableFuture<Long> first =
        Futures.then(
            drop(trim),
            owner,
            listed -> reads.first(listed).exceptionally(_ -> listed.list().trimmed() + 1));
    Futures.last(first, owner, (kept, failure) -> done(trim, kept, failure));
  }

  private void done(Trim trim, @Nullable Long first, @Nullable Throwable failure) {
    if (!trims.remove(trim)) {
      return;
    }
    if (first != null) {
      trim.answer().accept(new LedgerResult.TrimDone(new Position(first)));
    } else {
      String reason = failure == null ? "no result" : Bookies.reason(failure);
      trim.answer().accept(new LedgerResult.Failed("cannot trim the ledger: " + reason));
    }
  }

  private CompletableFuture<Listed> drop(Trim trim) {
    return Futures.then(store.read(), owner, listed -> drop(trim, listed));
  }

  private CompletableFuture<Listed> drop(Trim trim, Listed listed) {
    SegmentList rest = listed.list().without(trim.below());
    List<Long> gone = listed.list().missingIn(rest);
    if (gone.isEmpty()) {
      reads.listed(listed);
      return CompletableFuture.completedFuture(listed);
    }
    return Futures.then(
        store.replace(
            listed, rest, now -> gone.stream().noneMatch(now::contains), trim.deadlineNanos()),
        owner,
        outcome ->
            switch (outcome) {
              case SegmentStore.Done done -> {
                dropped(gone);
                reads.listed(done.now());
                yield CompletableFuture.completedFuture(done.now());
              }
              case SegmentStore.Conflict conflict -> drop(trim, conflict.now());
            });
  }

  /** Segments were taken out of the list: deletes them after the grace. */
  public void dropped(List<Long> ledgers) {
    for (long ledger : ledgers) {
      owner.after(settings.graceMillis(), () -> delete(ledger));
    }
  }

  /** Deletes a segment that is in no list, and never will be again. */
  public void delete(long ledger) {
    if (closed) {
      return;
    }
    Futures.last(
        bookies.delete(ledger),
        owner,
        (_, failure) -> {
          if (failure != null && !closed) {
            log.warn(
                "ledger: segment %d is not deleted yet: %s"
                    .formatted(ledger, Bookies.reason(failure)));
          }
        });
  }

  /** Looks for segments that are not needed. */
  public void look() {
    if (looking || closed) {
      return;
    }
    looking = true;
    Futures.last(
        bookies.ledgers(),
        owner,
        (ids, failure) -> {
          if (ids == null) {
            notFound(failure == null ? new IOException("no result") : failure);
          } else {
            found(ids);
          }
        });
  }

  private void notFound(Throwable reason) {
    looking = false;
    if (!closed) {
      log.warn("ledger: no look for unused segments: " + Bookies.reason(reason));
    }
  }

  private void found(List<Long> ledgers) {
    CompletableFuture<List<Long>> unused =
        Futures.then(store.read(), owner, listed -> orphans(listed, ledgers));
    Futures.last(
        unused,
        owner,
        (orphans, failure) -> {
          if (orphans == null) {
            notFound(failure == null ? new IOException("no result") : failure);
          } else {
            looking = false;
            orphans.forEach(this::delete);
          }
        });
  }

  /** The segments to delete: not in the list for as long as the grace. */
  private CompletableFuture<List<Long>> orphans(Listed listed, List<Long> ledgers) {
    long now = owner.nanos();
    long grace = TimeUnit.MILLISECONDS.toNanos(settings.graceMillis());
    Set<Long> kept = listed.list().ledgers();
    List<Long> candidates = ledgers.stream().filter(id -> !kept.contains(id)).toList();
    orphanSinceNanos.keySet().retainAll(Set.copyOf(candidates));
    candidates.forEach(id -> orphanSinceNanos.putIfAbsent(id, now));
    List<Long> old =
        candidates.stream()
            .filter(id -> now - orphanSinceNanos.getOrDefault(id, now) >= grace)
            .toList();
    if (old.isEmpty()) {
      return CompletableFuture.completedFuture(old);
    }
    long deadline = now + TimeUnit.MILLISECONDS.toNanos(settings.readMillis());
    return Futures.then(
        store.replace(listed, listed.list(), _ -> false, deadline),
        owner,
        outcome ->
            switch (outcome) {
              // Another change does as well as this one, if it did not bring one of them in.
              case SegmentStore.Done done -> CompletableFuture.completedFuture(rest(old, done));
              case SegmentStore.Conflict conflict ->
                  CompletableFuture.completedFuture(rest(old, conflict));
            });
  }

  private static List<Long> rest(List<Long> old, SegmentStore.Outcome outcome) {
    Set<Long> kept = outcome.now().list().ledgers();
    return old.stream().filter(id -> !kept.contains(id)).toList();
  }

  /** Fails what takes too long. */
  public void tick() {
    long now = owner.nanos();
    List<Trim> late = trims.stream().filter(trim -> now - trim.deadlineNanos() >= 0).toList();
    for (Trim trim : late) {
      trims.remove(trim);
      trim.answer().accept(new LedgerResult.Failed("cannot trim the ledger: no answer in time"));
    }
  }

  /** Answers what was begun and takes no more. */
  public void close() {
    closed = true;
    for (Trim trim : List.copyOf(trims)) {
      trims.remove(trim);
      trim.answer().accept(new LedgerResult.Failed("the ledger is closed"));
    }
  }
}
