package org.ecstore.tools.quickstart;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import org.HdrHistogram.Histogram;
import org.ecstore.client.Counters;
import org.ecstore.client.EcStore;
import org.ecstore.client.StoreStatus;
import org.ecstore.id.NodeId;
import org.ecstore.model.ReadLevel;
import org.ecstore.server.ClusterSettings;
import org.ecstore.server.LocalCluster;
import org.ecstore.tools.quickstart.SocialGraph.Friendship;

/**
 * The first run: a cluster in this process, a social graph loaded into it, friendships made by
 * several clients over TCP (paper §6.1) while all users are scanned and a node joins, and a check
 * of all that came of it.
 */
public final class Quickstart {
  private static final int LOAD_BATCH = 50;
  private static final int SHUFFLE_SEED = 2010;

  private final SocialGraph graph;
  private final Path directory;
  private final int nodes;
  private final int clients;
  private final Progress progress;

  /**
   * What a run came to.
   *
   * @param nodes at the end
   * @param committed friendships made by this run
   * @param foundThere friendships that an earlier run on the directory had made
   * @param newcomer the node that joined; absent if an earlier run had added one
   * @param befriending how long all friendships together took
   * @param micros how long each took, retries included
   */
  public record Outcome(
      int nodes,
      long users,
      long friendships,
      long committed,
      long foundThere,
      long aborted,
      long retried,
      long scans,
      long scannedRecords,
      long asymmetric,
      long lost,
      Optional<Newcomer> newcomer,
      Duration loading,
      Duration befriending,
      Duration total,
      Histogram micros,
      StoreStatus status) {
    /** Whether everything is as it should be. */
    public boolean passed() {
      return asymmetric == 0 && lost == 0;
    }
  }

  /** A node that joined while the work went on, and how long that took. */
  public record Newcomer(NodeId node, Duration took) {}

  /** How many clients a graph has work for without needless conflicts. */
  public static int clientsFor(SocialGraph graph) {
    return Meetings.clientsFor(graph);
  }

  public Quickstart(SocialGraph graph, Path directory, int nodes, int clients, Progress progress) {
    this.graph = graph;
    this.directory = directory;
    this.nodes = nodes;
    this.clients = clients;
    this.progress = progress;
  }

  /**
   * Runs it.
   *
   * @throws IOException if the directory cannot be used
   * @throws IllegalStateException if a node stopped or something is not as it must be
   */
  public Outcome run() throws IOException, InterruptedException {
    long start = System.nanoTime();
    progress.phase("starting " + nodes + " nodes", 0);
    ClusterSettings settings =
        ClusterSettings.DEFAULT.withNodes(nodes).withSplitHints(Users.splitHints(graph.users()));
    try (LocalCluster cluster = LocalCluster.start(directory, settings);
        EcStore store = EcStore.connect(cluster.addresses())) {
      Outcome outcome = new Run(cluster, store, start).run();
      Map<NodeId, Throwable> failures = cluster.failures();
      if (!failures.isEmpty()) {
        throw new IllegalStateException(
            "nodes have stopped: " + failures.keySet(), failures.values().iterator().next());
      }
      return outcome;
    }
  }

  private static Duration since(long startNanos) {
    return Duration.ofNanos(System.nanoTime() - startNanos);
  }

  /** One run on an open cluster. */
  private final class Run {
    private final LocalCluster cluster;
    private final EcStore store;
    private final long start;
    private final Scanning scanning;
    private volatile Optional<Newcomer> newcomer = Optional.empty();
    private volatile Duration befriendingTook = Duration.ZERO;

    Run(LocalCluster cluster, EcStore store, long start) {
      this.cluster = cluster;
      this.store = store;
      this.start = start;
      this.scanning = new Scanning(store, graph.users().size());
    }

    Outcome run() throws InterruptedException {
      progress.phase("loading users", graph.users().size());
      long loadStart = System.nanoTime();
      load();
      Duration loading = since(loadStart);
      Counters before = store.counters();
      progress.phase("befriending", graph.friendships().size());
      Befriending befriending = befriend();
      Counters after = store.counters();
      progress.phase("checking", 0);
      Scanning last = new Scanning(store, graph.users().size());
      FriendshipCheck check = lastScan(last);
      return new Outcome(
          cluster.nodes().size(),
          graph.users().size(),
          graph.friendships().size(),
          befriending.committed(),
          befriending.foundThere(),
          after.aborted() - before.aborted(),
          after.retried() - before.retried(),
          scanning.scans() + 1,
          scanning.records() + last.records(),
          scanning.asymmetric() + check.asymmetric(),
          check.lost(graph),
          newcomer,
          loading,
          befriendingTook,
          since(start),
          befriending.micros(),
          store.status(Users.TABLE));
    }

    /** Writes the users that are not there yet, some in each transaction. */
    private void load() throws InterruptedException {
      AtomicInteger next = new AtomicInteger();
      try (Together together = new Together()) {
        for (int i = 0; i < clients; i++) {
          together.go(
              () -> {
                int size = graph.users().size();
                for (int from = next.getAndAdd(LOAD_BATCH);
                    from < size;
                    from = next.getAndAdd(LOAD_BATCH)) {
                  List<Long> batch = graph.users().subList(from, Math.min(size, from + LOAD_BATCH));
                  loadBatch(batch);
                  progress.step(batch.size());
                }
              });
        }
        together.await();
      }
    }

    private void loadBatch(List<Long> ids) {
      Repeating.untilDone(
          () ->
              store.<Boolean, RuntimeException>transact(
                  tx -> {
                    var there = tx.getAll(Users.TABLE, ids.stream().map(Users::key).toList());
                    for (long id : ids) {
                      if (!there.containsKey(Users.key(id))) {
                        tx.insert(Users.TABLE, Users.key(id), new User(id, List.of()));
                      }
                    }
                    return true;
                  }));
    }

    private Befriending befriend() throws InterruptedException {
      List<Friendship> pairs = new ArrayList<>(graph.friendships());
      // In a file neighbours follow each other; at random they meet as users do.
      Collections.shuffle(pairs, new Random(SHUFFLE_SEED));
      Befriending befriending = new Befriending(store, pairs, clients, progress);
      AtomicInteger busy = new AtomicInteger(clients);
      long befriendStart = System.nanoTime();
      try (Together together = new Together()) {
        together.go(scanning::run);
        together.go(() -> addNode(befriending));
        for (int i = 0; i < clients; i++) {
          together.go(
              () -> {
                befriending.runClient();
                if (busy.decrementAndGet() == 0) {
                  befriendingTook = since(befriendStart);
                  scanning.end();
                }
              });
        }
        together.await();
      }
      return befriending;
    }

    /** Adds one node, unless an earlier run on the directory has. */
    private void addNode(Befriending befriending) throws InterruptedException, IOException {
      befriending.awaitMiddle();
      if (cluster.nodes().size() <= nodes) {
        long joinStart = System.nanoTime();
        NodeId node = cluster.addNode();
        newcomer = Optional.of(new Newcomer(node, since(joinStart)));
      }
      befriending.release();
    }

    /** Sees every acknowledged commit, of every client. */
    private FriendshipCheck lastScan(Scanning last) {
      return last.scan(store.with(ReadLevel.STRONG), false);
    }
  }
}
