package org.ecstore.client.retry;

import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import org.ecstore.client.error.CatalogChangedException;
import org.ecstore.client.error.EcStoreException;
import org.ecstore.client.error.SnapshotTooOldException;
import org.ecstore.client.error.UnavailableException;
import org.ecstore.id.Position;
import org.ecstore.id.ReadPoint;
import org.ecstore.id.TxnId;
import org.ecstore.model.AbortReason;
import org.ecstore.protocol.ClientReply;

/**
 * Drives one commit to an outcome that is known, if the deadline allows (rule 5).
 *
 * <p>A commit that was refused, or never left this process, did nothing: it is sent again under a
 * new id. So is one that was aborted because a node was away or a range changed hands, for nothing
 * is wrong with what it read: clients notice a pause there, not an error. A commit whose reply is
 * missing may have been done: nothing may be sent again until a node has been asked what became of
 * it, and the answer is one of committed, aborted (by a durable record, so it can not commit later)
 * or expired. Three ways it goes wrong without this:
 *
 * <ol>
 *   <li>the reply is lost after the record is durable, the commit is sent again: applied twice;
 *   <li>the commit is delayed in the network, taken for lost and sent again, then arrives: applied
 *       twice; the asker's abort record makes the late one void;
 *   <li>a timeout is reported as "failed": the application does it again.
 * </ol>
 *
 * <p>What is sent again reads at the same snapshot and is validated there anew, so that it commits
 * only if it would have committed the first time. It may meet intents of its own earlier tries,
 * whose release got lost: that is no conflict with another transaction.
 *
 * <p>One instance serves one commit. Not safe for use by several threads.
 */
public final class CommitRules {
  private final Backoff backoff;
  private final Deadline deadline;
  private final Set<TxnId> sent = new HashSet<>();
  private final Overloads overloads = new Overloads();
  private int refusals;
  private int asks;
  private String last = "nothing was sent";

  public CommitRules(Backoff backoff, Deadline deadline) {
    this.backoff = backoff;
    this.deadline = deadline;
  }

  /** What to do next. */
  public sealed interface Step {
    /** It is committed and durable. */
    record Committed(Position number, ReadPoint point) implements Step {}

    /** It did nothing and never will. The point is news for the session, if the node sent one. */
    record NotCommitted(EcStoreException cause, Optional<ReadPoint> point) implements Step {}

    /** It can not be found out in time. */
    record Unknown(String last) implements Step {}

    /** Wait, then send the commit under a new id. */
    record SendAgain(long delayNanos) implements Step {}

    /** Wait, then ask a node for the outcome of the id that was sent. */
    record Ask(long delayNanos) implements Step {}
  }

  /** The commit is about to be sent under an id. */
  public void sends(TxnId id) {
    sent.add(id);
    asks = 0;
  }

  /** What follows an answer to a commit. */
  public Step onCommit(Answer answer, long nowNanos, double random) {
    if (answer instanceof Answer.Replied replied) {
      return onCommitReply(replied.reply(), nowNanos, random);
    }
    if (answer instanceof Answer.NotSent notSent) {
      return sendAgain(notSent.detail(), Optional.empty(), nowNanos, random);
    }
    if (answer instanceof Answer.Ended ended) {
      return new Step.Unknown(ended.detail());
    }
    return ask(((Answer.NoReply) answer).detail(), nowNanos, random);
  }

  private Step onCommitReply(ClientReply reply, long nowNanos, double random) {
    if (reply instanceof ClientReply.Committed committed) {
      return new Step.Committed(committed.number(), committed.point());
    }
    if (reply instanceof ClientReply.Aborted aborted) {
      return aborted(aborted, nowNanos, random);
    }
    if (reply instanceof ClientReply.OutcomeUnknown unknown) {
      return ask(unknown.detail(), nowNanos, random);
    }
    if (reply instanceof ClientReply.OutcomeExpired expired) {
      return ask(tooOld(expired), nowNanos, random);
    }
    if (reply instanceof ClientReply.WrongRange) {
      return sendAgain("the range has moved", Optional.empty(), nowNanos, random);
    }
    if (reply instanceof ClientReply.Refused refused) {
      return switch (refused.code()) {
        case UNAVAILABLE -> sendAgain(refused.detail(), Optional.empty(), nowNanos, random);
        case OVERLOADED -> overloaded(refused, nowNanos, random);
        case SNAPSHOT_TOO_OLD, TOO_LARGE, OVER_QUOTA, BAD_REQUEST ->
            new Step.NotCommitted(Refusals.toException(refused), Optional.empty());
      };
    }
    // Any other reply contradicts the protocol; what the node did is unknown: ask.
    return ask("not a reply to a commit: " + reply.getClass().getSimpleName(), nowNanos, random);
  }

  /** What follows an answer to the question for the outcome. */
  public Step onOutcome(Answer answer, long nowNanos, double random) {
    if (answer instanceof Answer.Ended ended) {
      return new Step.Unknown(ended.detail());
    }
    if (answer instanceof Answer.NotSent notSent) {
      return ask(notSent.detail(), nowNanos, random);
    }
    if (answer instanceof Answer.NoReply noReply) {
      return ask(noReply.detail(), nowNanos, random);
    }
    ClientReply reply = ((Answer.Replied) answer).reply();
    if (reply instanceof ClientReply.Committed committed) {
      return new Step.Committed(committed.number(), committed.point());
    }
    if (reply instanceof ClientReply.Aborted aborted) {
      return aborted(aborted, nowNanos, random);
    }
    if (reply instanceof ClientReply.OutcomeExpired expired) {
      return new Step.Unknown(tooOld(expired));
    }
    if (reply instanceof ClientReply.OutcomeUnknown unknown) {
      return ask(unknown.detail(), nowNanos, random);
    }
    if (reply instanceof ClientReply.Refused refused) {
      return ask(refused.detail(), nowNanos, random);
    }
    return ask("not a reply to a question: " + reply.getClass().getSimpleName(), nowNanos, random);
  }

  private static String tooOld(ClientReply.OutcomeExpired expired) {
    return "outcomes below " + expired.floor() + " are no longer kept";
  }

  /**
   * An abort is final for the id: it was given up before anything was submitted, or a durable
   * record says so (rule 5).
   */
  private Step aborted(ClientReply.Aborted aborted, long nowNanos, double random) {
    AbortReason reason = aborted.reason();
    Optional<ReadPoint> point = Optional.of(aborted.point());
    if (reason instanceof AbortReason.Conflict conflict) {
      return conflict.other().filter(sent::contains).isPresent()
          ? sendAgain("marks of an earlier try are still there", point, nowNanos, random)
          : new Step.NotCommitted(Conflicts.exception(conflict), point);
    }
    if (reason instanceof AbortReason.TooOld tooOld) {
      return new Step.NotCommitted(
          new SnapshotTooOldException(
              "the snapshot is older than what can be validated", null, "base", tooOld.base()),
          point);
    }
    if (reason instanceof AbortReason.CatalogChanged changed) {
      return new Step.NotCommitted(new CatalogChangedException(changed.version()), point);
    }
    return sendAgain(passing(reason), point, nowNanos, random);
  }

  /** Why a commit was aborted that may well go through a little later. */
  private static String passing(AbortReason reason) {
    if (reason instanceof AbortReason.RangeChanged changed) {
      return "range " + changed.range() + " changed hands during the commit";
    }
    if (reason instanceof AbortReason.NotReachable notReachable) {
      return "a participant was not reachable: " + notReachable.detail();
    }
    if (reason instanceof AbortReason.NoRoom noRoom) {
      return "a participant has no memory for it: " + noRoom.detail();
    }
    if (reason instanceof AbortReason.SettledByAsker) {
      return "the commit got lost before it was decided";
    }
    throw new IllegalStateException("an abort of no known kind: " + reason);
  }

  private Step sendAgain(String detail, Optional<ReadPoint> point, long nowNanos, double random) {
    refusals++;
    overloads.tried();
    long delay = backoff.delayNanos(refusals, random);
    if (deadline.left(nowNanos) <= delay) {
      return new Step.NotCommitted(
          new UnavailableException(
              "the commit was not taken before the deadline",
              null,
              "last",
              detail,
              "tries",
              refusals),
          point);
    }
    return new Step.SendAgain(delay);
  }

  private Step overloaded(ClientReply.Refused refused, long nowNanos, double random) {
    overloads.heard(refused.detail(), refused.againMillis());
    overloads.tried();
    long delay = overloads.delayNanos(random);
    return overloads.isEnough() || deadline.left(nowNanos) <= delay
        ? new Step.NotCommitted(overloads.exception("the commit was not taken"), Optional.empty())
        : new Step.SendAgain(delay);
  }

  /** The first question goes out at once: most lost replies have been decided by then. */
  private Step ask(String detail, long nowNanos, double random) {
    last = detail;
    long delay = asks == 0 ? 0 : backoff.delayNanos(asks, random);
    asks++;
    if (deadline.left(nowNanos) <= delay) {
      return new Step.Unknown(last);
    }
    return new Step.Ask(delay);
  }
}
