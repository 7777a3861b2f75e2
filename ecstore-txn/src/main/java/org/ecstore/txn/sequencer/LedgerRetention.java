package org.ecstore.txn.sequencer;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import org.ecstore.id.Position;

/**
 * What the ledger keeps for readers of changes though the store needs it no more (rule 29): what is
 * younger than a time, but no more records than a number. Only the trim waits for it; floors,
 * outcomes and checkpoints go on as if there were no readers.
 *
 * <p>How old a record is, a term knows of its own records only. What it has found there counts from
 * its beginning: so it is kept for longer rather than for less, and the number bounds that.
 */
public final class LedgerRetention {
  /**
   * How much is kept.
   *
   * @param nanos for how long; 0 for nothing at all
   * @param recordsMax how many records at most
   */
  public record Bounds(long nanos, long recordsMax) {
    /** Nothing is kept for readers. */
    public static final Bounds NONE = new Bounds(0, 0);
  }

  private static final int SAMPLES = 16;

  private record Sample(long nanos, Position durable) {}

  private final Bounds bounds;

  /** D at earlier moments, oldest first: one at least is as old as what is kept, if any was. */
  private final Deque<Sample> samples = new ArrayDeque<>();

  LedgerRetention(Bounds bounds) {
    this.bounds = bounds;
  }

  /** Another term begins. */
  void clear() {
    samples.clear();
  }

  /** D at a moment of a term. Called again and again. */
  void look(long nowNanos, Position durable) {
    Sample last = samples.peekLast();
    if (last == null || nowNanos - last.nanos() >= bounds.nanos() / SAMPLES) {
      samples.addLast(new Sample(nowNanos, durable));
    }
    Sample oldest = samples.removeFirst();
    while (!samples.isEmpty() && nowNanos - samples.getFirst().nanos() >= bounds.nanos()) {
      oldest = samples.removeFirst();
    }
    samples.addFirst(oldest);
  }

  /** Below which position nothing is kept for readers; absent if nothing is at all. */
  Optional<Position> keptFrom(long nowNanos, Position durable) {
    if (bounds.nanos() <= 0) {
      return Optional.empty();
    }
    Position most = new Position(Math.max(0, durable.value() - bounds.recordsMax()));
    Sample oldest = samples.peekFirst();
    boolean isOld = oldest != null && nowNanos - oldest.nanos() >= bounds.nanos();
    return Optional.of(isOld ? Position.max(most, oldest.durable()) : most);
  }
}
