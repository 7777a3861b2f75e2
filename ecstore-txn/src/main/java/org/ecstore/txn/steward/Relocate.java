package org.ecstore.txn.steward;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import org.ecstore.core.map.RangeDescriptor;
import org.ecstore.core.overlay.BatonTree;
import org.ecstore.core.overlay.ClusterState;
import org.ecstore.core.overlay.PrimaryPreferences;
import org.ecstore.id.Epoch;
import org.ecstore.id.NodeId;
import org.ecstore.id.RangeId;
import org.ecstore.key.KeyRange;
import org.ecstore.txn.steward.decision.Decision;

/**
 * One copy of a range goes from a node to another; there are as many as before. If it is the
 * primary's, the target is to serve the keys from now on, wherever they belong in the tree. If the
 * target has a secondary's copy already, the two change roles.
 *
 * @param from the node whose copy goes
 * @param outside whether the target has no place in the tree, for it serves nothing
 */
record Relocate(
    NodeId from,
    NodeId target,
    long incarnation,
    RangeDescriptor source,
    RangeId movedId,
    boolean outside,
    Decision.Cause cause,
    String why)
    implements MovePlan {
  private boolean ofPrimary() {
    return from.equals(source.primary());
  }

  @Override
  public Optional<BatonTree> treeAfter(BatonTree tree, KeyRange keys) {
    return outside || tree.contains(target) ? Optional.of(tree) : Optional.empty();
  }

  @Override
  public PrimaryPreferences preferencesAfter(ClusterState state, KeyRange keys) {
    if (!ofPrimary()) {
      return state.preferences();
    }
    boolean belongs = state.ownerOf(source).equals(target);
    return state.preferences().with(keys, belongs ? Optional.empty() : Optional.of(target));
  }

  @Override
  public RangeDescriptor moved(KeyRange keys, Epoch epoch, Predicate<NodeId> there) {
    List<NodeId> secondaries = new ArrayList<>(source.secondaries());
    if (ofPrimary()) {
      if (secondaries.remove(target)) {
        secondaries.add(from);
      }
      return new RangeDescriptor(movedId, keys, epoch, target, incarnation, secondaries);
    }
    secondaries.remove(from);
    secondaries.add(target);
    return new RangeDescriptor(
        movedId, keys, epoch, source.primary(), source.primaryIncarnation(), secondaries);
  }

  @Override
  public String purpose() {
    return "move %s of range %s from %s to %s"
        .formatted(ofPrimary() ? "the primary" : "a secondary", source.id(), from, target);
  }
}
