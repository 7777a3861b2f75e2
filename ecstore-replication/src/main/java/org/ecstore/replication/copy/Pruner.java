package org.ecstore.replication.copy;

import java.util.Optional;
import org.ecstore.core.port.EngineResult;
import org.ecstore.core.runtime.NodeContext;
import org.ecstore.core.runtime.RuleSeam;
import org.ecstore.id.Position;
import org.ecstore.key.KeyRange;

/**
 * Deletes versions below the recorded floor, a bounded step at a time (rule 14). Bases are raised
 * first, so no reader reads where the engine forgets.
 *
 * <p>Steps that find much to delete take half of the time of the engine's writer, so that versions
 * go as fast as they come; steps that only look take a small part of it, and a pause is between
 * rounds over all copies. Where a round found nothing and nothing was written since, rounds are
 * left out, all but a few: what an earlier process wrote is not known here.
 */
public class Pruner {
  private static final long PAUSE_MIN_NANOS = 1_000_000;

  /** A step that deletes as many is worth its time. */
  private static final int MANY = 100;

  /** A step that does not is followed by a pause so many times as long as it was. */
  private static final int PATIENCE = 6;

  /** While nothing is written rounds are left out for so long, at most. */
  private static final long LEFT_OUT_NANOS = 60_000_000_000L;

  private final NodeContext context;
  private final CopyTable copies;
  private final CopyPersistence persistence;
  private final EngineWriter writer;
  private final long roundNanos;
  private Position floor = Position.ZERO;
  private Position pruned = Position.ZERO;
  private boolean running;

  /** What had been written when the last round began. */
  private long written = -1;

  /** Whether the last round found nothing, nor can the next one if nothing is written. */
  private boolean foundNothing;

  private int leftOut;

  /**
   * The pruner of a node.
   *
   * @param persistence makes bases durable before versions below them go
   * @param writer what is written goes through it
   * @param roundNanos between the end of a round and the next
   */
  public Pruner(
      NodeContext context,
      CopyTable copies,
      CopyPersistence persistence,
      EngineWriter writer,
      long roundNanos) {
    this.context = context;
    this.copies = copies;
    this.persistence = persistence;
    this.writer = writer;
    this.roundNanos = roundNanos;
  }

  /** A floor that is recorded in the ledger. */
  public void floor(Position recorded) {
    if (recorded.isAfter(floor)) {
      floor = recorded;
      copies.raiseBases(floor);
      if (!running) {
        running = true;
        context.after(PAUSE_MIN_NANOS, this::round);
      }
    }
  }

  /** The floor below which the old versions of all copies that were there are gone. */
  public Position pruned() {
    return pruned;
  }

  private void round() {
    Position target = floor;
    if (!target.isAfter(pruned)) {
      running = false;
      return;
    }
    if (foundNothing && written == writer.written() && leftOut * roundNanos < LEFT_OUT_NANOS) {
      leftOut++;
      context.after(roundNanos, this::round);
      return;
    }
    written = writer.written();
    foundNothing =
        writer.newest().isAtOrBelow(target)
            && writer.waitingWrites() == 0
            && copies.all().stream().anyMatch(Copy::live);
    leftOut = 0;
    copies.raiseBases(target);
    // The raised bases must be durable before anything below them goes: a restart would otherwise
    // answer where versions are missing.
    persistence.persistBases(() -> next(target, 0));
  }

  private void next(Position target, int index) {
    if (index >= copies.all().size()) {
      pruned = target;
      context.after(roundNanos, this::round);
      return;
    }
    Copy copy = copies.all().get(index);
    if (copy.live()) {
      step(target, index, copy, copy.keys());
    } else {
      next(target, index + 1);
    }
  }

  /** Rule 14: nothing goes above the floor, nor above a base that a crash could take back. */
  @RuleSeam(14)
  protected Position below(Position target, Copy copy) {
    return Position.min(target, copy.durableBase());
  }

  private void step(Position target, int index, Copy copy, KeyRange rest) {
    Position below = below(target, copy);
    Position tombstones = Position.min(below, copies.closed(copy));
    long begin = context.nanos();
    context.engine(
        token -> context.ports().engine().prune(token, rest, below, tombstones),
        result -> {
          int deleted = result instanceof EngineResult.Pruned pruned ? pruned.versions() : 0;
          foundNothing &= result instanceof EngineResult.Pruned && deleted == 0;
          Optional<KeyRange> more =
              result instanceof EngineResult.Pruned pruned ? pruned.rest() : Optional.empty();
          long took = context.nanos() - begin;
          long pause = Math.max(PAUSE_MIN_NANOS, deleted >= MANY ? took : took * PATIENCE);
          if (more.isPresent() && copies.isCurrent(copy)) {
            context.after(pause, () -> step(target, index, copy, more.get()));
          } else {
            context.after(pause, () -> next(target, index + 1));
          }
        });
  }
}
