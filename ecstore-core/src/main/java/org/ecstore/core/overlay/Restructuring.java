package org.ecstore.core.overlay;

import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.ecstore.check.Check;
import org.ecstore.id.NodeId;
import org.ecstore.key.Bytes;
import org.ecstore.key.KeyRange;
import org.jspecify.annotations.Nullable;

/**
 * BATON's forced leave and join with network restructuring (rule 21). A node may have to leave or
 * enter the key order where the tree's shape must not change. Then the nodes between that spot and
 * the nearest place that may go or come each move to their neighbour's place: the shape stays
 * balanced, the key order is kept, and no keys move. Unlike a chain of replacements this leaves the
 * data of all other nodes where they are.
 *
 * <p>The nearest place is looked for on both sides at once; in the worst case (a complete level) it
 * is O(N) away, on average a few places.
 */
final class Restructuring {
  private Restructuring() {}

  static TreeChange leaveTo(BatonTree tree, NodeId node, NodeId heir) {
    Check.that(tree.size() > 1, "the last node does not leave", node, tree.size());
    Place leaving = tree.place(node);
    Place taking = tree.place(heir);
    BatonTree merged = tree.with(taking.withKeys(Leaving.joined(taking.keys(), leaving.keys())));
    Moved left = takeOut(merged, leaving.position());
    Handover given = new Handover(node, heir, leaving.keys());
    return new TreeChange(left.tree, List.of(given), left.messages + 1);
  }

  static TreeChange rejoin(BatonTree tree, NodeId light, NodeId loaded, Bytes splitKey) {
    Place leaf = tree.place(light);
    Check.that(tree.isLeaf(leaf.position()), "a leaf rejoins", light, loaded);
    Place target = tree.place(loaded);
    Check.that(
        !leaf.keys().end().equals(Optional.of(target.keys().start()))
            && !target.keys().end().equals(Optional.of(leaf.keys().start()))
            && !light.equals(loaded),
        "a leaf rejoins elsewhere, not next to where it is",
        light,
        loaded);
    Place heir = Leaving.parentOf(tree, leaf);
    Handover given = new Handover(light, heir.node(), leaf.keys());
    BatonTree merged = tree.with(heir.withKeys(Leaving.joined(heir.keys(), leaf.keys())));
    Moved left = takeOut(merged, leaf.position());

    TreeChange entered = enterBeside(left.tree, light, loaded, splitKey);
    return new TreeChange(
        entered.tree(),
        List.of(given, entered.handovers().getFirst()),
        left.messages + entered.messages() + 1);
  }

  static Side sideToEnter(BatonTree tree, NodeId loaded) {
    return nearestSlot(tree, tree.place(loaded).position()).from;
  }

  static TreeChange enterBeside(BatonTree tree, NodeId newcomer, NodeId loaded, Bytes splitKey) {
    Place target = tree.place(loaded);
    KeyRange lower = Joining.lowerPart(target.keys(), splitKey);
    KeyRange upper = Joining.upperPart(target.keys(), splitKey);
    Slot slot = nearestSlot(tree, target.position());
    boolean takesLower = slot.from == Side.LEFT;
    Place halved = target.withKeys(takesLower ? upper : lower);
    Moved entered =
        putIn(tree.with(halved), halved.position(), slot, newcomer, takesLower ? lower : upper);
    Handover taken = new Handover(loaded, newcomer, takesLower ? lower : upper);
    return new TreeChange(entered.tree, List.of(taken), entered.messages);
  }

  private record Moved(BatonTree tree, int messages) {}

  /** A free place that may be taken, and on which side of the spot in key order it is. */
  private record Slot(TreePosition position, Side from) {}

  /**
   * Empties a place whose keys are already another's: neighbours move up from the nearest place.
   */
  private static Moved takeOut(BatonTree tree, TreePosition emptied) {
    Side side = sideOfVanishing(tree, emptied);
    TreePosition hole = emptied;
    BatonTree moved = tree.without(Objects.requireNonNull(tree.at(emptied)));
    int messages = 1;
    while (!tree.mayVanish(hole)) {
      Place next = Objects.requireNonNull(tree.adjacent(hole, side));
      moved = moved.without(next).with(next.at(hole));
      messages += Leaving.moveMessages(tree, hole);
      hole = next.position();
    }
    return new Moved(moved, messages + Leaving.vanishMessages(tree, hole));
  }

  private static Side sideOfVanishing(BatonTree tree, TreePosition from) {
    TreePosition left = from;
    TreePosition right = from;
    while (true) {
      if (left != null && tree.mayVanish(left)) {
        return Side.LEFT;
      }
      if (right != null && tree.mayVanish(right)) {
        return Side.RIGHT;
      }
      left = next(tree, left, Side.LEFT);
      right = next(tree, right, Side.RIGHT);
      Check.that(left != null || right != null, "some leaf may always go", from, tree.size());
    }
  }

  private static @Nullable TreePosition next(
      BatonTree tree, @Nullable TreePosition position, Side side) {
    Place place = position == null ? null : tree.adjacent(position, side);
    return place == null ? null : place.position();
  }

  /** The nearest place that may come, seen from a node: its own child first, then outwards. */
  private static Slot nearestSlot(BatonTree tree, TreePosition from) {
    TreePosition left = from;
    TreePosition right = from;
    while (true) {
      for (Side side : Side.values()) {
        TreePosition at = side == Side.LEFT ? left : right;
        Optional<TreePosition> slot = at == null ? Optional.empty() : slotBeyond(tree, at, side);
        if (slot.isPresent()) {
          return new Slot(slot.get(), side);
        }
      }
      left = next(tree, left, Side.LEFT);
      right = next(tree, right, Side.RIGHT);
      Check.that(left != null || right != null, "some node may always accept", from, tree.size());
    }
  }

  /** A place that may come between a node and its adjacent: the near child of the one or other. */
  private static Optional<TreePosition> slotBeyond(
      BatonTree tree, TreePosition position, Side side) {
    if (tree.accepts(position, side)) {
      return Optional.of(position.child(side));
    }
    Place adjacent = tree.adjacent(position, side);
    return adjacent != null && tree.accepts(adjacent.position(), side.opposite())
        ? Optional.of(adjacent.position().child(side.opposite()))
        : Optional.empty();
  }

  /**
   * Enters a node next to another. Walks outwards from the spot: each node takes the place of the
   * next, the last one the free place. Adjacency is read from the old shape throughout.
   */
  private static Moved putIn(
      BatonTree tree, TreePosition spot, Slot slot, NodeId newcomer, KeyRange keys) {
    Side side = slot.from;
    BatonTree grown = tree;
    Place carried = new Place(newcomer, slot.position, keys);
    Place next = tree.adjacent(spot, side);
    int messages = 0;
    while (next != null && !slotIsBefore(tree, slot, next, side)) {
      grown = grown.without(next).with(carried.at(next.position()));
      messages += Leaving.moveMessages(tree, next.position());
      carried = next;
      next = tree.adjacent(next.position(), side);
    }
    grown = grown.with(carried.at(slot.position));
    return new Moved(grown, messages + Joining.appearMessages(grown, slot.position));
  }

  /** Whether the free place comes before a node, walking to a side. */
  private static boolean slotIsBefore(BatonTree tree, Slot slot, Place node, Side side) {
    TreePosition parent = slot.position.parent().orElseThrow();
    if (slot.position.side() == side.opposite()) {
      return parent.equals(node.position());
    }
    Place before = tree.adjacent(node.position(), side.opposite());
    return before != null && before.position().equals(parent);
  }
}
