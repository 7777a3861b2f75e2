package org.ecstore.txn.steward;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import org.ecstore.core.map.RangeDescriptor;
import org.ecstore.core.overlay.BatonTree;
import org.ecstore.id.Epoch;
import org.ecstore.id.NodeId;
import org.ecstore.id.RangeId;
import org.ecstore.key.KeyRange;
import org.ecstore.txn.steward.decision.Decision;

/**
 * A range gets another primary while the present one is there, which becomes a secondary.
 *
 * @param how for people: what the range does
 */
record ChangePrimary(
    NodeId target, long incarnation, RangeDescriptor source, RangeId movedId, String how)
    implements MovePlan {
  @Override
  public Optional<BatonTree> treeAfter(BatonTree tree, KeyRange keys) {
    return tree.contains(target) ? Optional.of(tree) : Optional.empty();
  }

  @Override
  public RangeDescriptor moved(KeyRange keys, Epoch epoch, Predicate<NodeId> there) {
    List<NodeId> secondaries = new ArrayList<>(source.secondaries());
    secondaries.remove(target);
    secondaries.add(source.primary());
    return new RangeDescriptor(movedId, keys, epoch, target, incarnation, secondaries);
  }

  @Override
  public Decision.Cause cause() {
    return Decision.Cause.PLACEMENT;
  }

  @Override
  public String purpose() {
    return "range " + source.id() + " " + how;
  }
}
