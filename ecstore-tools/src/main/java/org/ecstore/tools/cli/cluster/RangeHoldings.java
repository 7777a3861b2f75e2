package org.ecstore.tools.cli.cluster;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.ecstore.cluster.process.NodeStatus;
import org.ecstore.id.Epoch;
import org.ecstore.id.NodeId;
import org.ecstore.id.Position;
import org.ecstore.id.RangeId;
import org.ecstore.key.KeyRange;
import org.ecstore.key.KeyText;
import org.ecstore.model.CopyState;
import org.ecstore.model.Route;
import org.ecstore.protocol.ClientReply.CopyLine;
import org.ecstore.protocol.ClientReply.Holders;
import org.ecstore.protocol.ClientReply.HotReplicasFed;
import org.ecstore.protocol.ClientReply.Inspected;
import org.ecstore.protocol.ClientReply.StatusReport;

/**
 * Which copies of ranges there should be by the map, which there are, and what is wrong with that.
 */
final class RangeHoldings {
  private static final String AWAY = "away";
  private static final Set<CopyState> LIVE =
      EnumSet.of(CopyState.SERVING, CopyState.FOLLOWING, CopyState.REPLAYING);

  /**
   * A copy of a range at a node.
   *
   * @param role by the map; "-" if it is not in the map
   * @param copy absent if the node should have it by the map, and does not say that it has
   */
  record Held(
      long node, String role, RangeId range, KeyRange keys, Epoch epoch, Optional<CopyLine> copy) {
    /** In a word or two. */
    String state() {
      return copy.map(line -> line.state().word()).orElse(AWAY);
    }

    String position(Function<CopyLine, Position> which) {
      return copy.map(line -> String.valueOf(which.apply(line).value())).orElse("-");
    }

    /** Whether it has all of a prefix of the commits, and goes on. */
    boolean isLive() {
      return copy.map(CopyLine::state).filter(LIVE::contains).isPresent();
    }

    /** Whether it is there, if only for what it has already. */
    boolean isThere() {
      return isLive() || copy.filter(line -> line.state() == CopyState.REFUSES_WRITES).isPresent();
    }
  }

  private final List<NodeStatus> nodes;
  private final Optional<StatusReport> map;
  private final int copies;
  private final List<Held> held;

  /**
   * Of a cluster.
   *
   * @param map absent if no node that answers knows all ranges
   * @param copies that each range should have
   */
  RangeHoldings(List<NodeStatus> nodes, Optional<StatusReport> map, int copies) {
    this.nodes = List.copyOf(nodes);
    this.map = map;
    this.copies = copies;
    this.held = find();
  }

  /** Copies as nodes have them, and those that nodes should have, in the order of keys. */
  List<Held> all() {
    return held;
  }

  private List<Held> find() {
    List<Held> found = new ArrayList<>();
    for (NodeStatus each : nodes) {
      for (CopyLine copy : each.seen().map(Inspected::copies).orElse(List.of())) {
        found.add(
            new Held(
                each.node(),
                role(copy.range(), each.node()),
                copy.range(),
                copy.keys(),
                copy.epoch(),
                Optional.of(copy)));
      }
    }
    for (Route route : routes()) {
      for (long node : holders(route)) {
        if (found.stream()
            .noneMatch(one -> one.node() == node && one.range().equals(route.range()))) {
          found.add(
              new Held(
                  node,
                  role(route.range(), node),
                  route.range(),
                  route.keys(),
                  route.epoch(),
                  Optional.empty()));
        }
      }
    }
    found.sort(
        Comparator.comparing((Held one) -> one.keys().start())
            .thenComparing(Held::range)
            .thenComparing(Held::role)
            .thenComparingLong(Held::node));
    return List.copyOf(found);
  }

  private List<Route> routes() {
    return map.map(StatusReport::ranges).orElse(List.of());
  }

  private Optional<Holders> beside(RangeId range) {
    return map.stream()
        .flatMap(report -> report.holders().stream())
        .filter(holders -> holders.range().equals(range))
        .findFirst();
  }

  private List<Long> secondaries(RangeId range) {
    return beside(range).map(Holders::secondaries).orElse(List.of()).stream()
        .map(NodeId::value)
        .toList();
  }

  /** The primary first. */
  private List<Long> holders(Route route) {
    return Stream.concat(Stream.of(route.primary().value()), secondaries(route.range()).stream())
        .toList();
  }

  private String role(RangeId range, long node) {
    if (routes().stream()
        .anyMatch(route -> route.range().equals(range) && route.primary().value() == node)) {
      return "primary";
    }
    return secondaries(range).contains(node) ? "secondary" : "-";
  }

  /** How many records a copy is behind of what some node knows to be durable. */
  String behind(Held one) {
    long newest =
        nodes.stream()
            .flatMap(node -> node.seen().stream())
            .mapToLong(seen -> seen.point().position().value())
            .max()
            .orElse(0);
    return one.copy()
        .map(copy -> String.valueOf(Math.max(0, newest - copy.closed().value())))
        .orElse("-");
  }

  /** How many hot-spot replicas a copy feeds; absent if its node does not answer. */
  Optional<Integer> hotReplicas(Held one) {
    return nodes.stream()
        .filter(node -> node.node() == one.node() && one.copy().isPresent())
        .flatMap(node -> node.seen().stream())
        .map(
            seen ->
                seen.hotReplicas().fed().stream()
                    .filter(fed -> fed.range().equals(one.range()))
                    .mapToInt(HotReplicasFed::hotReplicas)
                    .sum())
        .findFirst();
  }

  private List<Held> there(Route route) {
    return held.stream()
        .filter(one -> one.range().equals(route.range()) && one.epoch().equals(route.epoch()))
        .filter(one -> !one.role().equals("-") && one.isThere())
        .toList();
  }

  private long live(Route route) {
    return there(route).stream().filter(Held::isLive).count();
  }

  /** Ranges of which no node that answers has a copy. */
  List<Route> lost() {
    return routes().stream().filter(route -> there(route).isEmpty()).toList();
  }

  /** Ranges with some copies, and fewer than there should be. */
  List<Route> underReplicated() {
    return routes().stream()
        .filter(route -> !there(route).isEmpty() && live(route) < copies)
        .toList();
  }

  /** Whom a range belongs to that another serves. */
  Optional<NodeId> homeElsewhere(Route route) {
    return beside(route.range())
        .flatMap(Holders::home)
        .filter(home -> !home.equals(route.primary()));
  }

  /** Copies that fit, in the order of keys. */
  List<Held> shown(StatusFilter filter) {
    return held.stream().filter(filter::shows).toList();
  }

  /** What is not as it should be, for people, with the ranges of copies that fit. */
  List<String> notes(StatusFilter filter) {
    Set<RangeId> ranges =
        shown(filter).stream().map(Held::range).collect(Collectors.toCollection(TreeSet::new));
    Predicate<Route> isShown = route -> ranges.contains(route.range());
    List<String> notes = new ArrayList<>();
    for (Route route : lost().stream().filter(isShown).toList()) {
      String on = holders(route).stream().map(String::valueOf).collect(Collectors.joining(", "));
      notes.add(
          "range %s, from %s to %s, is UNAVAILABLE: no copy of it is there; it was on node%s %s, and"
                  .formatted(
                      route.range(),
                      KeyText.start(route.keys()),
                      KeyText.end(route.keys()),
                      holders(route).size() == 1 ? "" : "s",
                      on)
              + " its data are nowhere else: start one of them again");
    }
    for (Route route : underReplicated().stream().filter(isShown).toList()) {
      notes.add(
          "range %s is under-replicated: %d of %d copies are there and follow"
              .formatted(route.range(), live(route), copies));
    }
    for (Route route : routes().stream().filter(isShown).toList()) {
      homeElsewhere(route)
          .ifPresent(
              home ->
                  notes.add(
                      "range %s is served by node %d for node %d, which it belongs to"
                          .formatted(route.range(), route.primary().value(), home.value())));
    }
    return notes;
  }
}
