package org.ecstore.txn.steward;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.ecstore.core.map.RangeDescriptor;
import org.ecstore.core.overlay.ClusterState;
import org.ecstore.core.overlay.Place;
import org.ecstore.core.port.Coordination.Member;
import org.ecstore.id.NodeId;
import org.ecstore.key.Bytes;
import org.ecstore.replication.placement.CopyChange;
import org.ecstore.replication.placement.CopyChange.Candidate;
import org.ecstore.replication.placement.CopyNeeds;
import org.ecstore.replication.placement.PositionMap;
import org.ecstore.replication.placement.ShiftKeyPlacement;
import org.ecstore.replication.placement.ShiftKeyPlacement.Site;
import org.ecstore.txn.steward.member.ClusterNodes;
import org.jspecify.annotations.Nullable;

/**
 * Who may hold copies as things are, and what is to become of the copies of a range (rules 22, 23).
 * The parts of the steward that ask whether a range has enough copies, or who gets another, ask
 * here.
 *
 * <p>Nodes that serve have a place in the tree, and copies go to them by the formula. A node whose
 * engine holds secondaries only has none: it counts as a neighbour of the one in the tree that is
 * on its host.
 */
final class CopyPlaces {
  private static final int KNOTS = 1024;

  private final Steward steward;
  private final ClusterNodes nodes;
  private final ClusterState state;
  private final CopyNeeds needs;
  private final List<Place> places = new ArrayList<>();
  private final Map<NodeId, Candidate> candidates = new LinkedHashMap<>();
  private final List<Candidate> outside = new ArrayList<>();
  private @Nullable ShiftKeyPlacement formula;
  private CopyNeeds.@Nullable Shortfall least;

  CopyPlaces(Steward steward, ClusterState state) {
    this.steward = steward;
    this.nodes = steward.nodes();
    this.state = state;
    this.needs = steward.needs();
    for (Place place : state.tree().inOrder()) {
      if (nodes.isStaying(place.node())) {
        places.add(place);
        add(place.node());
      }
    }
    for (Member member : nodes.present()) {
      NodeId node = member.node();
      if (!state.tree().contains(node) && nodes.isStaying(node) && !nodes.mayServe(node)) {
        outside.add(add(node));
      }
    }
  }

  private Candidate add(NodeId node) {
    Candidate one = candidate(node);
    candidates.put(node, one);
    return one;
  }

  private Candidate candidate(NodeId node) {
    return new Candidate(node, nodes.host(node), nodes.engine(node));
  }

  /** Whether their engines differ, so that it matters who has which copy. */
  boolean areMixed() {
    return candidates.values().stream().map(Candidate::engine).distinct().count() > 1;
  }

  /** Whether a node holds copies and has no place in the tree. */
  boolean isOutside(NodeId node) {
    return outside.stream().anyMatch(one -> one.node().equals(node));
  }

  /** On how many hosts there could be copies. */
  long hosts() {
    return candidates.values().stream().map(Candidate::host).distinct().count();
  }

  /** By how much any copies must fall short of the needs, whichever nodes they are on. */
  CopyNeeds.Shortfall shortfall() {
    CopyNeeds.Shortfall known = least;
    if (known == null) {
      known = CopyChange.of(needs, List.of(), false, List.copyOf(candidates.values())).shortfall();
      least = known;
    }
    return known;
  }

  /** Whether no others could fall short by less: of nearly all ranges, nearly always. */
  boolean areAsGoodAsAny(List<NodeId> some) {
    return shortfall(some).compareTo(shortfall()) <= 0;
  }

  /**
   * Whether a range has copies on as many hosts as it should, and none is missing that would make
   * them better, its primary where it is.
   */
  boolean isEnough(RangeDescriptor range) {
    List<NodeId> holders =
        Stream.concat(Stream.of(range.primary()), range.secondaries().stream()).toList();
    return holders.stream().map(nodes::host).distinct().count() >= needs.copies()
        && (areAsGoodAsAny(holders) || change(range, holders).isEnough());
  }

  /** By how much copies on some nodes fall short of the needs. */
  CopyNeeds.Shortfall shortfall(List<NodeId> some) {
    Set<String> kinds = new TreeSet<>();
    candidates.values().forEach(one -> kinds.add(one.engine().kind()));
    return needs.shortfall(some.stream().map(nodes::engine).toList(), kinds);
  }

  /** What is to become of the copies of a range, of which some are reckoned with. */
  CopyChange change(RangeDescriptor range, List<NodeId> present) {
    return change(range, present, List.copyOf(candidates.values()));
  }

  private CopyChange change(RangeDescriptor range, List<NodeId> present, List<Candidate> others) {
    boolean fixed = !present.isEmpty() && present.getFirst().equals(range.primary());
    return CopyChange.of(needs, present.stream().map(this::candidate).toList(), fixed, others);
  }

  /**
   * Who is to get another copy of a range; empty if none is missing, or none can have it. One that
   * had no room of late is left out: another one gets the copy, if it makes the copies better, or
   * none does until that one is asked again.
   */
  Optional<NodeId> missing(RangeDescriptor range, List<NodeId> present) {
    if (places.isEmpty() || Math.min(needs.copies(), hosts()) < 2) {
      return Optional.empty();
    }
    if (change(range, present).isEnough()) {
      return Optional.empty();
    }
    List<Candidate> asked =
        nearest(range).stream().filter(one -> !steward.isPutOff(one.node())).toList();
    return change(range, present, asked).missing().stream().findFirst();
  }

  /** By the formula; behind each node those outside the tree that are on its host. */
  private List<Candidate> nearest(RangeDescriptor range) {
    List<Candidate> others = new ArrayList<>(outside);
    Collections.rotate(others, -(int) (range.primary().value() % Math.max(1, others.size())));
    List<Candidate> order = new ArrayList<>();
    for (NodeId node : formula().nearest(range.keys(), range.primary(), needs.copies())) {
      Candidate one = candidates.get(node);
      if (one != null) {
        order.add(one);
        others.stream().filter(other -> other.host().equals(one.host())).forEach(order::add);
        others.removeIf(other -> other.host().equals(one.host()));
      }
    }
    return Stream.concat(order.stream(), others.stream()).toList();
  }

  private ShiftKeyPlacement formula() {
    ShiftKeyPlacement made = formula;
    if (made == null) {
      List<Site> sites = new ArrayList<>();
      for (Place place : places) {
        Bytes start = sites.isEmpty() ? Bytes.EMPTY : place.keys().start();
        sites.add(new Site(place.node(), start, nodes.host(place.node())));
      }
      made = new ShiftKeyPlacement(positions(), sites);
      formula = made;
    }
    return made;
  }

  /** Ranges are split where they are full, so each counts for as much data as the others. */
  private PositionMap positions() {
    List<Bytes> starts =
        state.ranges().ranges().stream().map(range -> range.keys().start()).toList();
    return PositionMap.fitted(starts, KNOTS);
  }
}
