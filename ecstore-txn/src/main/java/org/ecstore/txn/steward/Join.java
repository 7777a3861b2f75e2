package org.ecstore.txn.steward;

import java.util.List;
import java.util.Optional;
import org.ecstore.core.map.RangeDescriptor;
import org.ecstore.core.overlay.BatonTree;
import org.ecstore.core.overlay.JoinPlan;
import org.ecstore.core.overlay.Side;
import org.ecstore.id.NodeId;
import org.ecstore.id.RangeId;
import org.ecstore.key.Bytes;
import org.ecstore.key.KeyRange;
import org.ecstore.txn.steward.decision.Decision;

/**
 * A newcomer on its way into the overlay (rule 20): BATON says whose child it becomes, on which
 * side, and it takes keys of that node from that side. If the node has one range, that is cut at a
 * middle key; if it has several, because another has left, the newcomer takes the outermost one as
 * it is, so that leaving and joining do not cut the keys up ever finer.
 *
 * @param whole whether it takes the range as it is
 */
record Join(
    JoinPlan plan,
    boolean beside,
    long incarnation,
    RangeDescriptor source,
    boolean whole,
    RangeId movedId)
    implements MovePlan {
  /**
   * A newcomer's way in.
   *
   * @param plan with whose keys it begins, and from which side of them
   * @param beside whether it enters next to that node in key order, wherever in the tree that is
   *     (rule 21); else it becomes its child
   * @param parents the ranges of that node, in key order
   */
  static Join of(
      JoinPlan plan,
      boolean beside,
      long incarnation,
      List<RangeDescriptor> parents,
      long reserved) {
    return new Join(
        plan,
        beside,
        incarnation,
        plan.side() == Side.LEFT ? parents.getFirst() : parents.getLast(),
        parents.size() > 1,
        new RangeId(reserved));
  }

  @Override
  public NodeId target() {
    return plan.newcomer();
  }

  @Override
  public Part part() {
    return whole ? new Part.Keys(source.keys()) : new Part.Cut(false, key -> side(key, true));
  }

  private KeyRange side(Bytes key, boolean moved) {
    boolean lower = (plan.side() == Side.LEFT) == moved;
    return lower
        ? KeyRange.of(source.keys().start(), key)
        : KeyRange.between(key, source.keys().end());
  }

  /** The key that parts the newcomer's interval from its parent's. */
  private Bytes cutKey(KeyRange moved) {
    return plan.side() == Side.LEFT ? moved.end().orElseThrow() : moved.start();
  }

  @Override
  public Optional<BatonTree> treeAfter(BatonTree tree, KeyRange keys) {
    boolean possible =
        beside
            ? !tree.contains(plan.newcomer())
                && tree.contains(plan.parent())
                && tree.sideToEnter(plan.parent()) == plan.side()
            : tree.allows(plan);
    if (!possible) {
      return Optional.empty();
    }
    KeyRange of = tree.place(plan.parent()).keys();
    boolean outermost =
        plan.side() == Side.LEFT ? of.start().equals(keys.start()) : of.end().equals(keys.end());
    boolean leavesKeys = of.contains(keys) && !of.equals(keys);
    if (!outermost || !leavesKeys) {
      return Optional.empty();
    }
    return Optional.of(
        beside
            ? tree.enterBeside(plan.newcomer(), plan.parent(), cutKey(keys)).tree()
            : tree.join(plan, cutKey(keys)).tree());
  }

  @Override
  public Optional<KeyRange> kept(KeyRange keys) {
    return whole ? Optional.empty() : Optional.of(side(cutKey(keys), false));
  }

  @Override
  public Decision.Cause cause() {
    return Decision.Cause.MEMBERSHIP;
  }

  @Override
  public String purpose() {
    NodeId newcomer = plan.newcomer();
    return beside
        ? newcomer + " joins " + plan.side() + " of " + plan.parent()
        : newcomer + " joins as " + plan.side() + " child of " + plan.parent();
  }
}
