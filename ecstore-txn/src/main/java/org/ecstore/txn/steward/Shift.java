package org.ecstore.txn.steward;

import java.util.Optional;
import org.ecstore.core.map.RangeDescriptor;
import org.ecstore.core.overlay.BatonTree;
import org.ecstore.core.overlay.ClusterState;
import org.ecstore.core.overlay.Place;
import org.ecstore.core.overlay.PrimaryPreferences;
import org.ecstore.core.overlay.Side;
import org.ecstore.id.NodeId;
import org.ecstore.id.RangeId;
import org.ecstore.key.Bytes;
import org.ecstore.key.KeyRange;
import org.ecstore.txn.steward.decision.Decision;

/**
 * The outermost of several ranges of a node goes to the adjacent on that side, and the boundary of
 * the two in the tree with it (rule 21).
 *
 * @param owner the node that the range belongs to
 * @param side on which side of the owner the target is
 */
record Shift(
    NodeId owner,
    Side side,
    NodeId target,
    long incarnation,
    RangeDescriptor source,
    RangeId movedId,
    Decision.Cause cause,
    String why)
    implements MovePlan {
  /**
   * The shift that takes a range to a node, if that is an adjacent of its owner and it is
   * outermost.
   */
  static Optional<Shift> of(
      ClusterState state,
      RangeDescriptor range,
      NodeId target,
      long incarnation,
      Decision.Cause cause,
      String why) {
    NodeId owner = state.ownerOf(range);
    for (Side side : Side.values()) {
      Optional<NodeId> adjacent = state.tree().adjacent(owner, side).map(Place::node);
      if (adjacent.equals(Optional.of(target))
          && isOutermost(state.tree().place(owner).keys(), range.keys(), side)) {
        return Optional.of(
            new Shift(
                owner,
                side,
                target,
                incarnation,
                range,
                new RangeId(state.nextRangeId()),
                cause,
                why));
      }
    }
    return Optional.empty();
  }

  /** Whether keys lie at the edge of an interval and are not all of it. */
  private static boolean isOutermost(KeyRange of, KeyRange keys, Side side) {
    return !of.equals(keys)
        && (side == Side.LEFT ? of.start().equals(keys.start()) : of.end().equals(keys.end()));
  }

  @Override
  public Optional<BatonTree> treeAfter(BatonTree tree, KeyRange keys) {
    boolean stands =
        tree.contains(owner)
            && tree.adjacent(owner, side).map(Place::node).equals(Optional.of(target))
            && isOutermost(tree.place(owner).keys(), keys, side);
    if (!stands) {
      return Optional.empty();
    }
    Bytes boundary = side == Side.LEFT ? keys.end().orElseThrow() : keys.start();
    return Optional.of(tree.shiftBoundary(owner, target, boundary).tree());
  }

  @Override
  public PrimaryPreferences preferencesAfter(ClusterState state, KeyRange keys) {
    return state.preferences().with(keys, Optional.empty());
  }

  @Override
  public String purpose() {
    return "move range %s from %s to its neighbour %s, with the boundary"
        .formatted(source.id(), owner, target);
  }
}
