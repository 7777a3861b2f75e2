package org.ecstore.replication.copy;

import java.util.List;
import java.util.Optional;
import org.ecstore.core.port.EngineResult;
import org.ecstore.core.runtime.NodeContext;
import org.ecstore.core.runtime.RuleSeam;
import org.ecstore.id.Position;

/**
 * Folds versions from the engine's window into its store, in rounds over all copies (rules 14, W1).
 * How far a restart answers nothing is made durable first; a copy that is not closed there waits
 * until it is.
 *
 * <p>A round goes through the recorded floor, below which nothing is read. No reader holds
 * durability (rule W8): where the floor stands still for long, or commits or bytes are many, a
 * round goes ahead of it, and what snapshots still read stays in the window. If that leaves too
 * little room, the oldest snapshots end at this node.
 *
 * <p>While copies read the ledger a round waits (decision 0093): it would take the processors and
 * the disk that the reading needs, for rows that the next round writes again. It waits no longer
 * than there is room for what is read, and than the ledger may be kept.
 */
public class Pruner {
  /**
   * When rounds begin.
   *
   * @param lookNanos how often it is thought of
   * @param roundNanos between the rounds through the floor
   * @param aheadNanos a position that is older is folded, wherever the floor is; a round that is
   *     due waits no longer for who reads the ledger
   * @param aheadPositions so many positions at most are not folded
   */
  public record Bounds(long lookNanos, long roundNanos, long aheadNanos, long aheadPositions) {}

  /** With the window so full, rounds go ahead of the floor. */
  private static final double AHEAD_FILL = 0.5;

  /** With the window so full, snapshots end. */
  private static final double SNAPSHOTS_FILL = 0.75;

  private final NodeContext context;
  private final CopyTable copies;
  private final CopyPersistence persistence;
  private final Bounds bounds;
  private Position floor = Position.ZERO;
  private Position pruned = Position.ZERO;
  private boolean begun;
  private long roundEnded;
  private boolean inRound;

  /** What has to be done once all is folded, where the node stops. */
  private Optional<Runnable> stopping = Optional.empty();

  private boolean lastRound;

  /** A position that all copies had reached at a moment. */
  private Position mark = Position.ZERO;

  private long markNanos;

  /** The last mark that is old enough to be folded. */
  private Position old = Position.ZERO;

  /** When a round came to be due, if one waits; the last look or the end of a round, if none. */
  private long dueSince;

  /** How many positions are not folded, as of the last look. */
  private long unfolded;

  /** Copies of this round whose folds are under way. */
  private int folding;

  /** Whether a copy was left out, or its fold has failed, in this round. */
  private boolean leftOut;

  /** Whether some fold of the last round has failed: it is done again with the next look. */
  private boolean failed;

  /**
   * The pruner of a node.
   *
   * @param persistence makes durable how far a restart answers nothing
   */
  public Pruner(NodeContext context, CopyTable copies, CopyPersistence persistence, Bounds bounds) {
    this.context = context;
    this.copies = copies;
    this.persistence = persistence;
    this.bounds = bounds;
  }

  /** A floor that is recorded in the ledger. */
  public void floor(Position recorded) {
    if (recorded.isAfter(floor)) {
      floor = recorded;
      copies.raiseBases(floor);
    }
    if (!begun) {
      begun = true;
      roundEnded = context.nanos() - bounds.roundNanos();
      markNanos = context.nanos();
      dueSince = context.nanos();
      look();
    }
  }

  /** The highest floor that this node was told is recorded: nothing below it is read. */
  public Position recordedFloor() {
    return floor;
  }

  /** The floor below which the versions of all copies that were there are folded. */
  public Position pruned() {
    return pruned;
  }

  /**
   * Folds all that the copies have, for a clean stop (W11), and then runs the action; no round
   * follows. What is folded ends the snapshots of this node.
   */
  public void stop(Runnable then) {
    stopping = Optional.of(then);
    if (!inRound) {
      stopRound();
    }
  }

  private void stopRound() {
    lastRound = true;
    round(new Position(Long.MAX_VALUE));
  }

  private void look() {
    if (stopping.isPresent()) {
      return;
    }
    Position ahead = ahead();
    boolean floorIsDue =
        floor.isAfter(pruned) && context.nanos() - roundEnded >= bounds.roundNanos();
    // A copy that is filled from far below the floor needs the room too (W9).
    boolean isDue =
        floorIsDue || failed || ((ahead.isAfter(floor) || isPressed()) && isBehind(ahead));
    if (!isDue) {
      dueSince = context.nanos();
    }
    boolean waits = isDue && copies.isAnyCatchingUp() && leavesRoom();
    if (isDue && !waits) {
      round(Position.max(floor, ahead));
    } else {
      // Who waits for room waits for folds, and these are not done.
      if (!waits) {
        copies.folds().ended();
      }
      context.after(bounds.lookNanos(), this::look);
    }
  }

  /**
   * W9: folds wait for who reads the ledger only as long as he does not come to wait for them, and
   * as the ledger and its outcomes may be kept.
   */
  @RuleSeam(decisions = 93)
  protected boolean leavesRoom() {
    return !isPressed() && !isLong() && context.nanos() - dueSince < bounds.aheadNanos();
  }

  private boolean isLong() {
    return unfolded > bounds.aheadPositions();
  }

  /** Whether some copy is not folded so far, or holds versions for which there is no room. */
  private boolean isBehind(Position target) {
    boolean isFull = isFull();
    return copies.all().stream()
        .filter(Copy::folds)
        .anyMatch(
            copy ->
                Position.min(target, copies.closed(copy))
                    .isAfter(isFull ? copy.base() : copy.folded()));
  }

  private boolean isFull() {
    return context.ports().engine().fill() > SNAPSHOTS_FILL;
  }

  /** How far a round goes in any case. */
  private Position ahead() {
    Position newest = Position.ZERO;
    Position least = new Position(Long.MAX_VALUE);
    for (Copy copy : copies.all()) {
      if (copy.folds()) {
        newest = Position.max(newest, copies.closed(copy));
        least = Position.min(least, copy.folded());
      }
    }
    if (context.nanos() - markNanos >= bounds.aheadNanos()) {
      old = mark;
      mark = newest;
      markNanos = context.nanos();
    }
    unfolded = newest.value() - least.value();
    return isLong() || isPressed() ? newest : old;
  }

  private boolean isPressed() {
    return context.ports().engine().fill() > AHEAD_FILL;
  }

  private void round(Position target) {
    leftOut = false;
    failed = false;
    inRound = true;
    persistence.folds();
    copies.raiseBases(floor);
    for (Copy copy : copies.all()) {
      if (copy.folds()) {
        copy.raiseRows(Position.min(target, copies.closed(copy)));
      }
    }
    Position through = floor;
    persist(() -> foldAll(through));
  }

  /** W1: rows are never as of a position below which a restart would answer. */
  @RuleSeam(14)
  protected void persist(Runnable then) {
    persistence.persistBases(then);
  }

  private void foldAll(Position through) {
    List<Copy> all = copies.all().stream().filter(Copy::folds).toList();
    folding = 1;
    for (Copy copy : all) {
      if (hasAll(copy, through(copy))) {
        fold(copy);
      } else {
        leftOut = true;
      }
    }
    folded(through);
  }

  /**
   * W1: a copy is folded through no position that it is not closed at. What comes of a merge, or
   * was restored, may have a base above that: what has to be folded is not all there.
   */
  @RuleSeam(7)
  protected boolean hasAll(Copy copy, Position through) {
    return through.isAtOrBelow(copies.closed(copy));
  }

  /** W1: nothing goes to the store above what a restart knows of. */
  @RuleSeam(14)
  protected Position through(Copy copy) {
    return copy.durableBase();
  }

  /** Rule 14: what is read above the recorded floor stays, as long as there is room. */
  @RuleSeam(14)
  protected Position readable(Copy copy) {
    return Position.min(floor, copy.base());
  }

  private void fold(Copy copy) {
    folding++;
    Position recorded = floor;
    Position through = through(copy);
    boolean isFull = isFull();
    if (isFull && through.isAfter(copy.base())) {
      endSnapshots(copy, through);
    }
    Position readable = isFull ? copy.base() : readable(copy);
    context.engine(
        token -> context.ports().engine().fold(token, copy.keys(), readable, through),
        result -> {
          if (result instanceof EngineResult.Folded) {
            copy.fold(through);
          } else {
            leftOut = true;
            failed = true;
          }
          leftOut |= recorded.isAfter(through);
          folded(recorded);
        });
  }

  private void endSnapshots(Copy copy, Position through) {
    context
        .ports()
        .log()
        .warn(
            "snapshots below %s end in range %s: the window of versions is full"
                .formatted(through, copy.id()));
    copies.endSnapshots(copy, through);
  }

  private void folded(Position through) {
    folding--;
    if (folding == 0) {
      pruned = leftOut ? pruned : Position.max(pruned, through);
      roundEnded = context.nanos();
      dueSince = roundEnded;
      inRound = false;
      persistence.folded(failed);
      if (!failed) {
        copies.folds().ended();
      }
      if (stopping.isEmpty()) {
        context.after(bounds.lookNanos(), this::look);
      } else if (lastRound) {
        stopping.get().run();
      } else {
        stopRound();
      }
    }
  }
}
