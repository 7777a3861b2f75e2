package org.ecstore.txn.balance;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.ecstore.core.map.RangeDescriptor;
import org.ecstore.core.overlay.ClusterState;
import org.ecstore.core.overlay.Place;
import org.ecstore.core.overlay.Side;
import org.ecstore.id.NodeId;
import org.ecstore.id.RangeId;
import org.ecstore.key.Bytes;
import org.ecstore.txn.message.TxnMessage.CopyLoad;

/**
 * What to split, merge and shift, by what the nodes say that they hold and have to do (rule 21).
 * Decides nothing: each proposal is right by itself as things are, and the steward carries out one,
 * then asks anew.
 *
 * <ul>
 *   <li>A range that holds too much is split at its middle; one with too much to do, where its load
 *       is halved.
 *   <li>Of two nodes that are adjacent in the tree, the one that holds more than twice as much
 *       gives its outermost range to the other; if that is too large, it is split first.
 *   <li>A node that holds more than twice the mean, while neither neighbour is so much lighter,
 *       gets a light leaf from elsewhere beside it.
 *   <li>A node that has too much to do, and more than twice as much as one that has copies of its
 *       ranges, lets that be primary of one. No data moves.
 *   <li>Neighbours on the same nodes that have been small for long become one.
 * </ul>
 *
 * Each is bounded so that it cannot call for its reverse: what is shifted or moved is at most a
 * part of the difference ({@link Aim}), and what is merged is a quarter of what is split.
 */
public final class Balancer {
  /** How even it has to be. */
  public enum Aim {
    /** By itself the steward moves something only where much can be gained (rule 21). */
    ENOUGH(RebalanceSettings.TIMES, 0.6),
    /** For an operator it goes on. */
    EVEN(1.2, 0.5);

    /** Of two nodes the one must have so many times as much as the other. */
    private final double times;

    /** Of their difference at most this goes to the other side. */
    private final double part;

    Aim(double times, double part) {
      this.times = times;
      this.part = part;
    }
  }

  /** What changes a difference by less is not worth it. */
  private static final double PART_MIN = 0.05;

  private static final double SMALL = 0.25;
  private static final int PROPOSALS_MAX = 100;

  /** What the steward knows of nodes and copies. */
  public interface Cluster {
    /** Whether a node is there, does not leave, and may be primary of ranges. */
    boolean isStaying(NodeId node);

    /** Whether the primary of a range is there, in the incarnation that the map names. */
    boolean isServed(RangeDescriptor range);

    /** Whether a node that should have a copy of a range has said that it has. */
    boolean isWhole(RangeDescriptor range, NodeId holder);

    /** Keys at which an application wants ranges to be cut, in order. */
    List<Bytes> splitHints();
  }

  private final RebalanceSettings settings;
  private final Map<RangeId, Long> smallSince = new TreeMap<>();
  private final TreeSet<RangeId> whole = new TreeSet<>();

  /** Remembers nothing yet. */
  public Balancer(RebalanceSettings settings) {
    this.settings = settings;
  }

  /** Forgets what it remembers. */
  public void clear() {
    smallSince.clear();
    whole.clear();
  }

  /** A range has turned out to have no key at which it could be split. */
  public void cannotSplit(RangeId range) {
    whole.add(range);
  }

  /** Whether a range has not turned out to be of one key. */
  public boolean maySplit(RangeId range) {
    return !whole.contains(range);
  }

  /** What each node of the tree has, in key order. */
  public List<NodeShare> shares(ClusterState state, ClusterLoads loads) {
    Map<NodeId, double[]> rates = new TreeMap<>();
    for (RangeDescriptor range : state.ranges().ranges()) {
      holders(range)
          .forEach(
              node ->
                  loads
                      .of(range.id(), node)
                      .ifPresent(
                          load -> {
                            double[] sum = rates.computeIfAbsent(node, _ -> new double[2]);
                            sum[0] += perSecond(load.readsMilli());
                            sum[1] += perSecond(load.updatesMilli());
                          }));
    }
    List<NodeShare> shares = new ArrayList<>();
    for (Place place : state.tree().inOrder()) {
      List<RangeDescriptor> own = state.rangesWithin(place.node());
      Optional<Long> bytes = Optional.of(0L);
      for (RangeDescriptor range : own) {
        Optional<CopyLoad> load = loads.ofPrimary(range);
        bytes = bytes.flatMap(sum -> load.map(one -> sum + one.bytes()));
      }
      double[] sum = rates.getOrDefault(place.node(), new double[2]);
      shares.add(new NodeShare(place.node(), own.size(), bytes, sum[0], sum[1]));
    }
    return shares;
  }

  /** What to do, the most urgent first; at most {@value #PROPOSALS_MAX}. */
  public List<Proposal> proposals(
      ClusterState state, ClusterLoads loads, Cluster cluster, Aim aim, long nowNanos) {
    List<NodeShare> shares = shares(state, loads);
    List<Proposal> all = new ArrayList<>();
    for (RangeDescriptor range : state.ranges().ranges()) {
      if (cluster.isServed(range)) {
        loads.ofPrimary(range).flatMap(load -> tooLarge(range, load)).ifPresent(all::add);
      }
    }
    all.addAll(shifts(state, loads, cluster, aim, shares));
    all.addAll(unburdened(state, loads, cluster, aim, shares));
    rejoin(state, loads, cluster, shares).ifPresent(all::add);
    all.addAll(merges(state, loads, cluster, nowNanos));
    return all.stream().limit(PROPOSALS_MAX).toList();
  }

  private static Stream<NodeId> holders(RangeDescriptor range) {
    return Stream.concat(Stream.of(range.primary()), range.secondaries().stream());
  }

  private static double perSecond(long milli) {
    return milli / 1_000.0;
  }

  private static double rate(CopyLoad load) {
    return perSecond(load.readsMilli() + load.updatesMilli());
  }

  private boolean maySplit(RangeDescriptor range, CopyLoad load) {
    return load.records() >= 2 && maySplit(range.id());
  }

  // --- size

  private Optional<Proposal> tooLarge(RangeDescriptor range, CopyLoad load) {
    return load.bytes() > settings.splitBytes() && maySplit(range, load)
        ? Optional.of(
            new Proposal.Split(
                range,
                false,
                "it holds %s, and %s is the most"
                    .formatted(Amounts.bytes(load.bytes()), Amounts.bytes(settings.splitBytes()))))
        : Optional.empty();
  }

  private List<Proposal> shifts(
      ClusterState state, ClusterLoads loads, Cluster cluster, Aim aim, List<NodeShare> shares) {
    List<Proposal> found = new ArrayList<>();
    for (int i = 1; i < shares.size(); i++) {
      NodeShare left = shares.get(i - 1);
      NodeShare right = shares.get(i);
      if (left.bytes().isPresent() && right.bytes().isPresent()) {
        boolean leftIsHeavy = left.bytes().get() > right.bytes().get();
        NodeShare heavy = leftIsHeavy ? left : right;
        NodeShare light = leftIsHeavy ? right : left;
        Side side = leftIsHeavy ? Side.RIGHT : Side.LEFT;
        shift(state, loads, cluster, aim, heavy, light, side).ifPresent(found::add);
      }
    }
    return found;
  }

  private static boolean isTwice(long heavy, long light) {
    return heavy > RebalanceSettings.TIMES * light;
  }

  private Optional<Proposal> shift(
      ClusterState state,
      ClusterLoads loads,
      Cluster cluster,
      Aim aim,
      NodeShare heavy,
      NodeShare light,
      Side side) {
    long more = heavy.bytes().orElseThrow();
    long less = light.bytes().orElseThrow();
    long difference = more - less;
    if (more <= aim.times * less
        || difference < settings.shiftBytes()
        || !cluster.isStaying(heavy.node())
        || !cluster.isStaying(light.node())) {
      return Optional.empty();
    }
    List<RangeDescriptor> own = state.rangesWithin(heavy.node());
    RangeDescriptor range = side == Side.LEFT ? own.getFirst() : own.getLast();
    Optional<CopyLoad> load = loads.ofPrimary(range);
    if (load.isEmpty() || !cluster.isServed(range)) {
      return Optional.empty();
    }
    String why =
        "%s holds %s, its neighbour %s %s"
            .formatted(heavy.node(), Amounts.bytes(more), light.node(), Amounts.bytes(less));
    if (own.size() > 1 && load.get().bytes() <= difference * aim.part) {
      return Optional.of(new Proposal.Shift(range, heavy.node(), light.node(), why));
    }
    return maySplit(range, load.get())
        ? Optional.of(new Proposal.Split(range, false, why))
        : Optional.empty();
  }

  private Optional<Proposal> rejoin(
      ClusterState state, ClusterLoads loads, Cluster cluster, List<NodeShare> shares) {
    if (shares.stream().anyMatch(share -> share.bytes().isEmpty())) {
      return Optional.empty();
    }
    long total = shares.stream().mapToLong(share -> share.bytes().orElse(0L)).sum();
    double mean = (double) total / Math.max(1, shares.size());
    for (int i = 0; i < shares.size(); i++) {
      NodeShare loaded = shares.get(i);
      long most = loaded.bytes().orElse(0L);
      if (isTwice(most, Math.round(mean))
          && most - mean >= settings.shiftBytes()
          && cluster.isStaying(loaded.node())
          && state.rangesWithin(loaded.node()).stream().allMatch(cluster::isServed)) {
        List<RangeDescriptor> own = state.rangesWithin(loaded.node());
        if (own.size() == 1) {
          return loads
              .ofPrimary(own.getFirst())
              .filter(load -> maySplit(own.getFirst(), load))
              .map(
                  load ->
                      new Proposal.Split(
                          own.getFirst(),
                          false,
                          "%s holds %s, more than twice the mean"
                              .formatted(loaded.node(), Amounts.bytes(most))));
        }
        int at = i;
        Optional<NodeShare> light =
            shares.stream()
                .filter(share -> Math.abs(shares.indexOf(share) - at) > 1)
                .filter(share -> state.tree().isLeaf(share.node()))
                .filter(share -> isTwice(most, 2 * share.bytes().orElse(0L)))
                .filter(share -> mayRejoin(state, cluster, share.node()))
                .min(Comparator.comparing(share -> share.bytes().orElse(0L)));
        if (light.isPresent()) {
          return Optional.of(
              new Proposal.Rejoin(
                  light.get().node(),
                  loaded.node(),
                  "%s holds %s, its neighbours more than half as much; %s holds %s"
                      .formatted(
                          loaded.node(),
                          Amounts.bytes(most),
                          light.get().node(),
                          Amounts.bytes(light.get().bytes().orElse(0L)))));
        }
      }
    }
    return Optional.empty();
  }

  /**
   * Whether a node serves what belongs to it and nothing else, so that it can go out of the tree.
   */
  private static boolean mayRejoin(ClusterState state, Cluster cluster, NodeId node) {
    return cluster.isStaying(node)
        && state.rangesOf(node).equals(state.rangesWithin(node))
        && state.rangesOf(node).stream().allMatch(cluster::isServed);
  }

  // --- load

  private List<Proposal> unburdened(
      ClusterState state, ClusterLoads loads, Cluster cluster, Aim aim, List<NodeShare> shares) {
    List<Proposal> found = new ArrayList<>();
    if (settings.splitRate() == 0 || shares.size() < 2) {
      return found;
    }
    for (NodeShare busy : shares) {
      if (busy.rate() > settings.splitRate() && cluster.isStaying(busy.node())) {
        unburden(state, loads, cluster, aim, busy, shares).ifPresent(found::add);
      }
    }
    return found;
  }

  private record Served(RangeDescriptor range, CopyLoad load) {}

  private Optional<Proposal> unburden(
      ClusterState state,
      ClusterLoads loads,
      Cluster cluster,
      Aim aim,
      NodeShare busy,
      List<NodeShare> shares) {
    List<Served> served = new ArrayList<>();
    for (RangeDescriptor range : state.rangesOf(busy.node())) {
      Optional<CopyLoad> load = loads.ofPrimary(range);
      if (load.isPresent() && cluster.isServed(range)) {
        served.add(new Served(range, load.get()));
      }
    }
    served.sort(
        Comparator.comparingDouble((Served one) -> rate(one.load()))
            .reversed()
            .thenComparing(one -> one.range().id()));
    for (Served one : served) {
      Optional<Proposal> moved = changePrimary(cluster, aim, busy, one, shares);
      if (moved.isPresent()) {
        return moved;
      }
    }
    return served.stream()
        .filter(one -> rate(one.load()) > settings.splitRate())
        .filter(one -> maySplit(one.range(), one.load()))
        .findFirst()
        .map(
            one ->
                new Proposal.Split(
                    one.range(),
                    true,
                    "%s reads and updates per second, and %s are the most"
                        .formatted(
                            Amounts.rate(rate(one.load())), Amounts.rate(settings.splitRate()))));
  }

  private static Optional<Proposal> changePrimary(
      Cluster cluster, Aim aim, NodeShare busy, Served one, List<NodeShare> shares) {
    double rate = rate(one.load());
    return shares.stream()
        .filter(share -> one.range().secondaries().contains(share.node()))
        .filter(share -> busy.rate() > aim.times * share.rate())
        .filter(share -> rate <= (busy.rate() - share.rate()) * aim.part)
        .filter(share -> rate >= (busy.rate() - share.rate()) * PART_MIN)
        .filter(share -> cluster.isStaying(share.node()))
        .filter(share -> cluster.isWhole(one.range(), share.node()))
        .min(Comparator.comparingDouble(NodeShare::rate).thenComparing(NodeShare::node))
        .map(
            share ->
                new Proposal.ChangePrimary(
                    one.range(),
                    share.node(),
                    "%s has %s reads and updates per second, %s of them of this range; %s has %s"
                        .formatted(
                            busy.node(),
                            Amounts.rate(busy.rate()),
                            Amounts.rate(rate),
                            share.node(),
                            Amounts.rate(share.rate()))));
  }

  // --- merges

  private List<Proposal> merges(
      ClusterState state, ClusterLoads loads, Cluster cluster, long nowNanos) {
    List<Proposal> found = new ArrayList<>();
    TreeSet<RangeId> small = new TreeSet<>();
    if (settings.mergeNanos() > 0) {
      List<RangeDescriptor> ranges = state.ranges().ranges();
      for (int i = 1; i < ranges.size(); i++) {
        RangeDescriptor left = ranges.get(i - 1);
        RangeDescriptor right = ranges.get(i);
        if (isSmall(state, loads, cluster, left, right)) {
          small.add(left.id());
          long since = smallSince.computeIfAbsent(left.id(), _ -> nowNanos);
          if (nowNanos - since >= settings.mergeNanos()) {
            found.add(new Proposal.Merge(left, right, "they have been small for long"));
          }
        }
      }
    }
    smallSince.keySet().retainAll(small);
    return found;
  }

  private boolean isSmall(
      ClusterState state,
      ClusterLoads loads,
      Cluster cluster,
      RangeDescriptor left,
      RangeDescriptor right) {
    Optional<CopyLoad> one = loads.ofPrimary(left);
    Optional<CopyLoad> other = loads.ofPrimary(right);
    boolean together =
        one.isPresent()
            && other.isPresent()
            && left.primary().equals(right.primary())
            && new TreeSet<>(left.secondaries()).equals(new TreeSet<>(right.secondaries()))
            && state.ownerOf(left).equals(state.ownerOf(right))
            && state.homeOf(left).equals(state.homeOf(right))
            && cluster.isServed(left)
            && cluster.isServed(right)
            && !cluster.splitHints().contains(right.keys().start());
    return together
        && one.get().bytes() + other.get().bytes() < settings.splitBytes() * SMALL
        && (settings.splitRate() == 0
            || rate(one.get()) + rate(other.get()) < settings.splitRate() * SMALL);
  }
}
