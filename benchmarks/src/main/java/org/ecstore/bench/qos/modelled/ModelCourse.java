package org.ecstore.bench.qos.modelled;

import java.util.NavigableSet;
import java.util.TreeSet;

/**
 * Which cells of a table are modelled, and for how long.
 *
 * @param clients its rows
 * @param nodes its columns
 * @param runs of each cell, each with random numbers of its own
 * @param requests that count in each run, of all clients together
 * @param seed from which all random numbers follow
 */
public record ModelCourse(
    NavigableSet<Integer> clients, NavigableSet<Integer> nodes, int runs, int requests, long seed) {
  /** Each client has so many answers before any counts. */
  private static final int WARM_UP = 6;

  /** As above, of all clients together. */
  private static final int WARM_UP_MIN = 2_000;

  public ModelCourse {
    clients = new TreeSet<>(clients);
    nodes = new TreeSet<>(nodes);
  }

  /** Requests of a run before those that count. */
  static int warmUp(int clients) {
    return Math.max(WARM_UP_MIN, WARM_UP * clients);
  }

  /** All requests of a table. */
  public long work() {
    long ofRows = clients.stream().mapToLong(count -> warmUp(count) + (long) requests).sum();
    return ofRows * nodes.size() * runs;
  }
}
