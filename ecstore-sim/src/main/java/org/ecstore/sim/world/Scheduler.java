package org.ecstore.sim.world;

import static java.util.Objects.requireNonNull;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Virtual time: tasks run in order of their time and, at one time, in the order they were given.
 */
public final class Scheduler {
  private final Heap heap = new Heap();
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
    heap.add(Math.max(nowNanos, timeNanos), sequence++, task);
  }

  /** Runs the next task if it is due by a time; else moves to that time and returns false. */
  public boolean step(long untilNanos) {
    if (heap.isEmpty() || heap.firstNanos() > untilNanos) {
      nowNanos = Math.max(nowNanos, untilNanos);
      return false;
    }
    nowNanos = heap.firstNanos();
    heap.removeFirst().run();
    return true;
  }

  /**
   * A heap of four children a node, in arrays: a simulation does little else as often, and a heap
   * of objects took a tenth of its time.
   */
  private static final class Heap {
    private static final int CHILDREN = 4;

    private long[] times = new long[256];
    private long[] sequences = new long[256];
    private @Nullable Runnable[] tasks = new Runnable[256];
    private int size;

    boolean isEmpty() {
      return size == 0;
    }

    /** When the first task is due; the heap is not empty. */
    long firstNanos() {
      return times[0];
    }

    void add(long timeNanos, long sequence, Runnable task) {
      if (size == times.length) {
        times = Arrays.copyOf(times, 2 * size);
        sequences = Arrays.copyOf(sequences, 2 * size);
        tasks = Arrays.copyOf(tasks, 2 * size);
      }
      int hole = size++;
      while (hole > 0) {
        int parent = (hole - 1) / CHILDREN;
        if (isBefore(parent, timeNanos, sequence)) {
          break;
        }
        move(parent, hole);
        hole = parent;
      }
      put(hole, timeNanos, sequence, task);
    }

    Runnable removeFirst() {
      Runnable first = requireNonNull(tasks[0]);
      int last = --size;
      long timeNanos = times[last];
      long sequence = sequences[last];
      @Nullable Runnable task = tasks[last];
      tasks[last] = null;
      if (last > 0) {
        int hole = 0;
        int child = leastChild(hole);
        while (child < size && isBefore(child, timeNanos, sequence)) {
          move(child, hole);
          hole = child;
          child = leastChild(hole);
        }
        put(hole, timeNanos, sequence, task);
      }
      return first;
    }

    /** The child that is due first; an index beyond the last if there is none. */
    private int leastChild(int parent) {
      int least = parent * CHILDREN + 1;
      int end = Math.min(least + CHILDREN, size);
      for (int child = least + 1; child < end; child++) {
        if (isBefore(child, times[least], sequences[least])) {
          least = child;
        }
      }
      return least;
    }

    private boolean isBefore(int index, long timeNanos, long sequence) {
      return times[index] < timeNanos || (times[index] == timeNanos && sequences[index] < sequence);
    }

    private void move(int from, int to) {
      put(to, times[from], sequences[from], tasks[from]);
    }

    private void put(int index, long timeNanos, long sequence, @Nullable Runnable task) {
      times[index] = timeNanos;
      sequences[index] = sequence;
      tasks[index] = task;
    }
  }
}
