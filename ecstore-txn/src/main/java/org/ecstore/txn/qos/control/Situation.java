package org.ecstore.txn.qos.control;

import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.SortedMap;
import java.util.TreeSet;
import org.ecstore.id.NodeId;
import org.ecstore.model.control.NodeLoad;
import org.ecstore.model.objective.Objective;
import org.ecstore.model.objective.ServiceClass;
import org.ecstore.model.objective.ServiceFigures;
import org.ecstore.txn.qos.measured.MeasuredTables;

/**
 * What the controller knows as it looks for something to do.
 *
 * @param objectives that stand, and what clients have had of late
 * @param loads what nodes that are there have said of themselves
 * @param nodes that have places
 * @param caps what applications that are limited may have, in operations a second
 * @param mayRebalance whether other primaries may help: not if they have just been tried in vain
 * @param next the node that may be added; empty if none may
 * @param spare the node that may be taken away; empty if none may
 * @param relief what hot-spot replicas could take off a busy node
 * @param tables that are consulted
 * @param mayLimit whether a limit may help more than other things: not if the last one has brought
 *     nothing
 * @param allPerSecond operations a second that nodes take, also of applications without an
 *     objective; 0 if they do not say
 */
record Situation(
    List<Served> objectives,
    SortedMap<NodeId, NodeLoad> loads,
    int nodes,
    SortedMap<String, Long> caps,
    boolean mayRebalance,
    Optional<NodeId> next,
    Optional<NodeId> spare,
    Relief relief,
    MeasuredTables tables,
    boolean mayLimit,
    double allPerSecond) {
  private static final double THOUSAND = 1_000;

  /**
   * An objective, and what its clients have had.
   *
   * @param counted operations a second that nodes have taken of it, which may be none; absent if
   *     they do not say
   */
  record Served(Objective objective, Optional<ServiceFigures> figures, OptionalDouble counted) {
    /**
     * As above.
     *
     * @param counted 0 if nodes do not say
     */
    Served(Objective objective, Optional<ServiceFigures> figures, double counted) {
      this(objective, figures, counted > 0 ? OptionalDouble.of(counted) : OptionalDouble.empty());
    }

    /** What nodes count is sure, and what clients report is not. */
    double perSecond() {
      return counted.orElseGet(() -> figures.map(ServiceFigures::perSecond).orElse(0.0));
    }

    boolean isGuaranteed() {
      return objective.serviceClass() == ServiceClass.GUARANTEED;
    }
  }

  /**
   * What hot-spot replicas could take off the busiest node (decision 0090).
   *
   * @param threshold from how many reads a second of a copy on they would be made; 0 if that may
   *     not be lowered, or is predicted to make none
   * @param uneven how many times the mean the busiest node had to do before the threshold was
   *     lowered; 0 if it is as nodes are configured
   */
  record Relief(long threshold, double uneven) {
    static final Relief NONE = new Relief(0, 0);
  }

  /** Where limits may help as well as other things, and of others than these nothing is known. */
  Situation(
      List<Served> objectives,
      SortedMap<NodeId, NodeLoad> loads,
      int nodes,
      SortedMap<String, Long> caps,
      boolean mayRebalance,
      Optional<NodeId> next,
      Optional<NodeId> spare,
      Relief relief,
      MeasuredTables tables) {
    this(objectives, loads, nodes, caps, mayRebalance, next, spare, relief, tables, true, 0);
  }

  Situation {
    objectives = List.copyOf(objectives);
    caps = Collections.unmodifiableSortedMap(caps);
  }

  /** How much of their capacity nodes use in the mean; 0 if they have not said. */
  double busy() {
    return loads.values().stream().mapToLong(NodeLoad::busyMilli).average().orElse(0) / THOUSAND;
  }

  /** How much the busiest uses. */
  double busiest() {
    return loads.values().stream().mapToLong(NodeLoad::busyMilli).max().orElse(0) / THOUSAND;
  }

  /** Operations a second of all applications that have objectives. */
  double perSecond() {
    return objectives.stream().mapToDouble(Served::perSecond).sum();
  }

  /** As above, of all applications: what nodes use is for these together. */
  double perSecondOfAll() {
    return Math.max(perSecond(), allPerSecond);
  }

  /** Operations a second of applications without an objective: nothing can limit them. */
  double perSecondOfOthers() {
    return Math.max(0, allPerSecond - perSecond());
  }

  /**
   * The same beside an objective that is wanted. Where one of the same tables stands nodes count
   * what its clients have as of that. Else it is among what has no objective; what another one that
   * stands is about is not among what its clients report of it.
   *
   * @param had what its clients have had lately; absent if they do not report
   */
  double perSecondOfOthers(Objective wanted, Optional<ServiceFigures> had) {
    double own = standing(wanted).isPresent() ? 0 : had.map(ServiceFigures::perSecond).orElse(0.0);
    return Math.max(0, perSecondOfOthers() - own);
  }

  Optional<Served> of(String application) {
    return objectives.stream()
        .filter(one -> one.objective().application().equals(application))
        .findFirst();
  }

  /**
   * What clients have had of what is wanted for their application: of the same tables. A response
   * time of other tables says nothing of it: neither that it is kept, nor how busy nodes may
   * become, nor how much slower they are than where a table was measured.
   */
  Optional<ServiceFigures> had(Objective wanted) {
    return standing(wanted).flatMap(Served::figures);
  }

  /** What stands of the same application and tables. */
  private Optional<Served> standing(Objective wanted) {
    TreeSet<String> tables = new TreeSet<>(wanted.tables());
    return of(wanted.application())
        .filter(former -> new TreeSet<>(former.objective().tables()).equals(tables));
  }
}
