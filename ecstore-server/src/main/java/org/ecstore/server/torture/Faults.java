package org.ecstore.server.torture;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.ecstore.id.NodeId;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Hurts random nodes at random moments, and brings each back. The seed decides kinds, moments and
 * whether it is the sequencer's turn; which node that is depends on the cluster. One thread calls
 * {@link #run} and {@link #heal}; the rest is safe for use by several threads.
 */
final class Faults {
  private static final Logger LOG = LoggerFactory.getLogger(Faults.class);
  private static final int JOINS_MAX = 2;
  private static final double SEQUENCER_SHARE = 0.45;
  private static final long AWAY_MILLIS_MIN = 100;
  private static final long AWAY_MILLIS_MAX = 3_000;
  private static final long PAUSE_MILLIS_MIN = 500;
  private static final long PAUSE_MILLIS_MAX = 8_000;
  private static final int STARTS_MAX = 5;
  private static final Duration HEAL_WITHIN = Duration.ofMinutes(3);

  private final TestedCluster cluster;
  private final Set<FaultKind> kinds;
  private final SplittableRandom random;
  private final Duration interval;
  private final boolean loseQuorum;
  private final LongSupplier clock;
  private final ExecutorService recoveries = Executors.newVirtualThreadPerTaskExecutor();

  /** Nodes that are down, frozen or starting. Guarded by this. */
  private final TreeSet<NodeId> away = new TreeSet<>();

  /** Guarded by this. */
  private final List<Fault> done = new ArrayList<>();

  /** What went wrong with the cluster itself. Guarded by this. */
  private final List<String> troubles = new ArrayList<>();

  private int joins;

  Faults(TestedCluster cluster, TortureSettings settings, LongSupplier clock) {
    this.cluster = cluster;
    this.kinds = EnumSet.noneOf(FaultKind.class);
    kinds.addAll(settings.faults());
    if (!cluster.pauses()) {
      kinds.remove(FaultKind.STOP);
    }
    this.random = new SplittableRandom(settings.seed());
    this.interval = settings.faultInterval();
    this.loseQuorum = settings.loseQuorum();
    this.clock = clock;
  }

  /** Goes on until a moment of {@link System#nanoTime}. */
  void run(long untilNanos) throws InterruptedException {
    while (true) {
      long millis = (long) (interval.toMillis() * (0.5 + random.nextDouble()));
      long left = TimeUnit.NANOSECONDS.toMillis(untilNanos - System.nanoTime());
      if (kinds.isEmpty() || left <= millis) {
        Thread.sleep(Math.max(0, left));
        return;
      }
      Thread.sleep(millis);
      try {
        restartEnded();
        one();
      } catch (IOException e) {
        trouble("a fault", e);
      }
    }
  }

  /** What ended by itself is a finding; that the others go on without it for good is none. */
  private void restartEnded() throws IOException {
    for (NodeId node : cluster.findEnded()) {
      LOG.warn("{} ended by itself", node);
      synchronized (this) {
        away.add(node);
      }
      recoveries.execute(() -> recover(FaultKind.RESTART, node, 0));
    }
  }

  private void one() throws IOException, InterruptedException {
    FaultKind kind = choose();
    boolean sequencersTurn = random.nextDouble() < SEQUENCER_SHARE;
    double which = random.nextDouble();
    long rest =
        kind == FaultKind.STOP
            ? random.nextLong(PAUSE_MILLIS_MIN, PAUSE_MILLIS_MAX)
            : random.nextLong(AWAY_MILLIS_MIN, AWAY_MILLIS_MAX);
    if (kind == FaultKind.JOIN) {
      join();
      return;
    }
    Optional<NodeId> sequencer = cluster.sequencer();
    Optional<NodeId> victim = victim(sequencersTurn ? sequencer : Optional.empty(), which);
    if (victim.isEmpty()) {
      return;
    }
    NodeId node = victim.get();
    boolean sequences = sequencer.equals(victim);
    LOG.info("{} {}{}", kind, node, sequences ? ", the sequencer" : "");
    long at = clock.getAsLong();
    try {
      switch (kind) {
        case KILL -> cluster.kill(node);
        case STOP -> cluster.pause(node);
        case RESTART -> cluster.stop(node);
        case JOIN -> throw new IllegalStateException("done above");
      }
      synchronized (this) {
        done.add(new Fault(kind, node, at, clock.getAsLong(), sequences));
      }
    } catch (IOException | RuntimeException e) {
      trouble(kind + " of " + node, e);
    }
    recoveries.execute(() -> recover(kind, node, rest));
  }

  /** Kills are what it is about, so that they come more often than others. */
  private FaultKind choose() {
    List<FaultKind> weighted = new ArrayList<>();
    for (FaultKind kind : kinds) {
      int weight =
          switch (kind) {
            case KILL -> 6;
            case STOP -> 3;
            case RESTART -> 2;
            case JOIN -> joins < JOINS_MAX ? 1 : 0;
          };
      for (int i = 0; i < weight; i++) {
        weighted.add(kind);
      }
    }
    return weighted.isEmpty() ? FaultKind.JOIN : weighted.get(random.nextInt(weighted.size()));
  }

  private synchronized Optional<NodeId> victim(Optional<NodeId> preferred, double which) {
    List<NodeId> candidates = new ArrayList<>(cluster.nodes());
    candidates.removeIf(node -> away.contains(node) || !bearsToLose(node));
    if (candidates.isEmpty()) {
      return Optional.empty();
    }
    NodeId chosen =
        preferred
            .filter(candidates::contains)
            .orElseGet(() -> candidates.get((int) (which * candidates.size())));
    away.add(chosen);
    return Optional.of(chosen);
  }

  private synchronized boolean bearsToLose(NodeId node) {
    TreeSet<NodeId> then = new TreeSet<>(away);
    then.add(node);
    return loseQuorum || cluster.bears(then);
  }

  private void join() {
    if (joins >= JOINS_MAX) {
      return;
    }
    joins++;
    LOG.info("JOIN");
    recoveries.execute(
        () -> {
          long at = clock.getAsLong();
          try {
            NodeId added = cluster.addNode();
            synchronized (this) {
              done.add(new Fault(FaultKind.JOIN, added, at, clock.getAsLong(), false));
            }
          } catch (IOException | InterruptedException | RuntimeException e) {
            trouble("JOIN", e);
          }
        });
  }

  private void recover(FaultKind kind, NodeId node, long restMillis) {
    try {
      if (kind != FaultKind.RESTART) {
        Thread.sleep(restMillis);
      }
      if (kind == FaultKind.STOP) {
        cluster.resume(node);
      } else {
        start(node);
      }
      synchronized (this) {
        away.remove(node);
      }
    } catch (IOException | InterruptedException | RuntimeException e) {
      trouble(node + " does not come back after " + kind, e);
    }
  }

  /** A start may fail while the rest of the cluster is in trouble: it is tried again. */
  private void start(NodeId node) throws IOException, InterruptedException {
    for (int tries = 1; ; tries++) {
      try {
        cluster.start(node);
        return;
      } catch (IOException | RuntimeException e) {
        LOG.info("{} did not start: {}", node, e.getMessage());
        if (tries == STARTS_MAX) {
          throw e;
        }
      }
    }
  }

  private synchronized void trouble(String what, Exception e) {
    String text = what + ": " + (e.getMessage() == null ? e.toString() : e.getMessage());
    LOG.warn("{}", text);
    troubles.add(text);
  }

  /** Ends all faults, and waits until what was hurt is back. */
  void heal() throws InterruptedException {
    try {
      restartEnded();
    } catch (IOException e) {
      trouble("healing", e);
    }
    recoveries.shutdown();
    if (!recoveries.awaitTermination(HEAL_WITHIN.toSeconds(), TimeUnit.SECONDS)) {
      recoveries.shutdownNow();
      synchronized (this) {
        troubles.add("not back within " + HEAL_WITHIN.toSeconds() + " s: " + away);
      }
    }
  }

  /** What was done so far. */
  synchronized List<Fault> done() {
    return List.copyOf(done);
  }

  /** What went wrong with the cluster itself. */
  synchronized List<String> troubles() {
    return List.copyOf(troubles);
  }

  /** Nodes that are down, frozen or starting. */
  synchronized List<NodeId> away() {
    return List.copyOf(away);
  }
}
