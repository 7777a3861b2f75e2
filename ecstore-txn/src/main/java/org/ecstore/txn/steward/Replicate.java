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
 * A range gets one more copy, on the node that {@link CopyPlaces} chooses among those that are
 * there and have none (rules 19, 22, 23). The copy is built as for a move; the change that takes it
 * up gives the range a new id, under which the others go on with what they have.
 *
 * @param outside whether the target has no place in the tree, for it serves nothing
 */
record Replicate(
    NodeId target,
    long incarnation,
    RangeDescriptor source,
    RangeId movedId,
    boolean outside,
    String why)
    implements MovePlan {
  @Override
  public Optional<BatonTree> treeAfter(BatonTree tree, KeyRange keys) {
    return outside || tree.contains(target) ? Optional.of(tree) : Optional.empty();
  }

  @Override
  public RangeDescriptor moved(KeyRange keys, Epoch epoch, Predicate<NodeId> there) {
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
