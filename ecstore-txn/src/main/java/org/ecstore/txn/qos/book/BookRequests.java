package org.ecstore.txn.qos.book;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import org.ecstore.core.port.CoordinationResult;
import org.ecstore.core.runtime.NodeContext;
import org.ecstore.id.MapVersion;
import org.ecstore.txn.steward.decision.Decision.Cause;
import org.ecstore.txn.steward.decision.Decision.Outcome;
import org.ecstore.txn.steward.decision.Decisions;

/**
 * What operators want changed of a {@link KeptBook}, on the node that leads: kept in order until
 * the book is known, then done one after the other, or refused. What is not done within a minute is
 * put off, also if it was not known what to do for it; where the book cannot be read, all is
 * refused. Each request is a decision of the steward's, which says what became of it.
 *
 * @param <R> a request
 * @param <B> what is kept; immutable
 */
public final class BookRequests<R, B> {
  /** What is not done by then is put off: who asked may ask again. */
  private static final long WAIT_NANOS_MAX = 60_000_000_000L;

  /** Whose requests these are. */
  public interface Keeper<R, B> {
    /** A request waits for a book that may not have been read yet. */
    default void awaited() {}

    /**
     * Whether a request was done before, by this keeper, which did not hear of it, or another.
     *
     * @param id of the request, or 0
     */
    boolean isDone(B book, long id);

    /** What to do for a request whose turn it is. */
    BookStep<B> step(B book, R request, long id);

    /** Whether coordination has a change for certain. */
    boolean isTaken(CoordinationResult result);
  }

  /**
   * What is said where the book cannot be read.
   *
   * @param logged in the log, before the reason
   * @param answered to all who wait
   */
  public record Damage(String logged, String answered) {}

  private record Waiting<R>(R request, long id, long decision, long untilNanos) {}

  private final NodeContext context;
  private final Decisions decisions;
  private final int waitingMax;
  private final Damage damage;
  private final Keeper<R, B> keeper;
  private final KeptBook<B> kept;
  private final Deque<Waiting<R>> waiting = new ArrayDeque<>();
  private boolean unreadable;

  /**
   * No requests yet, of a book that is not known yet.
   *
   * @param key under which the book is kept
   * @param leads whether this node leads
   * @param decisions where it says what became of requests
   * @param waitingMax so many requests may wait
   * @param damage what is said where the book cannot be read
   */
  public BookRequests(
      NodeContext context,
      String key,
      KeptBook.Form<B> form,
      BooleanSupplier leads,
      long retryNanos,
      Decisions decisions,
      int waitingMax,
      Damage damage,
      Keeper<R, B> keeper) {
    this.context = context;
    this.decisions = decisions;
    this.waitingMax = waitingMax;
    this.damage = damage;
    this.keeper = keeper;
    this.kept = new KeptBook<>(context, key, form, leads, retryNanos, new Changes());
  }

  /** The book that is changed. */
  public KeptBook<B> book() {
    return kept;
  }

  /** This node has come to lead: what was asked of it before is over. */
  public void clear() {
    waiting.clear();
    unreadable = false;
  }

  /** Whether the book was found to be one that cannot be read here. */
  public boolean isUnreadable() {
    return unreadable;
  }

  /**
   * Takes a request.
   *
   * @param id of the request, or 0
   * @param words what is wanted
   * @param tooMuch why it is not kept until the book is known; absent if it may be
   * @return the number of the decision about it
   */
  public long add(R request, long id, String words, Optional<String> tooMuch) {
    long decision = decisions.open(context.nanos(), Cause.OPERATOR, List.of(), words, "", id);
    if (waiting.size() >= waitingMax) {
      end(decision, Outcome.REFUSED, waitingMax + " other requests wait");
    } else if (tooMuch.isPresent()) {
      end(decision, Outcome.REFUSED, tooMuch.get());
    } else {
      waiting.addLast(new Waiting<>(request, id, decision, context.nanos() + WAIT_NANOS_MAX));
      keeper.awaited();
      next();
    }
    return decision;
  }

  private void end(long decision, Outcome outcome, String detail) {
    decisions.end(decision, outcome, MapVersion.ZERO, detail);
  }

  /** What was put off meanwhile is over already. */
  private void over(Waiting<R> request, Outcome outcome, String detail) {
    if (waiting.remove(request)) {
      end(request.decision(), outcome, detail);
    }
  }

  /** Looks again for what was not known as it was looked for last; called at intervals. */
  public void lookAgain() {
    next();
  }

  /** Does what is asked for, in its order, as far as it can be done at once. */
  private void next() {
    while (kept.isReady() && !waiting.isEmpty()) {
      Waiting<R> first = waiting.getFirst();
      B book = kept.book().orElseThrow();
      if (keeper.isDone(book, first.id())) {
        over(first, Outcome.DONE, BookStep.TAKEN);
        continue;
      }
      switch (keeper.step(book, first.request(), first.id())) {
        case BookStep.Ended<B>(var outcome, var detail) -> over(first, outcome, detail);
        case BookStep.Changed<B>(var after, var taken, var outcome, var detail) ->
            kept.swap(
                after,
                () -> {
                  taken.run();
                  over(first, outcome, detail);
                });
        case BookStep.NotYet<B>(var why) -> {
          if (!isLate(first)) {
            decisions.note(first.decision(), why);
            return;
          }
          over(first, Outcome.PUT_OFF, why + ": try again");
        }
      }
    }
  }

  private boolean isLate(Waiting<R> request) {
    return request.untilNanos() - context.nanos() <= 0;
  }

  private void putOffLate() {
    while (!waiting.isEmpty() && isLate(waiting.getFirst())) {
      over(
          waiting.getFirst(),
          Outcome.PUT_OFF,
          "coordination does not take it: see whether ZooKeeper has a majority");
    }
  }

  private void refuseAll(String why) {
    unreadable = true;
    context.ports().log().warn(damage.logged() + ": " + why);
    while (!waiting.isEmpty()) {
      over(waiting.getFirst(), Outcome.REFUSED, damage.answered());
    }
  }

  private final class Changes implements KeptBook.Listener {
    @Override
    public void ready() {
      unreadable = false;
      next();
    }

    @Override
    public void waits() {
      putOffLate();
    }

    @Override
    public void unreadable(String why) {
      refuseAll(why);
    }

    @Override
    public boolean isTaken(CoordinationResult result) {
      return keeper.isTaken(result);
    }
  }
}
