package org.ecstore.bench.model;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.ecstore.bench.cost.CostModel;
import org.ecstore.core.overlay.BatonTree;
import org.ecstore.core.overlay.JoinPlan;
import org.ecstore.core.overlay.Place;
import org.ecstore.id.NodeId;
import org.ecstore.key.Bytes;
import org.ecstore.key.KeyRange;
import org.ecstore.replication.load.DecayedRates;
import org.ecstore.replication.load.HotReplicaOrder;
import org.ecstore.replication.load.LoadBalance;
import org.ecstore.replication.placement.PositionMap;
import org.ecstore.replication.placement.ShiftKeyPlacement;
import org.ecstore.sim.world.Scheduler;
import org.ecstore.sim.world.SimRandom;
import org.jspecify.annotations.Nullable;

/**
 * A cluster as a queueing model, for what depends on who serves what and how long that takes: reads
 * of any copy, quorum reads, redirects to hot-spot replicas.
 *
 * <p>Real are the overlay tree and the nodes' intervals, the position map, the placement of copies,
 * the histograms, the trigger, the choice of hot-spot replicas and redirects. Modelled are the
 * nodes, each a queue with the costs of a {@link CostModel}, and the messages, which take the
 * network's time and carry the sender's load (rule 25). Clients sit at the nodes and cost nothing;
 * a message from a node to itself takes no time but its cost. A hot-spot replica is made by a scan
 * at its parent, a message and the writes at its node, all of which occupy those; only then is it
 * read.
 */
public final class ModelCluster {
  private static final int KNOTS_PER_NODE = 16;
  private static final int SAMPLE = 20_000;

  private final Scheduler scheduler = new Scheduler();
  private final SimRandom random;
  private final CostModel costs;
  private final Population population;
  private final @Nullable Adaptation adaptation;
  private final BatonTree tree;
  private final PositionMap positions;
  private final Map<NodeId, ModelNode> nodes = new TreeMap<>();
  private final TreeMap<Bytes, List<ModelCopy>> ranges = new TreeMap<>();
  private long hotReplicasMade;
  private long recordsMade;

  /**
   * The size of a cluster.
   *
   * @param rangesPerNode into how many ranges of as many records a node's interval is cut. Copies
   *     are placed by range: were each interval one range, the shifted copies of some would share a
   *     node with those of others wherever the number of nodes is no multiple of K
   * @param copies K
   */
  public record Size(int nodes, int rangesPerNode, int copies) {}

  /**
   * A loaded cluster.
   *
   * @param adaptation how copies get hot-spot replicas; null if they get none
   */
  public ModelCluster(
      Size size,
      Population population,
      CostModel costs,
      @Nullable Adaptation adaptation,
      long seed) {
    this.random = new SimRandom(seed).fork("cluster");
    this.costs = costs;
    this.population = population;
    this.adaptation = adaptation;
    this.tree = grown(size.nodes(), population);
    this.positions = fitted(population, size.nodes());
    long halfLife = adaptation == null ? 1_000_000_000L : adaptation.halfLifeNanos();
    List<ShiftKeyPlacement.Site> sites = new ArrayList<>();
    for (Place place : tree.inOrder()) {
      nodes.put(place.node(), new ModelNode(scheduler, place.node(), halfLife));
      sites.add(
          new ShiftKeyPlacement.Site(place.node(), place.keys().start(), place.node().toString()));
    }
    ShiftKeyPlacement placement = new ShiftKeyPlacement(positions, sites);
    for (Place place : tree.inOrder()) {
      for (KeyRange range : cut(place.keys(), size.rangesPerNode())) {
        List<NodeId> holders = new ArrayList<>(List.of(place.node()));
        holders.addAll(placement.secondaries(range, place.node(), size.copies()));
        ranges.put(
            range.start(), holders.stream().map(node -> copy(node, range, holders)).toList());
      }
    }
    if (adaptation != null) {
      nodes.values().forEach(this::tickLater);
    }
  }

  /** Nodes join until there are enough, then boundaries give each the same number of records. */
  private static BatonTree grown(int count, Population population) {
    BatonTree tree = BatonTree.single(new NodeId(1));
    for (int i = 2; i <= count; i++) {
      JoinPlan plan = tree.whereToJoin(new NodeId(i), new NodeId(1));
      KeyRange keys = tree.place(plan.parent()).keys();
      int from = population.below(keys.start());
      tree = tree.join(plan, population.key(from + population.count(keys) / 2)).tree();
    }
    // In both directions, as a boundary cannot pass its neighbours.
    for (int round = 0; round < count; round++) {
      List<Place> places = tree.inOrder();
      boolean moved = false;
      for (int i = 1; i < count; i++) {
        Bytes wanted = population.key((int) ((long) population.size() * i / count));
        Place left = tree.place(places.get(i - 1).node());
        Place right = tree.place(places.get(i).node());
        boolean inLeft = left.keys().contains(wanted) && !wanted.equals(left.keys().start());
        boolean inRight = right.keys().contains(wanted) && !wanted.equals(right.keys().start());
        if (inLeft || inRight) {
          tree = tree.shiftBoundary(left.node(), right.node(), wanted).tree();
          moved = true;
        }
      }
      if (!moved) {
        break;
      }
    }
    return tree;
  }

  private List<KeyRange> cut(KeyRange keys, int parts) {
    int from = population.below(keys.start());
    int records = population.count(keys);
    List<KeyRange> ranges = new ArrayList<>();
    Bytes start = keys.start();
    for (int i = 1; i < parts; i++) {
      Bytes end = population.key(from + (int) ((long) records * i / parts));
      ranges.add(KeyRange.of(start, end));
      start = end;
    }
    ranges.add(KeyRange.between(start, keys.end()));
    return ranges;
  }

  private static PositionMap fitted(Population population, int nodes) {
    List<Bytes> sample = new ArrayList<>();
    int count = Math.min(SAMPLE, population.size());
    for (int i = 0; i < count; i++) {
      sample.add(population.key((int) ((long) population.size() * i / count)));
    }
    return PositionMap.fitted(sample, KNOTS_PER_NODE * nodes);
  }

  private ModelCopy copy(NodeId at, KeyRange keys, List<NodeId> holders) {
    ModelNode node = node(at);
    LoadBalance balance = null;
    if (adaptation != null) {
      balance =
          new LoadBalance(
              at,
              adaptation.histograms().create(keys, positions, adaptation.halfLifeNanos()),
              adaptation.settings());
      balance.heldBy(holders);
    }
    ModelCopy copy = new ModelCopy(node, keys, balance);
    node.copies.add(copy);
    return copy;
  }

  private ModelNode node(NodeId id) {
    ModelNode node = nodes.get(id);
    if (node == null) {
      throw new IllegalStateException("no node " + id);
    }
    return node;
  }

  // --- what there is

  /** Virtual time and what happens in it. */
  public Scheduler scheduler() {
    return scheduler;
  }

  /** All nodes in key order. */
  public List<NodeId> nodes() {
    return tree.inOrder().stream().map(Place::node).toList();
  }

  /** The records. */
  public Population population() {
    return population;
  }

  /** How many queries each node has served since {@link #forgetQueries}, in key order. */
  public List<Long> queries() {
    return nodes().stream().map(id -> node(id).queries()).toList();
  }

  /** Counts queries from now on. */
  public void forgetQueries() {
    nodes.values().forEach(ModelNode::forgetQueries);
  }

  /** How many hot-spot replicas were made so far. */
  public long hotReplicasMade() {
    return hotReplicasMade;
  }

  /** How many records were copied into hot-spot replicas so far. */
  public long recordsMade() {
    return recordsMade;
  }

  /** The copies of the range that holds a key, the primary first. */
  List<ModelCopy> copiesOf(Bytes key) {
    return ranges.floorEntry(key).getValue();
  }

  CostModel costs() {
    return costs;
  }

  ModelNode nodeOf(NodeId id) {
    return node(id);
  }

  // --- reading

  /**
   * Reads some records in a row from so many copies, drawn at random; hot-spot replicas stand in
   * for copies that redirect to them.
   *
   * @param client the node that the client is at
   * @param done what happens when the last answer is there
   */
  public void read(NodeId client, int from, int records, int quorum, Runnable done) {
    KeyRange keys =
        records == 1
            ? KeyRange.single(population.key(from))
            : population.range(from, from + records);
    List<ModelCopy> copies = new ArrayList<>(copiesOf(keys.start()));
    Collections.shuffle(copies, random);
    int[] left = {quorum};
    for (ModelCopy copy : copies.subList(0, quorum)) {
      ask(
          node(client),
          copy,
          keys,
          records,
          () -> {
            if (--left[0] == 0) {
              done.run();
            }
          });
    }
  }

  /** Reads some records from one of the copies, the primary being number 0. */
  public void readFrom(NodeId client, int copy, int from, int records, Runnable done) {
    KeyRange keys = population.range(from, from + records);
    ask(node(client), copiesOf(keys.start()).get(copy), keys, records, done);
  }

  private void ask(ModelNode client, ModelCopy copy, KeyRange keys, int records, Runnable done) {
    long now = scheduler.nowNanos();
    client.remembered.removeIf(one -> one.untilNanos() <= now);
    Optional<ModelHotReplica> hotReplica =
        client.remembered.stream()
            .filter(one -> one.copy() == copy && one.hotReplica().order.keys().contains(keys))
            .map(ModelNode.Remembered::hotReplica)
            .findFirst();
    if (hotReplica.isPresent()) {
      askHotReplica(client, hotReplica.get(), keys, records, done);
    } else {
      askCopy(client, copy, keys, records, done);
    }
  }

  private void askCopy(
      ModelNode client, ModelCopy copy, KeyRange keys, int records, Runnable done) {
    send(
        client,
        copy.node,
        () -> {
          List<ModelHotReplica> redirected = new ArrayList<>();
          copy.node.work(
              () -> {
                redirect(copy, keys).ifPresent(redirected::add);
                return redirected.isEmpty() ? answer(records) : 2 * costs.message(1);
              },
              () -> {
                if (redirected.isEmpty()) {
                  copy.node.served();
                  if (copy.balance != null) {
                    copy.balance.observeRead(keys, scheduler.nowNanos());
                  }
                  send(copy.node, client, done);
                } else {
                  ModelHotReplica hotReplica = redirected.getFirst();
                  send(
                      copy.node,
                      client,
                      () -> {
                        remember(client, copy, hotReplica);
                        askHotReplica(client, hotReplica, keys, records, done);
                      });
                }
              });
        });
  }

  private void askHotReplica(
      ModelNode client, ModelHotReplica hotReplica, KeyRange keys, int records, Runnable done) {
    send(
        client,
        hotReplica.node,
        () ->
            hotReplica.node.work(
                () -> hotReplica.there ? answer(records) : 2 * costs.message(1),
                () -> {
                  if (hotReplica.there) {
                    hotReplica.node.served();
                    hotReplica.served.read(1, scheduler.nowNanos());
                    send(hotReplica.node, client, done);
                  } else {
                    client.remembered.removeIf(one -> one.hotReplica() == hotReplica);
                    send(
                        hotReplica.node,
                        client,
                        () -> askCopy(client, hotReplica.parent, keys, records, done));
                  }
                }));
  }

  private long answer(int records) {
    return costs.message(1) + costs.query(records) + costs.message(records);
  }

  private void remember(ModelNode client, ModelCopy copy, ModelHotReplica hotReplica) {
    if (adaptation != null) {
      long until = scheduler.nowNanos() + adaptation.rememberNanos();
      client.remembered.add(new ModelNode.Remembered(copy, hotReplica, until));
    }
  }

  private Optional<ModelHotReplica> redirect(ModelCopy copy, KeyRange keys) {
    if (copy.balance == null || copy.hotReplicas.isEmpty()) {
      return Optional.empty();
    }
    copy.node.loads.heard(copy.node.id, copy.node.load());
    return copy.balance
        .redirect(keys, copy.node.loads, random)
        .flatMap(
            node ->
                copy.hotReplicas.stream()
                    .filter(
                        hotReplica ->
                            hotReplica.order.node().equals(node)
                                && hotReplica.order.keys().contains(keys))
                    .findFirst());
  }

  /** A message, which tells the receiver of the sender's load. */
  void send(ModelNode from, ModelNode to, Runnable arrived) {
    if (from == to) {
      arrived.run();
      return;
    }
    double load = from.load();
    scheduler.after(
        costs.network(),
        () -> {
          to.loads.heard(from.id, load);
          arrived.run();
        });
  }

  // --- balancing

  private void tickLater(ModelNode node) {
    if (adaptation != null) {
      scheduler.after(adaptation.tickNanos(), () -> tick(node));
    }
  }

  private void tick(ModelNode node) {
    long now = scheduler.nowNanos();
    node.loads.heard(node.id, node.load());
    for (ModelCopy copy : node.copies) {
      LoadBalance balance = copy.balance;
      if (balance != null) {
        for (ModelHotReplica hotReplica : copy.hotReplicas) {
          balance.served(
              hotReplica.order.keys(),
              hotReplica.order.node(),
              hotReplica.served.rates(now).reads());
        }
        balance.round(now, node.loads, random).forEach(order -> make(copy, balance, order));
        balance.expired(now).forEach(order -> drop(copy, order));
      }
    }
    tickLater(node);
  }

  private void make(ModelCopy copy, LoadBalance balance, HotReplicaOrder order) {
    int records = population.count(order.keys());
    ModelNode target = node(order.node());
    DecayedRates served =
        new DecayedRates(adaptation == null ? 1 : adaptation.halfLifeNanos(), scheduler.nowNanos());
    hotReplicasMade++;
    recordsMade += records;
    copy.node.work(
        () -> costs.query(Math.max(2, records)) + costs.message(records),
        () ->
            send(
                copy.node,
                target,
                () ->
                    target.work(
                        () -> costs.message(records) + records * costs.write(),
                        () -> {
                          copy.hotReplicas.add(new ModelHotReplica(copy, order, target, served));
                          balance.ready(order.keys(), order.node());
                        })));
  }

  private static void drop(ModelCopy copy, HotReplicaOrder order) {
    copy.hotReplicas.stream()
        .filter(hotReplica -> hotReplica.order.equals(order))
        .forEach(hotReplica -> hotReplica.there = false);
    copy.hotReplicas.removeIf(hotReplica -> hotReplica.order.equals(order));
  }
}
