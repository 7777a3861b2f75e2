package org.ecstore.bench.elastic;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.DoubleSupplier;
import org.ecstore.bench.load.CoreUse;
import org.ecstore.bench.load.CoreWatch;
import org.ecstore.bench.plot.SeenPeriods;
import org.ecstore.bench.plot.TimeChart.Period;
import org.ecstore.id.NodeId;
import org.jspecify.annotations.Nullable;

/** Looks at a cluster each second, in a thread of its own. */
final class ClusterSampler implements AutoCloseable {
  private static final long EVERY_MILLIS = 1_000;

  /** What is looked at. */
  @FunctionalInterface
  interface Looked {
    ClusterSight look() throws IOException;
  }

  /** Copies that were made, and bytes of them. */
  record Copied(long copies, long bytes) {
    Copied since(Copied before) {
      return new Copied(copies - before.copies, bytes - before.bytes);
    }
  }

  /**
   * Who kept processors busy since the look before.
   *
   * @param seconds until then, by the clock
   */
  private record Used(double seconds, CoreUse use) {}

  private final Looked cluster;
  private final DoubleSupplier clock;
  private final BalanceRule rule;
  private final double stillSeconds;
  private final CountDownLatch ending = new CountDownLatch(1);
  private final Thread thread;

  /** Guarded by this. */
  private final MovedBytes moved;

  /** Guarded by this. */
  private final SeenPeriods moving = new SeenPeriods();

  /** Guarded by this. */
  private final List<Used> cores = new ArrayList<>();

  /** Guarded by this. */
  private @Nullable BalanceWatch watch;

  private final CoreWatch coreWatch = new CoreWatch();

  /** Of nodes, as seen last by the thread that looks. */
  private Set<Long> processes = Set.of();

  private ClusterSampler(
      Looked cluster,
      DoubleSupplier clock,
      BalanceRule rule,
      double stillSeconds,
      long rangeBytes) {
    this.cluster = cluster;
    this.clock = clock;
    this.rule = rule;
    this.stillSeconds = stillSeconds;
    this.moved = new MovedBytes(rangeBytes);
    this.thread = Thread.ofPlatform().name("cluster-sampler").unstarted(this::run);
  }

  /**
   * Begins.
   *
   * @param clock says seconds since the load began
   * @param rangeBytes that a range counts while it is not known what nodes hold
   */
  static ClusterSampler begin(
      Looked cluster,
      DoubleSupplier clock,
      BalanceRule rule,
      double stillSeconds,
      long rangeBytes) {
    ClusterSampler sampler = idle(cluster, clock, rule, stillSeconds, rangeBytes);
    sampler.thread.start();
    return sampler;
  }

  /** As above, one that only looks when it is told to. */
  static ClusterSampler idle(
      Looked cluster,
      DoubleSupplier clock,
      BalanceRule rule,
      double stillSeconds,
      long rangeBytes) {
    return new ClusterSampler(cluster, clock, rule, stillSeconds, rangeBytes);
  }

  private void run() {
    try {
      do {
        sample();
      } while (!ending.await(EVERY_MILLIS, TimeUnit.MILLISECONDS));
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }

  /** Looks once. */
  void sample() {
    double seconds = clock.getAsDouble();
    Optional<ClusterSight> seen = look();
    processes = seen.map(ClusterSight::processes).orElse(processes);
    CoreUse used = coreWatch.look(processes).ofClientsHere();
    synchronized (this) {
      cores.add(new Used(seconds, used));
      seen.ifPresent(sight -> move(seconds, sight));
      BalanceWatch now = watch;
      if (now != null) {
        seen.ifPresentOrElse(sight -> now.see(seconds, sight), now::missed);
      }
    }
  }

  /** A copy that is made between two looks is seen as one that was not there before. */
  private synchronized void move(double seconds, ClusterSight sight) {
    long before = moved.copies();
    moved.see(sight);
    moving.see(seconds, sight.isMoving() || moved.copies() > before);
  }

  private Optional<ClusterSight> look() {
    try {
      return Optional.of(cluster.look());
    } catch (IOException _) {
      return Optional.empty();
    }
  }

  /** From now on it is looked whether the cluster is balanced with these nodes and no other. */
  synchronized void await(Set<NodeId> with) {
    watch = new BalanceWatch(rule, with, stillSeconds);
  }

  /** Since when it is balanced; empty if it is not, or not for long enough. */
  synchronized OptionalDouble balancedSince() {
    return watch == null ? OptionalDouble.empty() : watch.since();
  }

  /** What is lacking, if it is not balanced. */
  synchronized String lacks() {
    return watch == null ? "" : watch.lacks();
  }

  /** What was copied so far. */
  synchronized Copied copied() {
    return new Copied(moved.copies(), moved.bytes());
  }

  /** Who kept processors busy from one moment of the clock until before another. */
  synchronized CoreUse cores(double from, double to) {
    return CoreUse.mean(
        cores.stream()
            .filter(used -> used.seconds() >= from && used.seconds() < to)
            .map(Used::use)
            .toList());
  }

  /** When copies were made so far, by the clock. */
  synchronized List<Period> moving() {
    return moving.all();
  }

  @Override
  public void close() {
    ending.countDown();
    try {
      thread.join();
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }
}
