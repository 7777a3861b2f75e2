package org.ecstore.txn.steward;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import org.ecstore.core.map.RangeDescriptor;
import org.ecstore.core.overlay.BatonTree;
import org.ecstore.core.overlay.ClusterState;
import org.ecstore.core.overlay.Place;
import org.ecstore.id.Epoch;
import org.ecstore.id.NodeId;
import org.ecstore.id.RangeId;
import org.ecstore.key.Bytes;
import org.ecstore.key.KeyRange;
import org.ecstore.replication.placement.PositionMap;
import org.ecstore.replication.placement.ShiftKeyPlacement;
import org.ecstore.replication.placement.ShiftKeyPlacement.Site;
import org.ecstore.txn.steward.decision.Decision;

/**
 * A range gets one more copy, on the node that the shift-key formula chooses among those that are
 * there and have none (rules 19, 22). The copy is built as for a move; the change that takes it up
 * gives the range a new id, under which the others go on with what they have.
 */
record Replicate(
    NodeId target, long incarnation, RangeDescriptor source, RangeId movedId, String why)
    implements MovePlan {
  private static final int KNOTS = 1024;

  /**
   * The node that should have another copy of a range; empty if none can.
   *
   * @param holders whose copies count: no other node of their hosts gets one
   */
  static Optional<NodeId> target(
      Steward steward, ClusterState state, RangeDescriptor range, List<NodeId> holders) {
    int copies = steward.settings().copies();
    List<Site> sites = new ArrayList<>();
    for (Place place : state.tree().inOrder()) {
      NodeId node = place.node();
      if (steward.isStaying(node)) {
        Bytes start = sites.isEmpty() ? Bytes.EMPTY : place.keys().start();
        sites.add(new Site(node, start, steward.host(node)));
      }
    }
    if (sites.isEmpty()) {
      return Optional.empty();
    }
    ShiftKeyPlacement placement = new ShiftKeyPlacement(positions(state), sites);
    int most = Math.min(copies, placement.copiesMax());
    Set<String> taken = new TreeSet<>();
    holders.forEach(node -> taken.add(steward.host(node)));
    return most < 2
        ? Optional.empty()
        : placement.another(range.keys(), range.primary(), most, taken);
  }

  /** Ranges are split where they are full, so each counts for as much data as the others. */
  private static PositionMap positions(ClusterState state) {
    List<Bytes> starts =
        state.ranges().ranges().stream().map(range -> range.keys().start()).toList();
    return PositionMap.fitted(starts, KNOTS);
  }

  @Override
  public Optional<BatonTree> treeAfter(BatonTree tree, KeyRange keys) {
    return tree.contains(target) ? Optional.of(tree) : Optional.empty();
  }

  @Override
  public RangeDescriptor moved(KeyRange keys, Epoch epoch, Predicate<NodeId> staying) {
    List<NodeId> secondaries = new ArrayList<>(source.secondaries());
    secondaries.add(target);
    return new RangeDescriptor(
        movedId, keys, epoch, source.primary(), source.primaryIncarnation(), secondaries);
  }

  @Override
  public Decision.Cause cause() {
    return Decision.Cause.PLACEMENT;
  }

  @Override
  public String purpose() {
    return "range %s gets another copy on %s in its incarnation %d"
        .formatted(source.id(), target, incarnation);
  }
}
