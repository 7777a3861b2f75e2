package org.ecstore.replication.load;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.random.RandomGenerator;
import org.ecstore.id.NodeId;
import org.ecstore.key.Bytes;
import org.ecstore.key.KeyRange;

/**
 * The hot-spot replicas of one copy, primary or secondary: when to make them, of what and where,
 * whom to send readers to, and when to drop them (rules 24-26). Decides only; who owns it carries
 * the orders out, feeds the hot-spot replicas, and tells what became of them. Hot-spot replicas are
 * soft state: this object is all that knows them, and a crash forgets them.
 *
 * <p>Once in a while the owner calls {@link #round} and {@link #expired}. A round, if the load has
 * crossed a level upwards, takes the m hottest buckets that are small, shares out so many hot-spot
 * replicas among them in proportion to their reads, and puts each on one of the lightest nodes, at
 * random among the lightest few, so that not all overloaded nodes choose the same.
 *
 * <p>Reads that hot-spot replicas serve do not pass here, as clients remember them (rule 26). A
 * hot-spot replica reports its rate with what it acknowledges; otherwise a bucket would seem cold
 * because its hot-spot replicas do their work.
 *
 * <p>Used by one thread. Paper: ecStore §4.2, §4.3, §4.4 (redirection).
 */
public final class LoadBalance {
  private static final class HotReplica {
    final KeyRange keys;
    final NodeId node;
    boolean ready;
    double reads;

    HotReplica(KeyRange keys, NodeId node) {
      this.keys = keys;
      this.node = node;
    }
  }

  /** Hot-spot replicas that have been of no use since a time. */
  private record Useless(KeyRange keys, long sinceNanos) {}

  private final NodeId self;
  private final RangeHistogram histogram;
  private final BalanceSettings settings;
  private final LoadTrigger trigger;
  private final Set<NodeId> holders = new TreeSet<>();
  private final List<HotReplica> hotReplicas = new ArrayList<>();
  private final List<Useless> useless = new ArrayList<>();

  /** The copy has no hot-spot replicas yet. */
  public LoadBalance(NodeId self, RangeHistogram histogram, BalanceSettings settings) {
    this.self = self;
    this.histogram = histogram;
    this.settings = settings;
    this.trigger = new LoadTrigger(settings.unitLoad(), settings.thresholdFactor());
  }

  // --- what happens

  /** Which nodes have a whole copy of the range: they get no hot-spot replicas of it. */
  public void heldBy(Collection<NodeId> nodes) {
    holders.clear();
    holders.addAll(nodes);
  }

  /** This copy has served a query, of one key or many. */
  public void observeRead(KeyRange query, long nowNanos) {
    histogram.read(query, nowNanos);
  }

  /** This copy has applied a write. */
  public void observeUpdate(Bytes key, long nowNanos) {
    histogram.update(key, nowNanos);
  }

  /** A hot-spot replica has everything and may be read: from now on readers are sent there. */
  public void ready(KeyRange keys, NodeId node) {
    hotReplicas.stream()
        .filter(hotReplica -> is(hotReplica, keys, node))
        .forEach(hotReplica -> hotReplica.ready = true);
  }

  /** A hot-spot replica says how many queries it serves per second. */
  public void served(KeyRange keys, NodeId node, double reads) {
    hotReplicas.stream()
        .filter(hotReplica -> is(hotReplica, keys, node))
        .forEach(hotReplica -> hotReplica.reads = reads);
  }

  /** A hot-spot replica is no more, or could not be made. */
  public void lost(KeyRange keys, NodeId node) {
    hotReplicas.removeIf(hotReplica -> is(hotReplica, keys, node));
  }

  /** A node is gone, and every hot-spot replica on it. */
  public void lost(NodeId node) {
    hotReplicas.removeIf(hotReplica -> hotReplica.node.equals(node));
  }

  private static boolean is(HotReplica hotReplica, KeyRange keys, NodeId node) {
    return hotReplica.keys.equals(keys) && hotReplica.node.equals(node);
  }

  /**
   * From other loads on the copy is busy (rule 25).
   *
   * @param unitLoad c, in reads per second, above 0
   */
  public void startAt(double unitLoad) {
    trigger.startAt(unitLoad);
  }

  // --- what is so

  /** The copy's own load, in reads served per second: without what its hot-spot replicas serve. */
  public double load(long nowNanos) {
    return histogram.load(nowNanos);
  }

  /** All hot-spot replicas, those that are being made among them. */
  public List<HotReplicaOrder> hotReplicas() {
    return hotReplicas.stream()
        .map(hotReplica -> new HotReplicaOrder(hotReplica.keys, hotReplica.node))
        .toList();
  }

  /**
   * A bound between buckets that comes nearest to halving reads and updates; absent if nothing is
   * known of either.
   */
  public Optional<Bytes> middle(long nowNanos) {
    List<Bucket> buckets = histogram.buckets(nowNanos);
    double all = buckets.stream().mapToDouble(LoadBalance::accesses).sum();
    double below = 0;
    double nearest = all;
    Optional<Bytes> middle = Optional.empty();
    for (int i = 1; i < buckets.size(); i++) {
      below += accesses(buckets.get(i - 1));
      double distance = Math.abs(below - all / 2);
      if (distance < nearest) {
        nearest = distance;
        middle = Optional.of(buckets.get(i).keys().start());
      }
    }
    return middle;
  }

  private static double accesses(Bucket bucket) {
    return bucket.rates().reads() + bucket.rates().updates();
  }

  // --- what to do

  /** Restructures the histogram and says which hot-spot replicas to make; most often none. */
  public List<HotReplicaOrder> round(long nowNanos, NodeLoads loads, RandomGenerator random) {
    histogram.restructure(nowNanos);
    if (!trigger.crosses(histogram.load(nowNanos))) {
      return List.of();
    }
    List<Bucket> hottest =
        histogram.buckets(nowNanos).stream()
            .filter(bucket -> bucket.share() <= settings.smallShare())
            .filter(bucket -> bucket.rates().reads() > bucket.rates().updates())
            .filter(bucket -> !lighter(bucket.keys(), loads).isEmpty())
            .sorted(Comparator.comparingDouble((Bucket bucket) -> -bucket.rates().reads()))
            .limit(settings.bucketsPerRound())
            .toList();
    double together = hottest.stream().mapToDouble(bucket -> bucket.rates().reads()).sum();
    List<HotReplicaOrder> orders = new ArrayList<>();
    for (Bucket bucket : hottest) {
      double part = bucket.rates().reads() / together;
      long wanted = Math.round(part * settings.hotReplicasPerRound());
      for (long i = 0; i < wanted && hotReplicas.size() < settings.hotReplicasMax(); i++) {
        List<NodeId> nodes = lighter(bucket.keys(), loads);
        if (nodes.isEmpty()) {
          break;
        }
        int few = Math.min(settings.lightest(), nodes.size());
        NodeId node = nodes.get(random.nextInt(few));
        hotReplicas.add(new HotReplica(bucket.keys(), node));
        orders.add(new HotReplicaOrder(bucket.keys(), node));
        loads.expect(node, bucket.rates().reads() / (wanted + 1));
      }
    }
    return orders;
  }

  /**
   * Nodes enough lighter than this one that have nothing of an interval yet, the lightest first.
   */
  private List<NodeId> lighter(KeyRange keys, NodeLoads loads) {
    Set<NodeId> taken = new TreeSet<>(holders);
    taken.add(self);
    hotReplicas.stream()
        .filter(hotReplica -> hotReplica.keys.overlaps(keys))
        .forEach(hotReplica -> taken.add(hotReplica.node));
    return loads.lighterThan(loads.of(self) / (1 + settings.tolerance()), taken);
  }

  /**
   * The hot-spot replicas to drop, which are forgotten here: those of keys that for a while have
   * been updated more than they were read, here and by the hot-spot replicas together, or hardly
   * read at all.
   */
  public List<HotReplicaOrder> expired(long nowNanos) {
    List<KeyRange> all =
        hotReplicas.stream().map(hotReplica -> hotReplica.keys).distinct().toList();
    useless.removeIf(range -> !all.contains(range.keys()) || isUseful(range.keys(), nowNanos));
    for (KeyRange keys : all) {
      if (useless.stream().noneMatch(range -> range.keys().equals(keys))
          && !isUseful(keys, nowNanos)) {
        useless.add(new Useless(keys, nowNanos));
      }
    }
    List<HotReplicaOrder> orders = new ArrayList<>();
    for (Useless range : List.copyOf(useless)) {
      if (nowNanos - range.sinceNanos() >= settings.idleNanos()) {
        useless.remove(range);
        hotReplicas.stream()
            .filter(hotReplica -> hotReplica.keys.equals(range.keys()))
            .forEach(
                hotReplica -> orders.add(new HotReplicaOrder(hotReplica.keys, hotReplica.node)));
      }
    }
    orders.forEach(order -> lost(order.keys(), order.node()));
    return orders;
  }

  private boolean isUseful(KeyRange keys, long nowNanos) {
    Rates here = histogram.rates(keys, nowNanos);
    double there =
        hotReplicas.stream()
            .filter(hotReplica -> hotReplica.keys.equals(keys))
            .mapToDouble(hotReplica -> hotReplica.reads)
            .sum();
    double reads = here.reads() + there;
    return reads >= here.updates() && reads >= settings.idleRate();
  }

  /**
   * Whom to send a reader to instead of answering; absent if this copy answers itself: because its
   * node is not overloaded, or no lighter one has a hot-spot replica of all that is asked. Of two
   * hot-spot replicas drawn at random the lighter one is taken, so that loads that are a little old
   * do not send all readers to the same. Only for reads of a read-only request.
   */
  public Optional<NodeId> redirect(KeyRange query, NodeLoads loads, RandomGenerator random) {
    double own = loads.of(self);
    if (hotReplicas.isEmpty() || own <= loads.mean() * (1 + settings.tolerance())) {
      return Optional.empty();
    }
    List<NodeId> able =
        hotReplicas.stream()
            .filter(hotReplica -> hotReplica.ready && hotReplica.keys.contains(query))
            .map(hotReplica -> hotReplica.node)
            .filter(node -> loads.of(node) < own)
            .toList();
    if (able.isEmpty()) {
      return Optional.empty();
    }
    NodeId one = able.get(random.nextInt(able.size()));
    NodeId other = able.get(random.nextInt(able.size()));
    return Optional.of(loads.of(other) < loads.of(one) ? other : one);
  }
}
