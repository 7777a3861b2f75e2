package org.ecstore.txn.steward;

import java.util.Optional;
import org.ecstore.core.map.RangeDescriptor;
import org.ecstore.core.overlay.BatonTree;
import org.ecstore.id.NodeId;
import org.ecstore.id.RangeId;
import org.ecstore.key.KeyRange;
import org.ecstore.txn.steward.decision.Decision;

/**
 * The first half of rule 21's other way: a light leaf gives its ranges to a neighbour, one by one,
 * and goes out of the tree. It stays a member, has no place, asks for one, and gets it beside the
 * node that has too much ({@link Join}). If the steward dies in between, it joins anywhere. The
 * next range goes when the steward tends to things again: at once.
 *
 * @param leave what becomes of the outermost range
 * @param loaded beside which node it is to join
 */
record Rejoin(Leave leave, NodeId loaded, String why) implements MovePlan {
  @Override
  public NodeId target() {
    return leave.target();
  }

  @Override
  public long incarnation() {
    return leave.incarnation();
  }

  @Override
  public RangeDescriptor source() {
    return leave.source();
  }

  @Override
  public RangeId movedId() {
    return leave.movedId();
  }

  @Override
  public Optional<BatonTree> treeAfter(BatonTree tree, KeyRange keys) {
    return leave.treeAfter(tree, keys);
  }

  @Override
  public Decision.Cause cause() {
    return Decision.Cause.SIZE;
  }

  @Override
  public String purpose() {
    return leave.leaver() + " leaves its place, to join beside " + loaded;
  }
}
