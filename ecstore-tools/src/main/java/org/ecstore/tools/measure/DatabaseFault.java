package org.ecstore.tools.measure;

import java.io.IOException;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import org.ecstore.cluster.process.ProcessCluster;
import org.ecstore.cluster.process.ProcessClusterException;
import org.ecstore.id.NodeId;
import org.ecstore.protocol.ClientReply.StatusReport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The database server below a node hangs or has ended, and the node lives on (decision 0094). A
 * thread looks meanwhile where the ranges of the node are. For one thread beside that one.
 */
final class DatabaseFault implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(DatabaseFault.class);
  private static final long LOOK_MILLIS = 500;

  /** For how long all must be well again: a node may find after a moment only what it has lost. */
  private static final long CALM_NANOS = TimeUnit.SECONDS.toNanos(5);

  /**
   * What came of it, in times since the server was hurt, and since it was there again.
   *
   * @param ranges that the node served before
   * @param takenOver after which no range had the node as its primary; absent if one had at the end
   * @param givenUp after which no range counted the node among those that have it; absent as above
   * @param whole after which every range had all its copies and the node's engine took writes;
   *     absent if that did not come in time
   * @param copies that the node had then, or 0
   */
  record Seen(
      int ranges,
      Optional<Duration> takenOver,
      Optional<Duration> givenUp,
      Optional<Duration> whole,
      long copies) {
    /** The same, once it is known what the node has since its server is there again. */
    Seen with(Duration wholeAfter, long had) {
      return new Seen(ranges, takenOver, givenUp, Optional.of(wholeAfter), had);
    }

    /** Whether others served, and the node takes part again. */
    boolean isKept() {
      return takenOver.isPresent() && whole.isPresent();
    }
  }

  /** Where the ranges of a node are, look by look. Safe for use by several threads. */
  static final class Whereabouts {
    private final NodeId node;
    private Optional<Duration> takenOver = Optional.empty();
    private Optional<Duration> givenUp = Optional.empty();

    Whereabouts(int node) {
      this.node = new NodeId(node);
    }

    /** Tells of a map that was seen after some time. */
    synchronized void seen(StatusReport map, Duration after) {
      boolean serves = served(map, node) > 0;
      boolean holds =
          serves || map.holders().stream().anyMatch(range -> range.secondaries().contains(node));
      takenOver = serves ? Optional.empty() : takenOver.or(() -> Optional.of(after));
      givenUp = holds ? Optional.empty() : givenUp.or(() -> Optional.of(after));
    }

    /** What is known by now. */
    synchronized Seen known(int ranges) {
      return new Seen(ranges, takenOver, givenUp, Optional.empty(), 0);
    }
  }

  private final MeasuredCluster cluster;
  private final ProcessCluster processes;
  private final int node;
  private final int ranges;
  private final Whereabouts whereabouts;
  private final Thread thread;
  private volatile long begun;
  private volatile boolean closing;

  private DatabaseFault(MeasuredCluster cluster, int node, int ranges) {
    this.cluster = cluster;
    this.processes = cluster.processes();
    this.node = node;
    this.ranges = ranges;
    this.whereabouts = new Whereabouts(node);
    this.thread = Thread.ofPlatform().name("database-fault").daemon().unstarted(this::watch);
  }

  /**
   * Of the node that serves most ranges, of those with a database server that are not the
   * sequencer; nothing is done yet.
   */
  static DatabaseFault of(MeasuredCluster cluster) throws IOException, InterruptedException {
    ProcessCluster processes = cluster.processes();
    int sequencer = cluster.awaitSequencer();
    Optional<StatusReport> map = processes.map(processes.status());
    List<Integer> nodes =
        processes.nodes().stream()
            .filter(node -> node != sequencer && processes.hasDatabase(node))
            .toList();
    int node =
        nodes.stream()
            .max(
                Comparator.comparingInt((Integer each) -> served(map, each))
                    .thenComparing(Comparator.naturalOrder()))
            .orElseThrow(() -> new IOException("no node but the sequencer has a database server"));
    return new DatabaseFault(cluster, node, served(map, node));
  }

  private static int served(Optional<StatusReport> map, int node) {
    return map.map(known -> served(known, new NodeId(node))).orElse(0);
  }

  private static int served(StatusReport map, NodeId node) {
    return (int) map.ranges().stream().filter(range -> range.primary().equals(node)).count();
  }

  /** The node, which lives. */
  int node() {
    return node;
  }

  /**
   * Hurts the server.
   *
   * @param kills whether it ends; else it hangs
   */
  void begin(boolean kills) throws IOException, InterruptedException {
    if (processes.databasePid(node).isEmpty()) {
      throw new IOException("the database server of node " + node + " does not run");
    }
    begun = System.nanoTime();
    if (kills) {
      processes.killDatabase(node);
    } else {
      processes.pauseDatabase(node);
    }
    thread.start();
  }

  private void watch() {
    try {
      while (!closing) {
        look();
        Thread.sleep(LOOK_MILLIS);
      }
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }

  private void look() {
    try {
      Optional<StatusReport> map = processes.map(processes.status());
      Duration after = Duration.ofNanos(System.nanoTime() - begun);
      map.ifPresent(known -> whereabouts.seen(known, after));
    } catch (IOException | ProcessClusterException e) {
      LOG.info("where ranges are is not known: {}", e.getMessage());
    }
  }

  /**
   * Has the server go on, or starts it again, and waits until the node is as before.
   *
   * @param within what that is waited for
   */
  Seen end(Duration within) throws IOException, InterruptedException {
    close();
    processes.resumeDatabase(node);
    processes.startDatabase(node);
    return awaitWhole(whereabouts.known(ranges), within);
  }

  private Seen awaitWhole(Seen seen, Duration within) throws IOException, InterruptedException {
    long back = System.nanoTime();
    Optional<Long> since = Optional.empty();
    while (true) {
      OptionalLong copies = cluster.copiesIfWhole(node);
      long now = System.nanoTime();
      since = copies.isPresent() ? since.or(() -> Optional.of(now)) : Optional.empty();
      if (since.isPresent() && now - since.get() >= CALM_NANOS) {
        return seen.with(Duration.ofNanos(since.get() - back), copies.orElse(0));
      }
      if (since.isEmpty() && now - back > within.toNanos()) {
        return seen;
      }
      Thread.sleep(LOOK_MILLIS);
    }
  }

  /** Looks no more; the server stays as it is. */
  @Override
  public void close() {
    closing = true;
    try {
      thread.join();
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }
}
