package org.ecstore.replication.copy;

import java.util.Optional;
import org.ecstore.core.lane.Lane;
import org.ecstore.core.port.EngineResult;
import org.ecstore.id.Position;
import org.ecstore.key.KeyRange;

/**
 * Deletes versions below the recorded floor, a bounded step at a time (rule 14). Bases are raised
 * first, so nobody reads where the engine forgets.
 */
public class Pruner {
  private final Lane lane;
  private final CopyTable copies;
  private final long pauseNanos;
  private Position floor = Position.ZERO;
  private Position pruned = Position.ZERO;
  private boolean running;

  public Pruner(Lane lane, CopyTable copies, long pauseNanos) {
    this.lane = lane;
    this.copies = copies;
    this.pauseNanos = pauseNanos;
  }

  /** A floor that is recorded in the ledger. */
  public void floor(Position recorded) {
    if (recorded.isAfter(floor)) {
      floor = recorded;
      copies.raiseBases(floor);
      if (!running) {
        running = true;
        lane.after(pauseNanos, this::round);
      }
    }
  }

  private void round() {
    Position target = floor;
    if (!target.isAfter(pruned)) {
      running = false;
      return;
    }
    copies.raiseBases(target);
    // The raised bases must be durable before anything below them goes: a restart would otherwise
    // answer where versions are missing.
    copies.persistBases(() -> next(target, 0));
  }

  private void next(Position target, int index) {
    if (index >= copies.all().size()) {
      pruned = target;
      lane.after(pauseNanos, this::round);
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
  protected Position below(Position target, Copy copy) {
    return Position.min(target, copy.durableBase());
  }

  private void step(Position target, int index, Copy copy, KeyRange rest) {
    Position below = below(target, copy);
    Position tombstones = Position.min(below, copies.closed(copy));
    lane.engine(
        token -> lane.ports().engine().prune(token, rest, below, tombstones),
        result -> {
          Optional<KeyRange> more =
              result instanceof EngineResult.Pruned pruned ? pruned.rest() : Optional.empty();
          if (more.isPresent() && copies.isCurrent(copy)) {
            lane.after(pauseNanos, () -> step(target, index, copy, more.get()));
          } else {
            lane.after(pauseNanos, () -> next(target, index + 1));
          }
        });
  }
}
