package org.ecstore.replication.hotspot;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.ecstore.core.map.RangeDescriptor;
import org.ecstore.core.port.Engine.VersionedWrite;
import org.ecstore.core.runtime.NodeContext;
import org.ecstore.id.NodeId;
import org.ecstore.id.Position;
import org.ecstore.id.RangeId;
import org.ecstore.key.Bytes;
import org.ecstore.key.KeyRange;
import org.ecstore.replication.copy.Copy;
import org.ecstore.replication.copy.CopyTable;
import org.ecstore.replication.copy.SplitPoints;
import org.ecstore.replication.hotspot.HotReplicaMessage.LoadNews;
import org.ecstore.replication.hotspot.HotReplicaMessage.NodeLoad;
import org.ecstore.replication.load.DecayedRates;
import org.ecstore.replication.load.Histogram;
import org.ecstore.replication.load.HotReplicaOrder;
import org.ecstore.replication.load.LoadBalance;
import org.ecstore.replication.load.NodeLoads;
import org.ecstore.replication.view.LedgerView;

/**
 * Makes the copies of a node share their load with hot-spot replicas (ecStore §4.3, rules 24-26):
 * counts reads and updates in a histogram for each copy, tells other nodes how busy this one is,
 * carries out what {@link LoadBalance} decides once in a while, and says where a read is sent on
 * to.
 */
public final class LoadSharing implements HotReplicaStreams.Listener {
  /** How many nodes are told at a time. */
  private static final int TOLD = 2;

  private static final double THOUSAND = 1000.0;

  /** Of the reads from which on a copy is looked at closely: with fewer, not any more. */
  private static final double FAR = 0.25;

  /**
   * Most copies are never near to being busy: how often they are read is one number. One that may
   * soon be has a histogram, until it is far from it again.
   */
  private static final class Shared {
    final Copy copy;
    final DecayedRates reads;
    Optional<LoadBalance> balance = Optional.empty();

    Shared(Copy copy, long halfLifeNanos, long nanos) {
      this.copy = copy;
      this.reads = new DecayedRates(halfLifeNanos, nanos);
    }
  }

  private final NodeContext context;
  private final LedgerView ledgerView;
  private final CopyTable copies;
  private final HotReplicaStreams streams;
  private final HotReplicaHost host;
  private final SplitPoints splitPoints;
  private final HotReplicaSettings settings;
  private final Supplier<List<NodeId>> nodes;
  private final Map<RangeId, Shared> shares = new TreeMap<>();
  private final Map<NodeId, NodeLoad> heard = new TreeMap<>();
  private NodeLoads loads = new NodeLoads();
  private long told;

  /** From how many reads per second on a copy is busy. */
  private double threshold;

  /**
   * The sharing of a node.
   *
   * @param nodes those that are there, this one perhaps among them
   */
  public LoadSharing(
      NodeContext context,
      LedgerView ledgerView,
      CopyTable copies,
      HotReplicaStreams streams,
      HotReplicaHost host,
      SplitPoints splitPoints,
      HotReplicaSettings settings,
      Supplier<List<NodeId>> nodes) {
    this.context = context;
    this.ledgerView = ledgerView;
    this.copies = copies;
    this.streams = streams;
    this.host = host;
    this.splitPoints = splitPoints;
    this.settings = settings;
    this.nodes = nodes;
    this.threshold = settings.threshold(0);
    streams.listen(this);
  }

  /**
   * The node that leads says from how many reads per second on a copy is busy (decision 0090).
   *
   * @param perSecond 0 if it is as configured
   */
  void startAt(long perSecond) {
    double next = settings.threshold(perSecond);
    if (settings.enabled() && Double.compare(next, threshold) != 0) {
      threshold = next;
      shares.values().forEach(one -> one.balance.ifPresent(balance -> balance.startAt(next)));
    }
  }

  private Optional<Shared> shared(Copy copy) {
    return Optional.ofNullable(shares.get(copy.id())).filter(one -> one.copy.equals(copy));
  }

  private Optional<LoadBalance> balance(Copy copy) {
    return shared(copy).flatMap(one -> one.balance);
  }

  /** A copy here is asked for keys in an interval. */
  public void read(Copy copy, KeyRange span) {
    if (!settings.enabled()) {
      return;
    }
    long now = context.nanos();
    Shared shared =
        shared(copy)
            .orElseGet(
                () -> {
                  Shared fresh = new Shared(copy, settings.halfLifeNanos(), now);
                  shares.put(copy.id(), fresh);
                  lookCloser(fresh, 0, now);
                  return fresh;
                });
    shared.reads.read(1, now);
    shared.balance.ifPresent(balance -> balance.observeRead(span, now));
  }

  /** A key that halves the load of a copy, if it is watched closely. */
  public Optional<Bytes> middle(Copy copy) {
    return balance(copy).flatMap(balance -> balance.middle(context.nanos()));
  }

  /** Writes are readable in a copy here. */
  public void updated(Copy copy, List<VersionedWrite> writes) {
    balance(copy)
        .ifPresent(
            balance ->
                writes.forEach(write -> balance.observeUpdate(write.key(), context.nanos())));
  }

  /** A copy answers nothing from now on. */
  public void retired(Copy copy) {
    shared(copy).ifPresent(shared -> shares.remove(copy.id()));
  }

  /**
   * Whom to send a read-only request on to; absent if this copy is to answer it itself (rule 26).
   */
  public Optional<HotReplicaStreams.View> redirect(Copy copy, KeyRange span, Position at) {
    return balance(copy)
        .flatMap(balance -> balance.redirect(span, loads, context.ports().random()))
        .flatMap(node -> streams.answering(copy, node, span, at));
  }

  /** Tells loads, makes hot-spot replicas and drops them. Called once a period. */
  public void tick() {
    if (!settings.enabled()) {
      return;
    }
    long now = context.nanos();
    double own = host.reads();
    for (Shared shared : List.copyOf(shares.values())) {
      double reads = shared.reads.rates(now).reads();
      own += reads;
      watch(shared, reads, now);
    }
    hear(new NodeLoad(context.self(), context.incarnation(), ++told, Math.round(own * THOUSAND)));
    List<NodeId> here = nodes.get();
    heard.keySet().removeIf(node -> !here.contains(node));
    loads = new NodeLoads();
    heard.values().forEach(load -> loads.heard(load.node(), load.reads() / THOUSAND));
    tell(here);
    for (Shared shared : List.copyOf(shares.values())) {
      shared.balance.ifPresent(balance -> tend(shared.copy, balance, now));
    }
  }

  /** Begins to look closely at a copy, or ends; forgets one that no client reads. */
  private void watch(Shared shared, double reads, long now) {
    lookCloser(shared, reads, now);
    if (shared.balance.filter(balance -> balance.hotReplicas().isEmpty()).isPresent()
        && reads < lookFrom() * FAR) {
      shared.balance = Optional.empty();
    }
    if (shared.balance.isEmpty() && reads < settings.balance().idleRate()) {
      shares.remove(shared.copy.id());
    }
  }

  /** The histogram begins with parts of equal data, once it is known here how the data lie. */
  private void lookCloser(Shared shared, double reads, long now) {
    if (shared.balance.isEmpty() && reads >= lookFrom()) {
      shared.balance =
          splitPoints
              .of(shared.copy)
              .map(
                  keys ->
                      new Histogram(
                          shared.copy.keys(), keys.positions(), settings.histogram(), now))
              .map(
                  histogram ->
                      new LoadBalance(
                          context.self(), histogram, settings.balance().withUnitLoad(threshold)));
    }
  }

  private double lookFrom() {
    return threshold * settings.lookFrom();
  }

  private void tell(List<NodeId> here) {
    List<NodeId> others =
        new ArrayList<>(here.stream().filter(node -> !node.equals(context.self())).toList());
    for (int i = 0; i < TOLD && !others.isEmpty(); i++) {
      NodeId one = others.remove(context.ports().random().nextInt(others.size()));
      context.send(one, new LoadNews(List.copyOf(heard.values())));
    }
  }

  /** Loads that another node has heard of. */
  public void news(LoadNews news) {
    news.loads().forEach(this::hear);
  }

  private void hear(NodeLoad load) {
    heard.merge(load.node(), load, (old, next) -> next.isNewerThan(old) ? next : old);
  }

  private void tend(Copy copy, LoadBalance balance, long now) {
    Optional<RangeDescriptor> range = ledgerView.map().range(copy.id());
    if (!copies.isCurrent(copy) || range.isEmpty() || !(copy.serving() || copy.following())) {
      return;
    }
    List<NodeId> holders = new ArrayList<>(range.get().secondaries());
    holders.add(range.get().primary());
    balance.heldBy(holders);
    for (HotReplicaOrder order : balance.expired(now)) {
      streams.drop(copy, order.keys(), order.node());
    }
    for (HotReplicaOrder order : balance.round(now, loads, context.ports().random())) {
      context
          .ports()
          .log()
          .info(
              "range "
                  + copy.id()
                  + " is busy: a hot-spot replica of "
                  + order.keys()
                  + " goes to "
                  + order.node());
      streams.create(copy, order.keys(), order.node());
    }
  }

  @Override
  public void serves(Copy copy, KeyRange keys, NodeId node, double reads) {
    balance(copy)
        .ifPresent(
            balance -> {
              balance.ready(keys, node);
              balance.served(keys, node, reads);
            });
  }

  @Override
  public void lost(Copy copy, KeyRange keys, NodeId node) {
    balance(copy).ifPresent(balance -> balance.lost(keys, node));
  }
}
