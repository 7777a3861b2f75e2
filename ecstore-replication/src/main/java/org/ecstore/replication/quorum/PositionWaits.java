package org.ecstore.replication.quorum;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;
import org.ecstore.id.Epoch;
import org.ecstore.id.Position;
import org.ecstore.id.RangeId;

/**
 * Who waits until copies have reached positions, in queues in order of positions: who waits in a
 * queue for a position does not get there before those who wait for lower ones. So a look at a
 * queue ends with the first who must wait on, however many do.
 */
final class PositionWaits {
  /** For the same copies of a range: the first who must wait on speaks for all behind. */
  record Queue(RangeId range, Epoch epoch, int copies) implements Comparable<Queue> {
    @Override
    public int compareTo(Queue other) {
      int byRange = range.compareTo(other.range);
      int byEpoch = byRange != 0 ? byRange : epoch.compareTo(other.epoch);
      return byEpoch != 0 ? byEpoch : Integer.compare(copies, other.copies);
    }
  }

  private record Ticket(Position position, long number) implements Comparable<Ticket> {
    @Override
    public int compareTo(Ticket other) {
      int byPosition = position.compareTo(other.position);
      return byPosition != 0 ? byPosition : Long.compare(number, other.number);
    }
  }

  private record Waiting(BooleanSupplier over, long untilNanos, Runnable then) {}

  private final TreeMap<Queue, TreeMap<Ticket, Waiting>> queues = new TreeMap<>();
  private int size;
  private long issued;

  /** How many wait. */
  int size() {
    return size;
  }

  /**
   * Waits in a queue.
   *
   * @param over whether that is over; once it is, so it is for lower positions in the queue
   */
  void add(Queue queue, Position position, BooleanSupplier over, long untilNanos, Runnable then) {
    queues
        .computeIfAbsent(queue, _ -> new TreeMap<>())
        .put(new Ticket(position, ++issued), new Waiting(over, untilNanos, then));
    size++;
  }

  /** Takes out those for whom it is over. */
  List<Runnable> over() {
    List<Runnable> ready = new ArrayList<>();
    for (Iterator<TreeMap<Ticket, Waiting>> each = queues.values().iterator(); each.hasNext(); ) {
      TreeMap<Ticket, Waiting> queue = each.next();
      while (!queue.isEmpty() && queue.firstEntry().getValue().over().getAsBoolean()) {
        ready.add(queue.pollFirstEntry().getValue().then());
      }
      if (queue.isEmpty()) {
        each.remove();
      }
    }
    size -= ready.size();
    return ready;
  }

  /**
   * Takes out those that have waited too long; looks at all, so it is for ticks and not for each
   * event.
   */
  List<Runnable> late(long nowNanos) {
    List<Runnable> ended = new ArrayList<>();
    for (Map<Ticket, Waiting> queue : queues.values()) {
      queue
          .values()
          .removeIf(
              one -> {
                boolean late = one.untilNanos() - nowNanos <= 0;
                if (late) {
                  ended.add(one.then());
                }
                return late;
              });
    }
    queues.values().removeIf(Map::isEmpty);
    size -= ended.size();
    return ended;
  }
}
