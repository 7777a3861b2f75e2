package org.ecstore.txn.steward;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.ecstore.core.map.RangeDescriptor;
import org.ecstore.core.overlay.BatonTree;
import org.ecstore.id.Epoch;
import org.ecstore.id.NodeId;
import org.ecstore.key.KeyRange;
import org.ecstore.txn.steward.decision.Decision;

/** A range gets another primary while the present one is there, which becomes a secondary. */
final class ChangePrimary extends Move {
  private final long incarnation;
  private final String why;

  ChangePrimary(
      Steward steward,
      NodeId target,
      long incarnation,
      RangeDescriptor source,
      long reserved,
      String why) {
    super(steward, target, incarnation, source, reserved);
    this.incarnation = incarnation;
    this.why = why;
  }

  @Override
  void start() {
    build(source().keys());
  }

  @Override
  Optional<BatonTree> treeAfter(BatonTree tree, KeyRange keys) {
    return tree.contains(target()) ? Optional.of(tree) : Optional.empty();
  }

  @Override
  Optional<KeyRange> kept(KeyRange keys) {
    return Optional.empty();
  }

  @Override
  RangeDescriptor moved(KeyRange keys, Epoch epoch) {
    List<NodeId> secondaries = new ArrayList<>(source().secondaries());
    secondaries.remove(target());
    secondaries.add(source().primary());
    return new RangeDescriptor(movedId(), keys, epoch, target(), incarnation, secondaries);
  }

  @Override
  Decision.Cause cause() {
    return Decision.Cause.PLACEMENT;
  }

  @Override
  String purpose() {
    return "range " + source().id() + " " + why;
  }
}
