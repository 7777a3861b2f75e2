package org.ecstore.txn.qos.control;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.ecstore.core.port.Coordination.Member;
import org.ecstore.core.port.Provisioner;
import org.ecstore.id.NodeId;
import org.ecstore.model.control.NodeLoad;
import org.ecstore.model.control.ServiceLimit;
import org.ecstore.model.objective.Objective;
import org.ecstore.model.objective.ServiceFigures;
import org.ecstore.protocol.ClientReply.NodeLoadLine;
import org.ecstore.replication.hotspot.HotReplicaSettings;
import org.ecstore.txn.qos.control.Situation.Relief;
import org.ecstore.txn.qos.control.Situation.Served;
import org.ecstore.txn.qos.control.book.ControlBook;
import org.ecstore.txn.qos.measured.MeasuredTables;
import org.ecstore.txn.qos.objective.ObjectiveBook;
import org.ecstore.txn.qos.objective.ObjectiveBook.Promise;
import org.ecstore.txn.qos.objective.ObjectiveKeeper;

/** What the controller knows of the cluster, and which nodes may come or go. */
final class ClusterOutlook {
  /** Why it cannot be said which nodes have places. */
  static final String MAP_UNKNOWN = "the map of the ranges is being changed, or read";

  private static final int MILLI_DIGITS = 3;
  private static final double THOUSAND = 1_000;

  /** Of what a provisioner says of itself. */
  private static final int WORDS_MAX = 200;

  /** A copy that has such a part of what the busiest node is asked for is much of its load. */
  private static final double HOT_PART = 0.25;

  /** A threshold that is not lowered by half is not worth it. */
  private static final int LOWERED_MIN = 2;

  /**
   * What a node uses while no client asks: three of 0.3 processors were measured to use 0.25
   * together (docs/qos-runs.md, "A recorded run"), and a little more so that what operations take
   * is not made more than it is.
   */
  private static final BigDecimal IDLE_PROCESSORS = new BigDecimal("0.09");

  /** Nodes that are named of those that do not say what they cost, or that are not there. */
  private static final int NAMED_MAX = 5;

  private final ControlledCluster cluster;
  private final ObjectiveKeeper objectives;
  private final Provisioner provisioner;
  private final LimitShares shares;
  private final ControlTiming timing;
  private final SortedMap<NodeId, NodeLoad> loads = new TreeMap<>();

  /** What an hour of nodes costs, as they said when they were there last. */
  private final SortedMap<NodeId, BigDecimal> pricesHeard = new TreeMap<>();

  ClusterOutlook(
      ControlledCluster cluster,
      ObjectiveKeeper objectives,
      Provisioner provisioner,
      LimitShares shares,
      ControlTiming timing) {
    this.cluster = cluster;
    this.objectives = objectives;
    this.provisioner = provisioner;
    this.shares = shares;
    this.timing = timing;
  }

  /** What nodes have said of what they have to do counts no more. */
  void clear() {
    loads.clear();
  }

  /** This node has come to lead: what was known before counts no more. */
  void forget() {
    clear();
    pricesHeard.clear();
  }

  /** A node says what it has to do. */
  void told(NodeId from, NodeLoad load) {
    loads.put(from, load);
  }

  /**
   * What nodes that have gone have said counts no more, but for what those cost that may return.
   */
  void keepOnlyMembers() {
    Set<NodeId> there = new TreeSet<>();
    for (Member member : cluster.members()) {
      there.add(member.node());
      member
          .info()
          .traits()
          .pricePerHour()
          .ifPresent(price -> pricesHeard.put(member.node(), price));
    }
    loads.keySet().retainAll(there);
    if (cluster.isKnown()) {
      there.addAll(cluster.absent());
      pricesHeard.keySet().retainAll(there);
    }
  }

  /** Nodes that are not there and may come at any time: those with places, and those ordered. */
  private Set<NodeId> away(ControlBook book) {
    Set<NodeId> away = new TreeSet<>(cluster.absent());
    book.added().stream().filter(node -> !isThere(node)).forEach(away::add);
    return away;
  }

  /**
   * What is not known of the cluster yet; absent if all is.
   *
   * @param isTold whether nodes say what they have to do, as something is promised
   */
  Optional<String> unknown(boolean isTold) {
    if (!cluster.isKnown()) {
      return Optional.of(MAP_UNKNOWN);
    }
    List<String> silent =
        cluster.members().stream()
            .map(Member::node)
            .filter(node -> isTold && cluster.hasAnything(node) && !loads.containsKey(node))
            .map(NodeId::toString)
            .toList();
    return silent.isEmpty()
        ? Optional.empty()
        : Optional.of(
            "%s %s not said yet how much there is to do"
                .formatted(
                    String.join(", ", silent.subList(0, Math.min(NAMED_MAX, silent.size()))),
                    silent.size() == 1 ? "has" : "have"));
  }

  /** For people. */
  List<NodeLoadLine> lines() {
    return loads.entrySet().stream()
        .map(one -> new NodeLoadLine(one.getKey(), one.getValue()))
        .toList();
  }

  /** Whether a node is a member. */
  boolean isThere(NodeId node) {
    return cluster.members().stream().anyMatch(member -> member.node().equals(node));
  }

  /** What the provisioner says of itself, as far as that is kept. */
  String provisionerWords() {
    String words = provisioner.words();
    return words.substring(0, Math.min(WORDS_MAX, words.length()));
  }

  /**
   * How much of their capacity nodes use while no client asks, in the mean, as a share of it. One
   * that has its machine for itself is taken to have one processor.
   */
  double idle() {
    return cluster.members().stream()
        .mapToDouble(
            member ->
                member
                    .info()
                    .traits()
                    .capacity()
                    .map(held -> idle(held.processors()))
                    .orElseGet(() -> idle(BigDecimal.ONE)))
        .average()
        .orElse(0);
  }

  private static double idle(BigDecimal processors) {
    return Math.min(1, IDLE_PROCESSORS.doubleValue() / processors.doubleValue());
  }

  /** What clients have had in the last half of a window: since an action whose effect is known. */
  Optional<ServiceFigures> figures(Objective objective) {
    return objectives.history().last(objective, Math.max(2, timing.window() / 2));
  }

  /**
   * What there is as something is looked for.
   *
   * @param limits what applications may have
   * @param mayShrink whether the cluster can do without one of its nodes
   * @param tables that are consulted
   */
  Situation situation(
      ControlBook book,
      ObjectiveBook promised,
      List<ServiceLimit> limits,
      boolean mayShrink,
      MeasuredTables tables) {
    List<Served> served = served(promised);
    SortedMap<String, Long> caps = new TreeMap<>();
    limits.stream()
        .filter(limit -> limit.perSecond() > 0)
        .forEach(limit -> caps.put(limit.application(), limit.perSecond()));
    return new Situation(
        served,
        working(),
        cluster.places(),
        caps,
        book.mayRebalance(),
        whyNoNode(book).isPresent() ? Optional.empty() : Optional.of(nextNode(book)),
        spare(book, mayShrink),
        new Relief(relief(book, served), unevenBefore(book)),
        tables,
        book.mayLimit(),
        shares.perSecond());
  }

  /**
   * What nodes say that have anything to do: one that has nothing left makes others no less busy.
   */
  private SortedMap<NodeId, NodeLoad> working() {
    SortedMap<NodeId, NodeLoad> working = new TreeMap<>(loads);
    working.keySet().removeIf(node -> !cluster.hasAnything(node));
    return working;
  }

  /**
   * From how many reads a second of a copy on hot-spot replicas would take much off the busiest
   * node; 0 if none would come that are not there already, or have no node to go to.
   */
  private long relief(ControlBook book, List<Served> served) {
    boolean hasRoom = cluster.places() > cluster.copies();
    if (!hasRoom || timing.hotThreshold() == 0 || !book.mayLowerThreshold()) {
      return 0;
    }
    long least = Math.ceilDiv(timing.hotThreshold(), HotReplicaSettings.LOWERED_MAX);
    long wanted = Math.max(least, Math.round(busiestPerSecond(served) * HOT_PART));
    long now = hotThreshold(book);
    return wanted <= now / LOWERED_MIN ? wanted : 0;
  }

  private long hotThreshold(ControlBook book) {
    return book.hotThreshold().isLowered()
        ? Math.min(timing.hotThreshold(), book.hotThreshold().perSecond())
        : timing.hotThreshold();
  }

  /**
   * Operations a second that the busiest node takes: as it counts them, else its part of what
   * applications have, by what nodes use of their capacity.
   */
  private double busiestPerSecond(List<Served> served) {
    Optional<Map.Entry<NodeId, NodeLoad>> busiest =
        loads.entrySet().stream().max(Comparator.comparingLong(one -> one.getValue().busyMilli()));
    double counted = busiest.map(one -> shares.perSecond(one.getKey())).orElse(0.0);
    if (counted > 0) {
      return counted;
    }
    double all = loads.values().stream().mapToLong(NodeLoad::busyMilli).sum();
    double part = busiest.map(one -> one.getValue().busyMilli() / Math.max(1, all)).orElse(0.0);
    return part * served.stream().mapToDouble(Served::perSecond).sum();
  }

  private static double unevenBefore(ControlBook book) {
    return book.hotThreshold().isLowered()
        ? Math.max(Remedies.UNEVEN, book.hotThreshold().unevenMilli() / THOUSAND)
        : 0;
  }

  /** How many times the mean the busiest node has to do, in thousandths; 0 if that is not known. */
  long unevenMilli() {
    double mean = loads.values().stream().mapToLong(NodeLoad::busyMilli).average().orElse(0);
    double most = loads.values().stream().mapToLong(NodeLoad::busyMilli).max().orElse(0);
    return mean == 0 ? 0 : Math.round(most / mean * THOUSAND);
  }

  /** What applications with objectives have. */
  List<Served> served(ObjectiveBook promised) {
    List<Served> served = new ArrayList<>();
    for (Promise promise : promised.promises()) {
      Objective objective = promise.objective();
      served.add(new Served(objective, figures(objective), counted(objective)));
    }
    return served;
  }

  /**
   * What nodes count of an application; absent where they count nothing at all, or do not know of
   * it yet. Who reads tables of another application counts as that one, and has none of its own,
   * whatever its clients report.
   */
  private OptionalDouble counted(Objective objective) {
    return shares.perSecond() > 0 && shares.isCounted(objective.application())
        ? OptionalDouble.of(shares.perSecond(objective.application()))
        : OptionalDouble.empty();
  }

  /** No number is used twice: what an order that is told late brings is known for what it is. */
  private NodeId nextNode(ControlBook book) {
    long known = cluster.last().map(NodeId::value).orElse(0L);
    return new NodeId(Math.max(known, book.lastNode()) + 1);
  }

  /** Why no node may be added, in words; absent if one may. */
  Optional<String> whyNoNode(ControlBook book) {
    Set<NodeId> away = away(book);
    int nodes = cluster.members().size() + away.size();
    if (!provisioner.isThere()) {
      return Optional.of("nothing can start a node here: see provisioner.command");
    }
    if (nodes >= book.settings().nodesMax() || book.added().size() >= ControlBook.ADDED_MAX) {
      return Optional.of(
          "there are %d nodes already, as many as may be%s".formatted(nodes, whoIsAway(away)));
    }
    return whyTooDear(book);
  }

  /** Of the nodes that are reckoned with, which are not there, in words. */
  private String whoIsAway(Set<NodeId> away) {
    List<NodeId> down = List.copyOf(cluster.absent());
    long ordered = away.stream().filter(node -> !down.contains(node)).count();
    return (down.isEmpty() ? "" : "; " + named(down) + " may return")
        + (ordered == 0 ? "" : "; %d of them were ordered and have not come".formatted(ordered));
  }

  private static String named(List<NodeId> nodes) {
    return nodes.stream().limit(NAMED_MAX).map(NodeId::toString).collect(Collectors.joining(", "));
  }

  /**
   * Why the bound of the price keeps nodes from coming; absent if there is none, or it does not.
   */
  private Optional<String> whyTooDear(ControlBook book) {
    BigDecimal most = mostCost(book);
    if (most.signum() == 0) {
      return Optional.empty();
    }
    List<String> silent =
        cluster.members().stream()
            .filter(member -> member.info().traits().pricePerHour().isEmpty())
            .map(member -> member.node().toString())
            .toList();
    if (!silent.isEmpty()) {
      return Optional.of(
          ("what a node more would cost is not known: give %s a node.price, or take the bound away"
                  + " by qos mode --cost-max 0")
              .formatted(String.join(", ", silent.subList(0, Math.min(NAMED_MAX, silent.size())))));
    }
    BigDecimal cost = cost(away(book)).add(dearest());
    return cost.compareTo(most) > 0
        ? Optional.of(
            "one node more would cost %s an hour, above %s"
                .formatted(cost.toPlainString(), most.stripTrailingZeros().toPlainString()))
        : Optional.empty();
  }

  /** What an hour of all nodes may cost; 0 if that is not bounded. */
  private static BigDecimal mostCost(ControlBook book) {
    return BigDecimal.valueOf(book.settings().costMaxMilli(), MILLI_DIGITS);
  }

  /** Of the nodes that say what an hour of them costs. */
  private List<BigDecimal> prices() {
    return cluster.members().stream()
        .flatMap(member -> member.info().traits().pricePerHour().stream())
        .toList();
  }

  /**
   * What an hour of all of those costs, and of some that are not there: what was started for these
   * may cost as much already. One whose price was never heard is taken to be one of the dearest.
   */
  private BigDecimal cost(Set<NodeId> away) {
    BigDecimal unknown = dearest();
    return Stream.concat(
            prices().stream(), away.stream().map(node -> pricesHeard.getOrDefault(node, unknown)))
        .reduce(BigDecimal.ZERO, BigDecimal::add);
  }

  /** What one more of the dearest nodes costs. */
  private BigDecimal dearest() {
    return prices().stream().reduce(BigDecimal.ZERO, BigDecimal::max);
  }

  /**
   * How many nodes there may be by both bounds, if more may come at all: those that there are, or
   * that may return, if the bound of the price lets no other come.
   */
  int nodesMax(ControlBook book) {
    int there = cluster.members().size() + cluster.absent().size();
    int most = Math.max(there, book.settings().nodesMax());
    if (whyTooDear(book).isPresent()) {
      return there;
    }
    BigDecimal bound = mostCost(book);
    BigDecimal each = dearest();
    if (bound.signum() == 0 || each.signum() == 0) {
      return most;
    }
    BigDecimal left = bound.subtract(cost(cluster.absent()));
    int more = left.divideToIntegralValue(each).min(BigDecimal.valueOf(most - there)).intValue();
    return there + more;
  }

  /** A node that was added and has nothing: it should have gone already, or has not come. */
  Optional<NodeId> useless(ControlBook book, Predicate<NodeId> hasNothing) {
    return book.nextToGo(hasNothing);
  }

  /** The node that was added and may go, if the cluster can do without one. */
  private Optional<NodeId> spare(ControlBook book, boolean mayShrink) {
    return mayShrink ? book.nextToGo(cluster::hasAnything) : Optional.empty();
  }
}
