package org.ecstore.txn.steward;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.ecstore.core.map.RangeDescriptor;
import org.ecstore.core.overlay.BatonTree;
import org.ecstore.core.overlay.ClusterState;
import org.ecstore.core.overlay.PrimaryPreferences;
import org.ecstore.id.Epoch;
import org.ecstore.id.NodeId;
import org.ecstore.key.KeyRange;
import org.ecstore.txn.steward.decision.Decision;

/**
 * One copy of a range goes from a node to another; there are as many as before. If it is the
 * primary's, the target is to serve the keys from now on, wherever they belong in the tree. If the
 * target has a secondary's copy already, the two change roles.
 */
final class Relocate extends Move {
  private final NodeId from;
  private final long incarnation;
  private final Decision.Cause cause;
  private final String why;

  Relocate(
      Steward steward,
      NodeId from,
      NodeId target,
      long incarnation,
      RangeDescriptor source,
      long reserved,
      Decision.Cause cause,
      String why) {
    super(steward, target, incarnation, source, reserved);
    this.from = from;
    this.incarnation = incarnation;
    this.cause = cause;
    this.why = why;
  }

  private boolean ofPrimary() {
    return from.equals(source().primary());
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
  PrimaryPreferences seatsAfter(ClusterState state, KeyRange keys) {
    if (!ofPrimary()) {
      return state.preferences();
    }
    boolean belongs = state.ownerOf(source()).equals(target());
    return state.preferences().with(keys, belongs ? Optional.empty() : Optional.of(target()));
  }

  @Override
  Optional<KeyRange> kept(KeyRange keys) {
    return Optional.empty();
  }

  @Override
  RangeDescriptor moved(KeyRange keys, Epoch epoch) {
    List<NodeId> secondaries = new ArrayList<>(source().secondaries());
    if (ofPrimary()) {
      if (secondaries.remove(target())) {
        secondaries.add(from);
      }
      return new RangeDescriptor(movedId(), keys, epoch, target(), incarnation, secondaries);
    }
    secondaries.remove(from);
    secondaries.add(target());
    return new RangeDescriptor(
        movedId(), keys, epoch, source().primary(), source().primaryIncarnation(), secondaries);
  }

  @Override
  Decision.Cause cause() {
    return cause;
  }

  @Override
  String why() {
    return why;
  }

  @Override
  String purpose() {
    return "move %s of range %s from %s to %s"
        .formatted(ofPrimary() ? "the primary" : "a secondary", source().id(), from, target());
  }
}
