package org.ecstore.bench.qos;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.NavigableSet;
import java.util.TreeSet;
import org.ecstore.txn.qos.table.GridPoint;

/**
 * Which cells of a table are wanted, and how often each is measured.
 *
 * @param clients its rows
 * @param nodes its columns
 * @param runs of each cell
 * @param settle how long a size may take to become steady
 */
public record MeasurePlan(
    NavigableSet<Integer> clients, NavigableSet<Integer> nodes, int runs, Duration settle) {
  /** Of a node's process, and of its place in the cluster. */
  private static final Duration START = Duration.ofSeconds(8);

  /** Of a client's process, until it begins. */
  private static final Duration CLIENT_START = Duration.ofSeconds(2);

  /** Of a record that is loaded, in processor time of a node. */
  private static final double LOAD_SECONDS = 0.0015;

  public MeasurePlan {
    clients = new TreeSet<>(clients);
    nodes = new TreeSet<>(nodes);
  }

  /** Whether a cell is one of its own. */
  boolean has(GridPoint point) {
    return clients.contains(point.clients()) && nodes.contains(point.servers());
  }

  /**
   * A run that is missing.
   *
   * @param number of the run
   */
  record Missing(GridPoint point, int number) {}

  /**
   * What of a size is missing, in the order in which it is measured: each number of clients once,
   * then each again, so that what changes with time is in all of them.
   */
  List<Missing> missing(int size, Collection<TableRun> there) {
    List<Missing> missing = new ArrayList<>();
    for (int number = 1; number <= runs; number++) {
      for (int count : clients) {
        GridPoint point = new GridPoint(count, size);
        long made = there.stream().filter(run -> run.point().equals(point)).count();
        if (made < number) {
          missing.add(new Missing(point, number));
        }
      }
    }
    return missing;
  }

  /** How many runs are missing of all sizes. */
  public int missing(Collection<TableRun> there) {
    return nodes.stream().mapToInt(size -> missing(size, there).size()).sum();
  }

  /** About how long it takes to measure what is missing of a subject; nothing if nothing is. */
  public Duration estimate(MeasuredSubject subject, Collection<TableRun> there) {
    Duration all = Duration.ZERO;
    int last = 0;
    for (int size : nodes) {
      int runsOfSize = missing(size, there).size();
      if (runsOfSize > 0) {
        all = all.plus(run(subject).multipliedBy(runsOfSize)).plus(settled(subject));
        last = size;
      }
    }
    return last == 0 ? all : all.plus(START.multipliedBy(last)).plus(loaded(subject));
  }

  private static Duration run(MeasuredSubject subject) {
    return CLIENT_START.plusMillis(
        Math.round((subject.warmUpSeconds() + subject.seconds()) * 1_000));
  }

  /** If it becomes steady as soon as it can be. */
  private Duration settled(MeasuredSubject subject) {
    Duration windows = run(subject).multipliedBy(SteadyWatch.WINDOWS);
    return windows.compareTo(settle) < 0 ? windows : settle;
  }

  private static Duration loaded(MeasuredSubject subject) {
    double processors =
        subject
            .nodeClass()
            .capacity()
            .map(capacity -> Math.min(1, capacity.doubleValue()))
            .orElse(1.0);
    return Duration.ofMillis(Math.round(subject.records() * LOAD_SECONDS * 1_000 / processors));
  }
}
