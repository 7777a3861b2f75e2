package org.ecstore.core.overlay;

import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.ecstore.check.Check;
import org.ecstore.id.NodeId;
import org.ecstore.key.KeyRange;

/**
 * BATON's departure: a leaf that keeps the balance goes; any other node is replaced by such a leaf.
 */
final class Leaving {
  private Leaving() {}

  static TreeChange leave(BatonTree tree, NodeId node) {
    Check.that(tree.size() > 1, "the last node does not leave", node, tree.size());
    Place leaving = tree.place(node);
    if (tree.mayVanish(leaving.position())) {
      Place heir = parentOf(tree, leaving);
      return new TreeChange(
          vanish(tree, leaving),
          List.of(new Handover(node, heir.node(), leaving.keys())),
          vanishMessages(tree, leaving.position()));
    }
    return replace(tree, leaving);
  }

  private static TreeChange replace(BatonTree tree, Place leaving) {
    Place replacement = firstAsked(tree, leaving);
    int messages = 1;
    while (!tree.mayVanish(replacement.position())) {
      replacement = below(tree, replacement.position());
      messages++;
    }
    Place heir = parentOf(tree, replacement);
    BatonTree shrunk = vanish(tree, replacement);
    Place gap = shrunk.place(leaving.node());
    BatonTree replaced =
        shrunk.without(gap).with(new Place(replacement.node(), gap.position(), gap.keys()));
    Handover toReplacement = new Handover(leaving.node(), replacement.node(), leaving.keys());
    Handover toHeir = new Handover(replacement.node(), heir.node(), replacement.keys());
    return new TreeChange(
        replaced,
        heir.node().equals(leaving.node())
            ? List.of(toReplacement)
            : List.of(toHeir, toReplacement),
        messages
            + vanishMessages(tree, replacement.position())
            + moveMessages(replaced, gap.position()));
  }

  /**
   * An inner node asks an adjacent, which is below it; a leaf asks a child of a table neighbour.
   */
  private static Place firstAsked(BatonTree tree, Place leaving) {
    TreePosition position = leaving.position();
    if (tree.isLeaf(position)) {
      return below(tree, position);
    }
    Side side = tree.isTaken(position.child(Side.LEFT)) ? Side.LEFT : Side.RIGHT;
    return Objects.requireNonNull(tree.adjacent(position, side));
  }

  /** One step of the search for a replacement: to a child, else to a child of a table neighbour. */
  private static Place below(BatonTree tree, TreePosition position) {
    return anyChild(tree, position)
        .or(
            () ->
                tree.tables(position).stream()
                    .flatMap(neighbour -> anyChild(tree, neighbour.position()).stream())
                    .findFirst())
        .orElseThrow();
  }

  private static Optional<Place> anyChild(BatonTree tree, TreePosition position) {
    return Optional.ofNullable(tree.child(position, Side.LEFT))
        .or(() -> Optional.ofNullable(tree.child(position, Side.RIGHT)));
  }

  static Place parentOf(BatonTree tree, Place place) {
    return place.position().parent().map(tree::at).orElseThrow();
  }

  /** The tree without a leaf, whose keys go to its parent. */
  private static BatonTree vanish(BatonTree tree, Place leaf) {
    Place heir = parentOf(tree, leaf);
    return tree.without(leaf).with(heir.withKeys(joined(heir.keys(), leaf.keys())));
  }

  /** Two intervals that touch, as one. */
  static KeyRange joined(KeyRange one, KeyRange other) {
    boolean ordered = one.start().compareTo(other.start()) < 0;
    KeyRange lower = ordered ? one : other;
    KeyRange upper = ordered ? other : one;
    Check.that(
        lower.end().isPresent() && lower.end().get().equals(upper.start()),
        "only touching intervals are joined",
        lower,
        upper);
    return KeyRange.between(lower.start(), upper.end());
  }

  /**
   * What a leaf's going costs: its keys to its parent, word to the adjacent on the far side and to
   * its table neighbours, and from the parent to the parent's table neighbours.
   */
  static int vanishMessages(BatonTree tree, TreePosition position) {
    int farAdjacent = tree.adjacent(position, position.side()) == null ? 0 : 1;
    int parentTables = tree.tables(position.parent().orElseThrow()).size();
    return 1 + farAdjacent + tree.tables(position).size() + parentTables;
  }

  /**
   * What it costs that another node takes a place: the links it is handed, word to all who link
   * there, and from the parent to its table neighbours, which know its children.
   */
  static int moveMessages(BatonTree tree, TreePosition position) {
    int parentTables = position.parent().map(parent -> tree.tables(parent).size()).orElse(0);
    return 1 + tree.linkCount(position) + parentTables;
  }
}
