package org.ecstore.core.overlay;

import java.util.List;
import java.util.Optional;
import org.ecstore.check.Check;
import org.ecstore.id.NodeId;
import org.ecstore.key.Bytes;
import org.ecstore.key.KeyRange;

/**
 * BATON's join.
 *
 * <p>The search ends. A request is passed to an adjacent only by a node whose table neighbours all
 * have two children, as it has itself; then all its children have full tables. So the adjacent
 * either accepts (it lacks the child on the near side) or passes on to its parent; a node that was
 * asked by a child with a gap in its tables lacks a child or has a table neighbour that does, and
 * that neighbour accepts or passes on to its own parent. From there on each level is visited at
 * most twice, upwards.
 */
final class Joining {
  private Joining() {}

  static JoinPlan plan(BatonTree tree, NodeId newcomer, NodeId contact) {
    Check.that(!tree.contains(newcomer), "a newcomer is not in the tree", newcomer, contact);
    Place at = tree.place(contact);
    int messages = 1;
    int messagesMax = 4 * (TreePosition.LEVEL_MAX + 1);
    while (!(tree.hasFullTables(at.position()) && tree.lacksChild(at.position()))) {
      at = passOn(tree, at);
      messages++;
      Check.that(messages <= messagesMax, "a join request finds its place", newcomer, at);
    }
    Side side = tree.accepts(at.position(), Side.LEFT) ? Side.LEFT : Side.RIGHT;
    return new JoinPlan(newcomer, at.node(), side, messages);
  }

  private static Place passOn(BatonTree tree, Place at) {
    TreePosition position = at.position();
    if (!tree.hasFullTables(position)) {
      return position.parent().map(tree::at).orElseThrow();
    }
    Optional<Place> lacking =
        tree.tables(position).stream()
            .filter(neighbour -> tree.lacksChild(neighbour.position()))
            .findFirst();
    return lacking.or(() -> Optional.ofNullable(tree.adjacent(position, Side.LEFT))).orElseThrow();
  }

  static TreeChange join(BatonTree tree, JoinPlan plan, Bytes splitKey) {
    Check.that(tree.allows(plan), "a join follows a plan that still holds", plan, tree.size());
    Place parent = tree.place(plan.parent());
    KeyRange lower = lowerPart(parent.keys(), splitKey);
    KeyRange upper = upperPart(parent.keys(), splitKey);
    boolean left = plan.side() == Side.LEFT;
    Place child =
        new Place(plan.newcomer(), parent.position().child(plan.side()), left ? lower : upper);
    BatonTree grown = tree.with(parent.withKeys(left ? upper : lower)).with(child);
    return new TreeChange(
        grown,
        List.of(new Handover(parent.node(), child.node(), child.keys())),
        plan.messages() + appearMessages(grown, child.position()));
  }

  /**
   * What a new child costs: the parent's answer with keys and links, word to the adjacent on the
   * far side, word to the parent's table neighbours; each of those tells its children that the
   * newcomer links to, and they answer the newcomer.
   */
  static int appearMessages(BatonTree grown, TreePosition position) {
    int farAdjacent = grown.adjacent(position, position.side()) == null ? 0 : 1;
    int parentTables = grown.tables(position.parent().orElseThrow()).size();
    return 1 + farAdjacent + parentTables + 2 * grown.tables(position).size();
  }

  static KeyRange lowerPart(KeyRange keys, Bytes splitKey) {
    checkInside(keys, splitKey);
    return KeyRange.of(keys.start(), splitKey);
  }

  static KeyRange upperPart(KeyRange keys, Bytes splitKey) {
    checkInside(keys, splitKey);
    return KeyRange.between(splitKey, keys.end());
  }

  private static void checkInside(KeyRange keys, Bytes splitKey) {
    Check.that(
        keys.contains(splitKey) && !keys.start().equals(splitKey),
        "a split leaves keys on both sides",
        keys,
        splitKey);
  }
}
