package org.ecstore.junit;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.ecstore.client.EcStore;
import org.ecstore.client.EcStoreOptions;
import org.ecstore.client.StoreStatus.StoreRange;
import org.ecstore.client.Table;
import org.ecstore.client.embedded.FaultyCluster;
import org.ecstore.client.embedded.FaultyNode;
import org.ecstore.client.net.NettyConnector;
import org.ecstore.id.NodeId;
import org.ecstore.key.Bytes;
import org.ecstore.key.Tuple;

/**
 * The cluster of a class of tests, by {@link EcStoreTest#nodes}: a test kills its nodes, pauses
 * them, cuts them off and slows them down, and each test finds it whole again. A parameter of a
 * test of this type is the cluster.
 *
 * <p>Its nodes are real ones, with engines, files and sockets. The commit ledger and coordination,
 * which a cluster of machines has on bookies and in ZooKeeper, stay with the greater part of the
 * nodes when some are cut off, as where each machine hosts a part of these. A node that
 * coordination does not hear of for a second, paused or cut off, counts as gone until it is heard
 * of again: its ranges get other primaries.
 *
 * <p>What is drawn ({@link #any}, {@link #slow(Duration)}) is drawn from the seed and the name of
 * the test: a test draws the same each time, alone or among others. Threads and sockets are real,
 * so that the order in which nodes act is not repeated. For use by one thread at a time.
 */
public final class TestCluster {
  private static final Duration WHOLE_WITHIN = Duration.ofSeconds(60);
  private static final Duration LOOK_AGAIN = Duration.ofMillis(10);
  private static final Duration CONNECT_TIMEOUT = Duration.ofMillis(500);
  private static final int STORES_MAX = 16;
  private static final int HISTORY_MAX = 200;

  /** Of each range, where there are as many nodes. */
  private static final int COPIES = 3;

  /** A node that is paused or cut off is passed by after this. */
  private static final EcStoreOptions OPTIONS =
      EcStoreOptions.DEFAULT.requestTimeout(Duration.ofSeconds(1));

  private final FaultyCluster cluster;
  private final long seed;
  private final List<NodeId> nodes;
  private final EcStore store;

  /** Stores beside a node, until the end of the test. */
  private final List<EcStore> beside = new ArrayList<>();

  private final List<String> history = new ArrayList<>();
  private SplittableRandom random;
  private boolean slowed;
  private boolean closed;

  /** Nodes on one side of a cut; the threads of clients read it. */
  private volatile Set<NodeId> apart = Set.of();

  private volatile Map<String, NodeId> at;

  TestCluster(FaultyCluster cluster, long seed) {
    this.cluster = cluster;
    this.seed = seed;
    this.random = new SplittableRandom(seed);
    List<FaultyNode> started = cluster.look();
    this.nodes = started.stream().map(FaultyNode::id).toList();
    this.at = addresses(started);
    this.store = EcStore.connect(String.join(",", at.keySet()), OPTIONS);
  }

  private static Map<String, NodeId> addresses(List<FaultyNode> seen) {
    Map<String, NodeId> found = new HashMap<>();
    seen.forEach(node -> found.put(node.address(), node.id()));
    return Map.copyOf(found);
  }

  /** What a test has: a client that reaches all nodes, also those that are cut off. */
  EcStore store() {
    return store;
  }

  /** A test begins: the cluster is whole, and what is drawn depends on the test only. */
  void begin(String test) {
    random = new SplittableRandom(seed ^ ((long) test.hashCode() << 32));
    heal();
    beside.forEach(EcStore::close);
    beside.clear();
    history.clear();
  }

  /** For people: what the test has done, and how to have it again. */
  String story() {
    return "a cluster of %d nodes, seed = %d: %s"
        .formatted(
            nodes.size(),
            seed,
            history.isEmpty() ? "nothing was done to it" : String.join(", ", history));
  }

  void close() {
    closed = true;
    beside.forEach(EcStore::close);
    store.close();
    cluster.close();
  }

  /** The nodes, in order, whether they run or not. */
  public List<NodeId> nodes() {
    return nodes;
  }

  /** What is drawn is drawn from. */
  public long seed() {
    return seed;
  }

  /**
   * A node that is well, neither killed nor paused nor cut off, drawn by the seed.
   *
   * @param but others than these
   * @throws IllegalStateException if there is none
   */
  public NodeId any(NodeId... but) {
    List<NodeId> others = List.of(but);
    others.forEach(this::check);
    List<NodeId> well =
        look().stream()
            .filter(this::isWell)
            .map(FaultyNode::id)
            .filter(node -> !others.contains(node))
            .toList();
    if (well.isEmpty()) {
      throw new IllegalStateException("no other node is well: " + look());
    }
    return well.get(random.nextInt(well.size()));
  }

  private boolean isWell(FaultyNode node) {
    boolean runs =
        node.state() == FaultyNode.State.SERVES || node.state() == FaultyNode.State.STARTS;
    return runs && !apart.contains(node.id());
  }

  /**
   * The node that leads: it numbers the commits, and moves ranges. Waits until there is one that is
   * well.
   *
   * @throws IllegalStateException if there is none within a minute
   */
  public NodeId sequencer() {
    return await(
        () -> {
          List<NodeId> leading =
              look().stream()
                  .filter(node -> isWell(node) && node.sequences())
                  .map(FaultyNode::id)
                  .toList();
          return leading.size() == 1 ? Optional.of(leading.get(0)) : Optional.empty();
        },
        "no node leads");
  }

  /**
   * The node that has the primary copy of the range that a key is in, as a node knows it that this
   * client reaches: until its range has another primary, that may be one that is gone.
   */
  public NodeId primary(Table<?> table, Tuple key) {
    checkOpen();
    Bytes stored = key.encode(table.keys().start());
    return store.status(table).ranges().stream()
        .filter(range -> range.keys().contains(stored))
        .map(StoreRange::primary)
        .findFirst()
        .orElseThrow(() -> new IllegalStateException("no node knows the range of " + key));
  }

  /**
   * Ends nodes as a crash would: what they have on disk stays, what they had in memory is gone.
   *
   * @throws IllegalStateException if one does not run
   */
  public void kill(NodeId... which) {
    each("kill", which).forEach(cluster::kill);
  }

  /**
   * Starts nodes that were killed, and returns once they serve; those that are cut off serve only
   * when that is over, and are not waited for.
   *
   * @throws IllegalStateException if one runs, or does not serve within a minute
   */
  public void restart(NodeId... which) {
    List<NodeId> named = each("restart", which);
    named.forEach(cluster::start);
    at = addresses(cluster.look());
    awaitServing(named.stream().filter(node -> !apart.contains(node)).toList());
  }

  /**
   * Has nodes stand still, as processes that were stopped: their connections stay, and they say
   * nothing. After a second they count as gone, or sooner if others find out.
   *
   * @throws IllegalStateException if one does not run, or stands still
   */
  public void pause(NodeId... which) {
    each("pause", which).forEach(cluster::pause);
  }

  /**
   * Has nodes go on that were paused.
   *
   * @throws IllegalStateException if one was not
   */
  public void resume(NodeId... which) {
    each("resume", which).forEach(cluster::resume);
  }

  /**
   * Cuts nodes off from the others: from now on the two parts hear nothing of each other, and the
   * lesser part, of two that are equal the one that is named, reaches neither commit ledger nor
   * coordination. In place of a partition before. The store of the test reaches both parts, that of
   * {@link #beside} only the part of its node.
   *
   * @param off some of the nodes, but not all
   */
  public void partition(NodeId... off) {
    List<NodeId> named = each("partition", off);
    if (named.size() >= nodes.size()) {
      throw new IllegalArgumentException("a partition leaves some of the nodes in each part");
    }
    Set<NodeId> lesser = new TreeSet<>(named);
    if (2 * named.size() > nodes.size()) {
      lesser = new TreeSet<>(nodes);
      named.forEach(lesser::remove);
    }
    cluster.cutOff(lesser);
    apart = Set.copyOf(lesser);
  }

  /**
   * From now on what two nodes say to each other arrives later, in order.
   *
   * @param delay from zero to 10 s
   */
  public void slow(NodeId one, NodeId other, Duration delay) {
    check(one);
    check(other);
    if (one.equals(other)) {
      throw new IllegalArgumentException("a link is between two nodes, and this is " + one);
    }
    if (delay.isNegative() || delay.compareTo(FaultyCluster.DELAY_MAX) > 0) {
      throw new IllegalArgumentException(
          "a message is late by 0 to %d s, not by %s"
              .formatted(FaultyCluster.DELAY_MAX.toSeconds(), delay));
    }
    note("slow " + one + " - " + other + " by " + delay.toMillis() + " ms");
    cluster.slow(one, other, delay);
    cluster.slow(other, one, delay);
    slowed = true;
  }

  /** As {@link #slow(NodeId, NodeId, Duration)}, between two nodes that are drawn by the seed. */
  public void slow(Duration delay) {
    NodeId one = nodes.get(random.nextInt(nodes.size()));
    List<NodeId> others = new ArrayList<>(nodes);
    others.remove(one);
    slow(one, others.get(random.nextInt(others.size())), delay);
  }

  /**
   * Puts all right: no node is cut off, links are quick, those that were paused go on, those that
   * were killed are started. Returns once all serve, one leads, and each range has all its copies:
   * what is written is there as long as one node is.
   *
   * @throws IllegalStateException if that is not so within a minute; it says what is missing
   */
  public void heal() {
    checkOpen();
    note("heal");
    apart = Set.of();
    cluster.cutOff(Set.of());
    if (slowed) {
      for (NodeId from : nodes) {
        for (NodeId to : nodes) {
          cluster.slow(from, to, Duration.ZERO);
        }
      }
      slowed = false;
    }
    for (FaultyNode node : cluster.look()) {
      if (node.state() == FaultyNode.State.PAUSED) {
        cluster.resume(node.id());
      } else if (node.state() == FaultyNode.State.DOWN) {
        cluster.start(node.id());
      }
    }
    at = addresses(cluster.look());
    awaitServing(nodes);
    sequencer();
    awaitCopies();
  }

  /**
   * A client beside a node: a partition parts it from the nodes that its node is parted from. It is
   * closed with the test. A deadline in its options says how long it tries before its operations
   * are unavailable, or their outcome unknown.
   *
   * @throws IllegalStateException if a test has more than 16
   */
  public EcStore beside(NodeId node, EcStoreOptions options) {
    check(node);
    if (beside.size() == STORES_MAX) {
      throw new IllegalStateException("a test has at most " + STORES_MAX + " stores beside nodes");
    }
    List<String> seeds =
        at.entrySet().stream()
            .filter(entry -> !isCut(node, entry.getValue()))
            .map(Map.Entry::getKey)
            .sorted()
            .toList();
    EcStore made =
        EcStore.over(
            new BesideConnector(
                new NettyConnector(seeds, CONNECT_TIMEOUT),
                address -> {
                  NodeId there = at.get(address);
                  return there != null && isCut(node, there);
                }),
            options);
    beside.add(made);
    return made;
  }

  /** As {@link #beside(NodeId, EcStoreOptions)}, of a client that asks another node after 1 s. */
  public EcStore beside(NodeId node) {
    return beside(node, OPTIONS);
  }

  private boolean isCut(NodeId one, NodeId other) {
    Set<NodeId> now = apart;
    return now.contains(one) != now.contains(other);
  }

  private List<NodeId> each(String what, NodeId... which) {
    checkOpen();
    if (which.length == 0) {
      throw new IllegalArgumentException(what + " needs the nodes to " + what);
    }
    for (NodeId node : which) {
      check(node);
    }
    if (new HashSet<>(List.of(which)).size() < which.length) {
      throw new IllegalArgumentException("a node is named twice: " + Arrays.toString(which));
    }
    note(
        Arrays.stream(which)
            .map(NodeId::toString)
            .collect(Collectors.joining(" ", what + " ", "")));
    return List.of(which);
  }

  private void check(NodeId node) {
    checkOpen();
    if (!nodes.contains(node)) {
      throw new IllegalArgumentException(
          "there is no %s in this cluster: it has %s".formatted(node, nodes));
    }
  }

  private void checkOpen() {
    if (closed) {
      throw new IllegalStateException("the cluster is closed: its tests have ended");
    }
  }

  private void note(String what) {
    if (history.size() < HISTORY_MAX) {
      history.add(what);
    }
  }

  private List<FaultyNode> look() {
    checkOpen();
    return cluster.look();
  }

  private void awaitServing(List<NodeId> which) {
    await(
        () -> {
          List<FaultyNode> missing =
              look().stream()
                  .filter(node -> which.contains(node.id()))
                  .filter(node -> node.state() != FaultyNode.State.SERVES)
                  .toList();
          missing.stream()
              .filter(node -> node.state() == FaultyNode.State.FAILED)
              .findFirst()
              .ifPresent(
                  failed -> {
                    throw new IllegalStateException(
                        failed.id() + " has failed by itself: " + failed.trouble());
                  });
          return missing.isEmpty() ? Optional.of(true) : Optional.empty();
        },
        "not all nodes serve");
  }

  /** A cluster that has just started makes them when it serves already. */
  private void awaitCopies() {
    int wanted = Math.min(COPIES, nodes.size());
    await(
        () -> hasCopies(wanted) ? Optional.of(true) : Optional.empty(),
        "not every range has " + wanted + " copies");
  }

  private boolean hasCopies(int wanted) {
    return store.status().ranges().stream()
        .allMatch(range -> range.available() && 1 + range.secondaries().size() >= wanted);
  }

  private <T> T await(Supplier<Optional<T>> question, String otherwise) {
    long deadline = System.nanoTime() + WHOLE_WITHIN.toNanos();
    while (true) {
      Optional<T> answer = question.get();
      if (answer.isPresent()) {
        return answer.get();
      }
      if (System.nanoTime() - deadline > 0) {
        throw new IllegalStateException(
            otherwise + " within " + WHOLE_WITHIN.toSeconds() + " s: " + look());
      }
      try {
        Thread.sleep(LOOK_AGAIN.toMillis());
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new IllegalStateException("interrupted", e);
      }
    }
  }
}
