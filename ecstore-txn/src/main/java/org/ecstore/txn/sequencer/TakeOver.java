package org.ecstore.txn.sequencer;

import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.ecstore.check.Check;
import org.ecstore.core.ledger.LedgerRecord;
import org.ecstore.core.port.CoordinationResult;
import org.ecstore.core.port.LedgerResult;
import org.ecstore.core.port.WrongPartsException;
import org.ecstore.core.runtime.NodeContext;
import org.ecstore.core.runtime.RateLimitedLog;
import org.ecstore.id.NodeId;
import org.ecstore.id.Position;
import org.ecstore.replication.copy.LedgerReplay;
import org.ecstore.txn.sequencer.Sequencer.State;

/**
 * How a node becomes sequencer: it shuts earlier writers out of the ledger and reads it to its end;
 * being elected is only the occasion. A standby has read most of it before, up to what it saw
 * confirmed (rule 6): the fence leaves nothing of that undone, so it goes on from there.
 */
final class TakeOver {
  /** What a node does once it has read all. */
  interface Then {
    /** The ledger is fenced: what an earlier term has left is void. */
    void fenced(Position first);

    /** The ledger is read to its end. */
    void complete(Position last);
  }

  /** What is known here of the others. */
  interface Others {
    /** Whether there are any. */
    boolean are();

    /** How far they are known to have written the ledger. */
    Position wrote();
  }

  private static final long RETRY_NANOS = 200_000_000L;

  /** So long a node that was shut out waits for coordination to say who leads. */
  private static final long LEADER_WAIT_NANOS = 2_000_000_000L;

  private final NodeContext context;
  private final RateLimitedLog log;
  private final SequencerState sequencer;
  private final SequencerRules rules;
  private final Then then;
  private final Others others;
  private final LedgerTrouble trouble = new LedgerTrouble();
  private final Succession succession = new Succession();

  /** Numbers the questions to coordination: an answer to an older one is void. */
  private long leaderAsked;

  /** The fence under way, to cancel it. */
  private long fenceCall;

  /** Of a standby, while it is one. */
  private Optional<LedgerReplay> tail = Optional.empty();

  /** The engine of this node has the ledger so far: it must be found to reach there. */
  private Position mustReach = Position.ZERO;

  TakeOver(
      NodeContext context,
      RateLimitedLog log,
      SequencerState sequencer,
      SequencerRules rules,
      Then then,
      Others others) {
    this.context = context;
    this.log = log;
    this.sequencer = sequencer;
    this.rules = rules;
    this.then = then;
    this.others = others;
  }

  void mustReach(Position through) {
    mustReach = Position.max(mustReach, through);
  }

  /** Why a node ends that holds more than there is. */
  static WrongPartsException ledgerTooShort(NodeId node, Position held, Position last) {
    return new WrongPartsException(
        ("the ledger ends at position %s, but the engine of %s holds records up to %s: the"
                + " ledger is older, cut, or another cluster's. Nothing was appended by this node."
                + " Restore the ledger; or, if what it lacks may be lost, take the engines away"
                + " that hold more")
            .formatted(last.value(), node, held.value()));
  }

  /** Becomes a standby, which reads on in the ledger. */
  void standBy() {
    sequencer.enter(State.STANDBY);
    tailFrom(beginning());
  }

  /** Is no standby any more. */
  void standDown() {
    sequencer.enter(State.IDLE);
    endTail();
    sequencer.forget(new Position(1));
  }

  /**
   * A later checkpoint is known. A standby that lacks much of what is before it need not read that,
   * no more than one that begins now.
   *
   * @param lagMax positions that are read all the same
   */
  void checkpointKnown(long lagMax) {
    boolean lags = beginning().value() - sequencer.memory().through().value() > lagMax;
    if (sequencer.state() == State.STANDBY && lags) {
      endTail();
      tailFrom(beginning());
    }
  }

  private Position beginning() {
    return Position.max(sequencer.newestCheckpoint(), new Position(1));
  }

  /** Reads the ledger from a position on, for as long as this node is a standby. */
  private void tailFrom(Position first) {
    sequencer.forget(first);
    LedgerReplay started =
        rules.newReplay(
            first,
            LedgerReplay.ENDLESS,
            (records, through, more) -> {
              take(records);
              sequencer.memory().through(through);
              more.run();
            },
            end -> tailTrimmed());
    tail = Optional.of(started);
    started.read();
  }

  /** The ledger was trimmed past this standby: what is left begins with enough. */
  private void tailTrimmed() {
    tail.ifPresent(trimmed -> tailFrom(trimmed.firstKept()));
  }

  private void endTail() {
    tail.ifPresent(LedgerReplay::cancel);
    tail = Optional.empty();
  }

  private void take(List<LedgerReplay.Placed> records) {
    for (LedgerReplay.Placed placed : records) {
      if (placed.record() instanceof LedgerRecord.Checkpoint) {
        sequencer.checkpointAt(placed.first());
      }
      sequencer
          .memory()
          .take(
              placed.position(),
              placed.record(),
              commit -> rules.changedRange(commit.votes()).isEmpty());
    }
  }

  /** Another node leads: no try waits any more. */
  void follow() {
    succession.leaderKnown();
    sequencer.nextTerm();
    trouble.ends();
  }

  /** Another node leads: what was begun ends. */
  void stop(String detail) {
    follow();
    log.settled();
    if (sequencer.state() == State.FENCING) {
      context.ports().ledger().cancel(fenceCall);
    }
    sequencer.enter(State.IDLE);
    // What was appended and is not durable is part of it.
    sequencer.forget(new Position(1));
    sequencer.appender().end(detail);
  }

  /** This node is named: it shuts earlier writers out, then reads. */
  void fence() {
    succession.leaderKnown();
    fenceNow();
  }

  private void fenceUnasked() {
    succession.fencesUnasked();
    fenceNow();
  }

  private void fenceNow() {
    long mine = sequencer.nextTerm();
    endTail();
    sequencer.enter(State.FENCING);
    trouble.tries(context.nanos(), others.wrote());
    context.ledger(
        token -> {
          fenceCall = token;
          context.ports().ledger().fence(token);
        },
        result -> {
          if (mine != sequencer.term()) {
            return;
          }
          if (result instanceof LedgerResult.Fenced fenced && !isOvertaken(fenced)) {
            trouble.isWriter(context.nanos());
            succession.fenced(fenced.last());
            replay(mine, fenced);
          } else {
            log.warn("cannot take over the ledger yet: " + result);
            sequencer.enter(State.IDLE);
            retryLater(mine);
          }
        });
  }

  /**
   * Whether all that a fence has found is trimmed by now: a trim leaves the checkpoint that it
   * rests on, so another node has written since, and shut this one out: who leads is asked (rule
   * 6). A ledger in which the fence has found nothing begins at the first position, unless that is
   * so.
   */
  private static boolean isOvertaken(LedgerResult.Fenced fenced) {
    return fenced.first().isAfter(fenced.last()) && fenced.first().isAfter(new Position(1));
  }

  /** This node was shut out, or its ledger failed: another try, unless another node leads. */
  void failed() {
    trouble.tries(context.nanos(), others.wrote());
    if (sequencer.active()) {
      succession.writerEnded(sequencer.appender().durable(), sequencer.appender().next());
    }
    sequencer.enter(State.IDLE);
    sequencer.forget(new Position(1));
    retryLater(sequencer.nextTerm());
  }

  /** What it appended is durable. */
  void writes() {
    trouble.writes();
  }

  private void retryLater(long mine) {
    context.after(RETRY_NANOS, () -> retry(mine, context.nanos() + LEADER_WAIT_NANOS));
  }

  /**
   * Who was shut out has most likely been deposed, and the news of it are still on their way: one
   * that fences at once shuts out its successor, which then fences again. So coordination is asked
   * afresh. If it names another node this one goes on asking, until it is told to follow or is
   * named itself. If it does not answer the ledger is fenced all the same: who leads is a hint, and
   * a leader must not need coordination to go on after a failed append (rule 6). Unless another
   * node is known to have written since, as others say or as it found when it fenced unasked: that
   * one has led, and this one would take the ledger from it, again and again where it alone does
   * not reach coordination.
   *
   * <p>One that has tried in vain for long does not ask who leads: it has another lead, if there is
   * one (decision 0114).
   */
  private void retry(long mine, long untilNanos) {
    if (!waits(mine)) {
      return;
    }
    long tried = trouble.triedNanos(context.nanos());
    if (others.are() && rules.letsOthersTry(tried, trouble.patienceNanos())) {
      log.warn(
          ("sequencer: this node has tried to write the ledger for %d s: another is to lead. See"
                  + " whether this one reaches the bookies")
              .formatted(tried / 1_000_000_000));
      askWhoLeads(mine, untilNanos, this::standBack);
    } else {
      askWhoLeads(
          mine,
          untilNanos,
          then ->
              context.coordination(token -> context.ports().coordination().leader(token), then));
    }
  }

  /** The answer says who leads now, which is this node if no other is there after all. */
  private void standBack(Consumer<CoordinationResult> then) {
    context.coordination(
        token -> context.ports().coordination().standBack(token),
        result -> {
          if (result instanceof CoordinationResult.Leader) {
            trouble.stoodBack(context.nanos(), others.wrote());
          }
          then.accept(result);
        });
  }

  private void askWhoLeads(
      long mine, long untilNanos, Consumer<Consumer<CoordinationResult>> question) {
    long asked = ++leaderAsked;
    question.accept(
        result -> {
          if (waits(mine) && asked == leaderAsked) {
            if (!(result instanceof CoordinationResult.Leader(var leader))) {
              // Of this question and the one that its time ends with, one goes on.
              context.after(
                  RETRY_NANOS,
                  () -> {
                    if (asked == leaderAsked) {
                      retry(mine, untilNanos);
                    }
                  });
            } else if (leader.isEmpty() || leader.get().equals(context.self())) {
              fence();
            } else {
              context.ports().log().info("sequencer: " + leader.get() + " leads by now");
              leaderAsked++;
              retryLater(mine);
            }
          }
        });
    context.after(
        Math.max(1, untilNanos - context.nanos()),
        () -> {
          if (!waits(mine) || asked != leaderAsked) {
            return;
          }
          if (rules.mayFenceUnasked(succession.isSucceeded(others.wrote()))) {
            fenceUnasked();
          } else {
            retry(mine, context.nanos() + LEADER_WAIT_NANOS);
          }
        });
  }

  private boolean waits(long mine) {
    return mine == sequencer.term() && sequencer.state() == State.IDLE;
  }

  private void replay(long mine, LedgerResult.Fenced fenced) {
    sequencer.enter(State.REPLAYING);
    if (mustReach.isAfter(fenced.last())) {
      throw ledgerTooShort(context.self(), mustReach, fenced.last());
    }
    Position first = Position.max(fenced.first(), new Position(1));
    then.fenced(first);
    Check.that(
        sequencer.memory().through().isAtOrBelow(fenced.last()),
        "what was confirmed is there after a fence (rule 6)",
        sequencer.memory().through(),
        fenced);
    Position start = rules.startOfReplay(first, fenced.last());
    if (sequencer.memory().through().next().value() < start.value()) {
      sequencer.forget(start);
    }
    Position from = sequencer.memory().through().next();
    Position target = rules.replayTarget(fenced.last());
    log.info("sequencer: the ledger is fenced at " + fenced.last() + "; reads from " + from);
    LedgerReplay replay =
        rules.newReplay(
            from,
            target,
            (records, through, more) -> {
              if (mine == sequencer.term()) {
                take(records);
                sequencer.memory().through(through);
                more.run();
              }
            },
            end -> {
              if (mine == sequencer.term()) {
                replayEnded(fenced, end);
              }
            });
    Progress progress = new Progress(mine, replay);
    replay.onFailure(progress::look);
    replay.read();
  }

  /**
   * Whether a replay comes on of which reads fail: a node may be able to fence the ledger and not
   * to read it. One that stood still itself has no reads that fail.
   */
  private final class Progress {
    private final long mine;
    private final LedgerReplay replay;
    private boolean looks;

    Progress(long mine, LedgerReplay replay) {
      this.mine = mine;
      this.replay = replay;
    }

    /** A read has failed: what is there now is looked at again after a while. */
    void look() {
      if (looks || !isReplaying(mine)) {
        return;
      }
      looks = true;
      Position through = sequencer.memory().through();
      long failures = replay.failures();
      long since = context.nanos();
      context.after(
          LedgerTrouble.UNREAD_NANOS,
          () -> {
            looks = false;
            if (isReplaying(mine)
                && sequencer.memory().through().equals(through)
                && rules.isUnreadable(context.nanos() - since, replay.failures() - failures)) {
              log.warn("the ledger is fenced, and cannot be read: " + replay.troubles());
              replay.cancel();
              failed();
            }
          });
    }
  }

  private boolean isReplaying(long mine) {
    return mine == sequencer.term() && sequencer.state() == State.REPLAYING;
  }

  private void replayEnded(LedgerResult.Fenced fenced, LedgerReplay.End end) {
    switch (end) {
      case REACHED -> {
        Check.that(
            sequencer.memory().known(),
            "a trimmed ledger begins with what a checkpoint needs",
            fenced,
            end);
        then.complete(fenced.last());
      }
      // A trim that the last sequencer had asked for came through only now: it is below a
      // checkpoint, so that what is left is enough.
      case TRIMMED -> fenceNow();
    }
  }
}
