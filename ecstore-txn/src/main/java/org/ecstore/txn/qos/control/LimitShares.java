package org.ecstore.txn.qos.control;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.ecstore.core.port.Coordination.Member;
import org.ecstore.core.runtime.NodeContext;
import org.ecstore.id.NodeId;
import org.ecstore.model.control.ServiceLimit;
import org.ecstore.model.objective.Objective;
import org.ecstore.model.objective.OfferedLoad.OperationRate;
import org.ecstore.model.objective.ServiceClass;
import org.ecstore.txn.limit.ApplicationLimits;
import org.ecstore.txn.limit.FairShares;
import org.ecstore.txn.message.TxnMessage.ApplicationCount;
import org.ecstore.txn.message.TxnMessage.LimitNews;
import org.ecstore.txn.qos.control.book.ControlBook;
import org.ecstore.txn.qos.control.book.ControlBook.Cap;
import org.ecstore.txn.qos.objective.ObjectiveBook.Promise;

/**
 * Tells each node its part of what applications may have: by what it has had to do for them of
 * late, as clients ask nodes unevenly.
 */
final class LimitShares {
  /**
   * An application within its promise may ask some nodes for more than they have had of it: each
   * has so many times its part of the promise.
   */
  private static final double HEADROOM = 2;

  /** In so much time each node that knows of limits has said what it has taken. */
  private static final long COUNTED_NANOS = (ApplicationLimits.TOLD_SECONDS + 1) * 1_000_000_000L;

  /**
   * What nodes were told last, and who was there to hear it.
   *
   * @param change the number of the last change of what applications are promised
   * @param incarnations of nodes that have said that they are there
   */
  private record Told(
      long version, long change, List<Member> members, Map<NodeId, Long> incarnations) {}

  private final NodeContext context;
  private final long checkNanos;
  private final Map<NodeId, Map<String, Long>> counts = new TreeMap<>();
  private final Map<NodeId, Long> incarnations = new TreeMap<>();
  private Optional<Told> told = Optional.empty();
  private long begunNanos;

  /**
   * One that knows nothing yet.
   *
   * @param checkNanos for which nodes may go by what they were told before
   */
  LimitShares(NodeContext context, long checkNanos) {
    this.context = context;
    this.checkNanos = checkNanos;
  }

  /** This node has come to lead. */
  void clear() {
    forgetCounts();
    incarnations.clear();
    told = Optional.empty();
    begunNanos = context.nanos();
  }

  /** What nodes have said that they take counts no more. */
  void forgetCounts() {
    counts.clear();
  }

  /** Whether a node is another process than was heard before: that one knows of no limits. */
  boolean isAnother(NodeId node, long incarnation) {
    return !Long.valueOf(incarnation).equals(incarnations.get(node));
  }

  /** A member is there, as this process. */
  void heard(NodeId member, long incarnation) {
    incarnations.put(member, incarnation);
  }

  /**
   * Whether there is something to tell that nodes do not know, or a node that does not know it: the
   * book, what is promised, who is there or a process is another.
   *
   * @param change the number of the last change of what applications are promised
   */
  boolean isNews(long version, long change, List<Member> members) {
    return told.filter(new Told(version, change, members, incarnations)::equals).isEmpty();
  }

  /**
   * Whether this node leads for so short a time that it does not know yet what nodes take: they go
   * by what the one before has told them, by their parts of that.
   */
  private boolean isTooEarly(List<Member> members) {
    long since = context.nanos() - begunNanos;
    // A clock that has gone back says nothing of how long that is.
    return since >= 0
        && since < Math.min(checkNanos, COUNTED_NANOS)
        && !counts.keySet().containsAll(members.stream().map(Member::node).toList());
  }

  /** Which weights applications have. */
  static Map<String, Integer> weights(List<Promise> promises) {
    Map<String, Integer> weights = new TreeMap<>();
    promises.forEach(
        promise -> weights.put(promise.objective().application(), promise.objective().weight()));
    return weights;
  }

  /** A node says how much it has taken of applications. */
  void counted(NodeId node, List<ApplicationCount> told) {
    Map<String, Long> of = new TreeMap<>();
    told.forEach(count -> of.put(count.application(), count.operations()));
    counts.put(node, of);
  }

  /** Operations a second that nodes take now of an application. */
  double perSecond(String application) {
    return counts.values().stream().mapToLong(of -> of.getOrDefault(application, 0L)).sum()
        / (double) ApplicationLimits.TOLD_SECONDS;
  }

  /**
   * Whether all nodes that count know of an application: of one whose objective is new they count
   * what they take as that of applications without.
   */
  boolean isCounted(String application) {
    return counts.values().stream().allMatch(of -> of.containsKey(application));
  }

  /** Operations a second that a node takes now, of all applications; 0 if it does not say. */
  double perSecond(NodeId node) {
    Map<String, Long> of = counts.get(node);
    long all = of == null ? 0 : of.values().stream().mapToLong(Long::longValue).sum();
    return all / (double) ApplicationLimits.TOLD_SECONDS;
  }

  /** Operations a second that nodes take now, of all applications. */
  double perSecond() {
    return counts.values().stream()
            .flatMap(of -> of.values().stream())
            .mapToLong(Long::longValue)
            .sum()
        / (double) ApplicationLimits.TOLD_SECONDS;
  }

  /**
   * What applications may have of all nodes together, of those with objectives. A cap is of one
   * application of best effort, and says how many operations a second a unit of weight has: each of
   * the others has that by its own weight (decision 0088).
   */
  static List<ServiceLimit> of(ControlBook book, List<Promise> promises) {
    double level = level(book, promises);
    List<ServiceLimit> limits = new ArrayList<>();
    for (Promise promise : promises) {
      Objective objective = promise.objective();
      boolean isLimited = isBestEffort(objective) && level < Double.POSITIVE_INFINITY;
      limits.add(
          new ServiceLimit(
              objective.application(),
              objective.tables(),
              isLimited ? FairShares.share(level, objective.weight()) : 0,
              promised(objective)));
    }
    return limits;
  }

  /** Operations a second for a unit of weight; infinite if there is no cap. */
  private static double level(ControlBook book, List<Promise> promises) {
    double level = Double.POSITIVE_INFINITY;
    for (Promise promise : promises) {
      Objective objective = promise.objective();
      Optional<Cap> cap = book.cap(objective.application());
      if (isBestEffort(objective) && cap.isPresent()) {
        level = Math.min(level, cap.get().level(objective.weight()));
      }
    }
    return level;
  }

  private static boolean isBestEffort(Objective objective) {
    return objective.serviceClass() == ServiceClass.BEST_EFFORT;
  }

  /** The rate that is owed for an objective; 0 if none is. */
  static long promised(Objective objective) {
    return objective.serviceClass() == ServiceClass.GUARANTEED
        ? objective
            .workload()
            .load()
            .map(load -> load instanceof OperationRate(var perSecond) ? perSecond : 0L)
            .orElse(0L)
        : 0;
  }

  /**
   * Tells all nodes that are there. Where nothing is promised nodes need not know it.
   *
   * @param change the number of the last change of what applications are promised
   * @param hotThreshold from how many reads a second of a copy on there are hot-spot replicas; 0 if
   *     that is as nodes are configured
   */
  void tell(
      long version,
      long change,
      List<ServiceLimit> limits,
      long hotThreshold,
      List<Member> members) {
    if (isTooEarly(members)) {
      return;
    }
    List<NodeId> nodes = members.stream().map(Member::node).toList();
    counts.keySet().retainAll(nodes);
    incarnations.keySet().retainAll(nodes);
    told = Optional.of(new Told(version, change, members, new TreeMap<>(incarnations)));
    for (Member member : members) {
      context.send(
          member.node(),
          new LimitNews(
              version,
              limits.stream().map(limit -> part(limit, member.node(), members)).toList(),
              hotThreshold));
    }
  }

  private ServiceLimit part(ServiceLimit limit, NodeId node, List<Member> members) {
    double mean = counts.keySet().stream().mapToLong(of -> count(limit, of)).average().orElse(0);
    double all = members.size();
    for (Member member : members) {
      all += count(limit, member.node(), mean);
    }
    double share = (1 + count(limit, node, mean)) / all;
    return new ServiceLimit(
        limit.application(),
        limit.tables(),
        part(limit.perSecond(), share),
        part(limit.promisedPerSecond(), promisedShare(share, members.size())));
  }

  /** Also a node that has had none of it yet has an even part, as load may move to it at once. */
  private static double promisedShare(double share, int members) {
    return Math.min(1, Math.max(1.0 / members, HEADROOM * share));
  }

  /** A node that has not said so far what it takes is reckoned to take as much as others. */
  private double count(ServiceLimit limit, NodeId node, double mean) {
    return counts.containsKey(node) ? count(limit, node) : mean;
  }

  private long count(ServiceLimit limit, NodeId node) {
    Map<String, Long> of = counts.get(node);
    return of == null ? 0 : of.getOrDefault(limit.application(), 0L);
  }

  private static long part(long perSecond, double share) {
    return perSecond == 0 ? 0 : Math.max(1, Math.round(perSecond * share));
  }
}
