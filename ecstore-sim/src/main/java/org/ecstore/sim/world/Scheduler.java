package org.ecstore.sim.world;

import java.util.PriorityQueue;

/**
 * Virtual time: tasks run in order of their time and, at one time, in the order they were given.
 */
public final class Scheduler {
  private record Entry(long timeNanos, long sequence, Runnable task) implements Comparable<Entry> {
    @Override
    public int compareTo(Entry other) {
      int byTime = Long.compare(timeNanos, other.timeNanos);
      return byTime != 0 ? byTime : Long.compare(sequence, other.sequence);
    }
  }

  private final PriorityQueue<Entry> queue = new PriorityQueue<>();
  private long nowNanos;
  private long sequence;

  /** The present. */
  public long nowNanos() {
    return nowNanos;
  }

  /** Runs a task after a delay, at least zero. */
  public void after(long delayNanos, Runnable task) {
    at(nowNanos + Math.max(0, delayNanos), task);
  }

  /** Runs a task at a time, at the earliest now. */
  public void at(long timeNanos, Runnable task) {
    queue.add(new Entry(Math.max(nowNanos, timeNanos), sequence++, task));
  }

  /** Runs the next task if it is due by a time; else moves to that time and returns false. */
  public boolean step(long untilNanos) {
    Entry next = queue.peek();
    if (next == null || next.timeNanos > untilNanos) {
      nowNanos = Math.max(nowNanos, untilNanos);
      return false;
    }
    queue.remove();
    nowNanos = next.timeNanos;
    next.task.run();
    return true;
  }
}
