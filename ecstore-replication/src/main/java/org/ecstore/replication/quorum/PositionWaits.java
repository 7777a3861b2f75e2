package org.ecstore.replication.quorum;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;
import org.ecstore.core.runtime.ParkedCalls;
import org.ecstore.core.runtime.ParkedCalls.Parked;
import org.ecstore.id.Epoch;
import org.ecstore.id.Position;
import org.ecstore.id.RangeId;
import org.jspecify.annotations.Nullable;

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

  private record Waiting(Queue queue, Ticket ticket, BooleanSupplier over)
      implements Comparable<Waiting> {
    @Override
    public int compareTo(Waiting other) {
      int byQueue = queue.compareTo(other.queue);
      return byQueue != 0 ? byQueue : ticket.compareTo(other.ticket);
    }
  }

  private final ParkedCalls<Waiting> waiting;
  private final TreeMap<Queue, TreeMap<Ticket, Parked<Waiting>>> queues = new TreeMap<>();
  private long issued;

  /**
   * No queue yet.
   *
   * @param max how many may wait at once, in all queues together
   */
  PositionWaits(int max) {
    this.waiting = new ParkedCalls<>(max);
  }

  /** How many wait. */
  int size() {
    return waiting.size();
  }

  /**
   * Waits in a queue; not at all if too many do.
   *
   * @param over whether that is over; once it is, so it is for lower positions in the queue
   * @param then runs at the end of it, or of the time
   */
  void add(Queue queue, Position position, BooleanSupplier over, long untilNanos, Runnable then) {
    Waiting cause = new Waiting(queue, new Ticket(position, ++issued), over);
    waiting
        .park(cause, untilNanos, then, then)
        .ifPresent(
            one -> queues.computeIfAbsent(queue, _ -> new TreeMap<>()).put(cause.ticket(), one));
  }

  /** Ends it for those for whom it is over. */
  void wake() {
    List<Parked<Waiting>> ready = new ArrayList<>();
    for (Iterator<TreeMap<Ticket, Parked<Waiting>>> each = queues.values().iterator();
        each.hasNext(); ) {
      TreeMap<Ticket, Parked<Waiting>> queue = each.next();
      while (!queue.isEmpty() && queue.firstEntry().getValue().cause().over().getAsBoolean()) {
        ready.add(queue.pollFirstEntry().getValue());
      }
      if (queue.isEmpty()) {
        each.remove();
      }
    }
    ready.forEach(waiting::take);
    ready.forEach(Parked::resume);
  }

  /**
   * Ends it for those that have waited too long, queue by queue; looks at all, so it is for ticks
   * and not for each event.
   */
  void expire(long nowNanos) {
    List<Parked<Waiting>> ended =
        waiting.takeLate(nowNanos).stream().sorted(Comparator.comparing(Parked::cause)).toList();
    ended.forEach(one -> leave(one.cause()));
    ended.forEach(Parked::timeOut);
  }

  private void leave(Waiting one) {
    @Nullable TreeMap<Ticket, Parked<Waiting>> queue = queues.get(one.queue());
    if (queue != null) {
      queue.remove(one.ticket());
      if (queue.isEmpty()) {
        queues.remove(one.queue());
      }
    }
  }
}
