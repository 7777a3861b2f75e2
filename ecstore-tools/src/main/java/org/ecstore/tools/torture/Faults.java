package org.ecstore.tools.torture;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.ecstore.id.NodeId;
import org.ecstore.model.AdminRequest;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Hurts random nodes at random moments, and brings each back; and beside that, as often, has an
 * {@link Operator} ask for changes of ranges. The seed decides kinds, moments and whether it is the
 * sequencer's turn; which node that is depends on the cluster. One thread calls {@link #run} and
 * {@link #heal}; the rest is safe for use by several threads.
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
  private static final long START_AGAIN_MILLIS = 2_000;
  private static final Duration HEAL_WITHIN = Duration.ofMinutes(3);

  private final TestedCluster cluster;
  private final Set<FaultKind> kinds;
  private final Set<FaultKind> adminRequests;
  private final SplittableRandom random;
  private final SplittableRandom wishRandom;
  private final Operator operator;
  private final FaultLog log;
  private final Duration interval;
  private final boolean loseQuorum;
  private final LongSupplier clock;
  private final ExecutorService recoveries = Executors.newVirtualThreadPerTaskExecutor();

  /** Nodes that are down, frozen or starting. Guarded by this. */
  private final TreeSet<NodeId> away = new TreeSet<>();

  /** Nodes that are to leave, whatever else happens to them meanwhile. Guarded by this. */
  private final TreeSet<NodeId> leaving = new TreeSet<>();

  /** Guarded by this. */
  private final List<Fault> done = new ArrayList<>();

  /** What went wrong with the cluster itself. Guarded by this. */
  private final List<String> troubles = new ArrayList<>();

  private int joins;

  Faults(TestedCluster cluster, TortureSettings settings, FaultLog log, LongSupplier clock) {
    this.cluster = cluster;
    this.kinds = EnumSet.noneOf(FaultKind.class);
    this.adminRequests = EnumSet.noneOf(FaultKind.class);
    settings.faults().forEach(kind -> (kind.isRequest() ? adminRequests : kinds).add(kind));
    kinds.removeIf(kind -> !cluster.knows(kind));
    this.random = new SplittableRandom(settings.seed());
    this.wishRandom = new SplittableRandom(Long.rotateLeft(settings.seed(), 32));
    this.operator = new Operator(cluster, wishRandom.split(), log);
    this.log = log;
    this.interval = settings.faultInterval();
    this.loseQuorum = settings.loseQuorum();
    this.clock = clock;
  }

  /** Goes on until a moment of {@link System#nanoTime}. */
  void run(long untilNanos) throws InterruptedException {
    Thread operating = Thread.ofVirtual().name("torture-operator").start(() -> operate(untilNanos));
    while (awaitNext(kinds, random, untilNanos)) {
      try {
        restartEnded();
        one();
      } catch (IOException e) {
        trouble("a fault", e);
      }
    }
    operating.join();
  }

  /** False if time is over before the next fault, or request, is due. */
  private boolean awaitNext(Set<FaultKind> some, SplittableRandom when, long untilNanos)
      throws InterruptedException {
    long millis = (long) (interval.toMillis() * (0.5 + when.nextDouble()));
    long left = TimeUnit.NANOSECONDS.toMillis(untilNanos - System.nanoTime());
    boolean inTime = !some.isEmpty() && millis < left;
    Thread.sleep(inTime ? millis : Math.max(0, left));
    return inTime;
  }

  private void operate(long untilNanos) {
    try {
      while (awaitNext(adminRequests, wishRandom, untilNanos)) {
        FaultKind kind = choose(adminRequests, wishRandom);
        double which = wishRandom.nextDouble();
        try {
          if (kind == FaultKind.LEAVE) {
            leaver(which).ifPresent(node -> recoveries.execute(() -> leave(node)));
          } else {
            operator
                .choose(kind)
                .ifPresent(
                    adminRequest -> recoveries.execute(() -> adminRequest(kind, adminRequest)));
          }
        } catch (IOException | RuntimeException e) {
          trouble("a request to " + kind.word(), e);
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void adminRequest(FaultKind kind, AdminRequest adminRequest) {
    try {
      operator.ask(kind, adminRequest);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (IOException | RuntimeException e) {
      trouble(adminRequest.toString(), e);
    }
  }

  /** One at a time, and only if the others can do without it. */
  private synchronized Optional<NodeId> leaver(double which) {
    List<NodeId> candidates = new ArrayList<>(cluster.nodes());
    candidates.removeIf(node -> away.contains(node) || !bearsToLose(node));
    if (candidates.isEmpty() || !leaving.isEmpty()) {
      return Optional.empty();
    }
    NodeId chosen = candidates.get((int) (which * candidates.size()));
    leaving.add(chosen);
    return Optional.of(chosen);
  }

  /**
   * A node hands over what it has, and is started anew to join as a new one would. Meanwhile it may
   * be killed as any other.
   */
  private void leave(NodeId node) {
    try {
      if (operator.ask(FaultKind.LEAVE, new AdminRequest.Drain(node)) != Operator.End.REFUSED) {
        while (!takeAway(node)) {
          Thread.sleep(AWAY_MILLIS_MIN);
        }
        log.say(node + " has left, and is started anew");
        end(node);
        hasLeft(node);
        start(node);
        log.say(node + " is there again");
        isBack(node);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (IOException | RuntimeException e) {
      trouble(node + " leaves", e);
    } finally {
      hasLeft(node);
    }
  }

  /** One that does not end in time is a trouble, and is started again all the same. */
  private void end(NodeId node) throws InterruptedException {
    try {
      cluster.stop(node);
    } catch (IOException | RuntimeException e) {
      trouble(node + " leaves", e);
    }
  }

  private synchronized void hasLeft(NodeId node) {
    leaving.remove(node);
  }

  private synchronized void isBack(NodeId node) {
    away.remove(node);
  }

  private synchronized boolean takeAway(NodeId node) {
    return !away.contains(node) && bearsToLose(node) && away.add(node);
  }

  /** What ended by itself is a finding; that the others go on without it for good is none. */
  private List<NodeId> restartEnded() throws IOException {
    List<NodeId> ended = cluster.findEnded();
    for (NodeId node : ended) {
      LOG.warn("{} ended by itself", node);
      synchronized (this) {
        away.add(node);
      }
      recoveries.execute(() -> recover(FaultKind.RESTART, node, 0));
    }
    return ended;
  }

  private void one() throws IOException, InterruptedException {
    FaultKind kind = choose(kinds, random);
    boolean sequencersTurn = random.nextDouble() < SEQUENCER_SHARE;
    double which = random.nextDouble();
    long rest =
        kind == FaultKind.STOP || kind == FaultKind.STOP_DATABASE
            ? random.nextLong(PAUSE_MILLIS_MIN, PAUSE_MILLIS_MAX)
            : random.nextLong(AWAY_MILLIS_MIN, AWAY_MILLIS_MAX);
    if (kind == FaultKind.JOIN) {
      join();
      return;
    }
    Optional<NodeId> sequencer = cluster.sequencer();
    boolean prefersSequencer = sequencersTurn && !kind.isOfDatabase();
    List<NodeId> all = kind.isOfDatabase() ? cluster.databases() : cluster.nodes();
    Optional<NodeId> victim = victim(all, prefersSequencer ? sequencer : Optional.empty(), which);
    if (victim.isEmpty()) {
      return;
    }
    NodeId node = victim.get();
    boolean sequences = sequencer.equals(victim);
    log.say(kind + " " + node + (sequences ? ", the sequencer" : ""));
    long at = clock.getAsLong();
    try {
      switch (kind) {
        case KILL -> cluster.kill(node);
        case STOP -> cluster.pause(node);
        case RESTART -> cluster.stop(node);
        case KILL_DATABASE, STOP_DATABASE -> cluster.hurtDatabase(node, kind);
        case JOIN, SPLIT, MERGE, MOVE, MOVE_COPY, LEAVE ->
            throw new IllegalStateException("not done to a node that is there");
      }
      synchronized (this) {
        done.add(new Fault(kind, node, at, clock.getAsLong(), sequences && !kind.isOfDatabase()));
      }
    } catch (IOException | RuntimeException e) {
      // One that has ended since it was chosen is not hurt, and is being started again.
      if (restartEnded().contains(node)) {
        log.say(node + " had ended by itself");
        return;
      }
      trouble(kind + " of " + node, e);
    }
    recoveries.execute(() -> recover(kind, node, rest));
  }

  /** Kills are what it is about, so that they come more often than others. */
  private FaultKind choose(Set<FaultKind> some, SplittableRandom by) {
    List<FaultKind> weighted = new ArrayList<>();
    for (FaultKind kind : some) {
      int weight =
          switch (kind) {
            case KILL -> 6;
            case STOP, SPLIT, MERGE, MOVE_COPY -> 3;
            case MOVE -> 4;
            case RESTART, LEAVE, STOP_DATABASE -> 2;
            case KILL_DATABASE -> 4;
            case JOIN -> joins < JOINS_MAX ? 1 : 0;
          };
      for (int i = 0; i < weight; i++) {
        weighted.add(kind);
      }
    }
    return weighted.isEmpty() ? FaultKind.JOIN : weighted.get(by.nextInt(weighted.size()));
  }

  private synchronized Optional<NodeId> victim(
      List<NodeId> all, Optional<NodeId> preferred, double which) {
    List<NodeId> candidates = new ArrayList<>(all);
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
    log.say("JOIN");
    recoveries.execute(
        () -> {
          long at = clock.getAsLong();
          try {
            NodeId added = cluster.addNode();
            log.say(added + " has joined");
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
      if (kind.isOfDatabase()) {
        cluster.restoreDatabase(node);
      } else if (kind == FaultKind.STOP) {
        cluster.resume(node);
      } else {
        start(node);
      }
      log.say(node + " is back");
      isBack(node);
    } catch (IOException | InterruptedException | RuntimeException e) {
      trouble(node + " does not come back after " + kind, e);
    }
  }

  /**
   * A start may fail while the rest of the cluster is in trouble, or while the process before it
   * still ends: it is tried again after a while.
   */
  private void start(NodeId node) throws IOException, InterruptedException {
    for (int tries = 1; ; tries++) {
      try {
        if (isLeaving(node)) {
          cluster.startLeaving(node);
        } else {
          cluster.start(node);
        }
        return;
      } catch (IOException | RuntimeException e) {
        LOG.info("{} did not start: {}", node, e.getMessage());
        if (tries == STARTS_MAX) {
          throw e;
        }
        Thread.sleep(START_AGAIN_MILLIS);
      }
    }
  }

  /** Once it has left it is to serve again. */
  private synchronized boolean isLeaving(NodeId node) {
    return leaving.contains(node);
  }

  private synchronized void trouble(String what, Exception e) {
    String text = what + ": " + (e.getMessage() == null ? e.toString() : e.getMessage());
    LOG.warn("{}", text);
    log.say(text);
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
        troubles.add(
            "not back, or not over, within %d s: %s %s"
                .formatted(HEAL_WITHIN.toSeconds(), away, operator.open()));
      }
    }
  }

  /** What was done so far. */
  synchronized List<Fault> done() {
    return List.copyOf(done);
  }

  /** What came of requests, by kind. */
  Map<FaultKind, RequestCount> adminRequests() {
    return operator.counts();
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
