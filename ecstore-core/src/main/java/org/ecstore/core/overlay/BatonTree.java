package org.ecstore.core.overlay;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeSet;
import org.ecstore.check.Check;
import org.ecstore.id.NodeId;
import org.ecstore.key.Bytes;
import org.ecstore.key.KeyRange;
import org.jspecify.annotations.Nullable;

/**
 * BATON, the balanced tree overlay, as an immutable value: which node sits where, and which keys it
 * owns. Changes give a new tree and share what they do not touch, O(log N) each; the result becomes
 * true only when it is committed by rule 15. Safe for use by several threads.
 *
 * <p>Invariants, checked by {@link #of}:
 *
 * <ol>
 *   <li>every place but the root has its parent;
 *   <li>a node that has a child has full routing tables: every place of its level at distance 1, 2,
 *       4, ... is taken. From this follows that the two subtrees of a node differ by at most one
 *       level, hence at most 1.44 log2 N levels;
 *   <li>in-order order is key order, and the intervals tile all keys.
 * </ol>
 *
 * <p>No link is stored. Parent, children, adjacents and routing tables follow from the places
 * taken, so no change can leave a wrong link behind; {@link #links} spells out what one node would
 * know. The published protocol keeps links at the nodes and repairs them by messages; each change
 * says how many of those it would have cost.
 *
 * <p>The range map, not this tree, is the truth on who serves which keys: a node may come to hold
 * several ranges. The tree's intervals say where a node stands in the key order and route from link
 * to link.
 *
 * <p>Papers: ecStore §3; BATON (VLDB 2005), structure, join, departure and restructuring. Rule 20.
 */
public final class BatonTree {
  private final LongMap<Place> places;
  private final LongMap<TreePosition> positions;

  private BatonTree(LongMap<Place> places, LongMap<TreePosition> positions) {
    this.places = places;
    this.positions = positions;
  }

  /** A tree of one node that owns all keys. */
  public static BatonTree single(NodeId node) {
    return new BatonTree(LongMap.empty(), LongMap.empty())
        .with(new Place(node, TreePosition.ROOT, KeyRange.ALL));
  }

  /**
   * A tree from its places, in any order.
   *
   * @throws IllegalArgumentException if they break an invariant
   */
  public static BatonTree of(Collection<Place> places) {
    BatonTree tree = new BatonTree(LongMap.empty(), LongMap.empty());
    for (Place place : places) {
      tree = tree.with(place);
    }
    if (tree.places.size() != places.size() || tree.positions.size() != places.size()) {
      throw new IllegalArgumentException("a node or a place occurs twice");
    }
    tree.requireInvariants();
    return tree;
  }

  // --- what the tree is

  /** Number of nodes: at least one. */
  public int size() {
    return places.size();
  }

  /** Number of levels. */
  public int height() {
    int levels = 0;
    for (Place place : places.values()) {
      levels = Math.max(levels, place.position().level() + 1);
    }
    return levels;
  }

  /** Whether the node is in the tree. */
  public boolean contains(NodeId node) {
    return positions.has(node.value());
  }

  /** A node's place; absent if it is not in the tree. */
  public Optional<Place> find(NodeId node) {
    TreePosition position = positions.get(node.value());
    return position == null ? Optional.empty() : Optional.ofNullable(at(position));
  }

  /** The place of a node that must be in the tree. */
  public Place place(NodeId node) {
    Place place = find(node).orElse(null);
    Check.that(place != null, "the node is in the tree", node, size());
    return Objects.requireNonNull(place);
  }

  /** Who sits at a position; absent if it is free. */
  public Optional<Place> placeAt(TreePosition position) {
    return Optional.ofNullable(at(position));
  }

  /** The place whose interval holds the key. */
  public Place ownerOf(Bytes key) {
    Place at = Objects.requireNonNull(at(TreePosition.ROOT));
    while (!at.keys().contains(key)) {
      Side side = at.keys().isBelowEnd(key) ? Side.LEFT : Side.RIGHT;
      Place child = child(at.position(), side);
      Check.that(child != null, "the intervals tile all keys", key, at);
      at = Objects.requireNonNull(child);
    }
    return at;
  }

  /** All places in key order. */
  public List<Place> inOrder() {
    List<Place> all = new ArrayList<>(size());
    addInOrder(TreePosition.ROOT, all);
    return all;
  }

  /** The node before or after in key order; absent at the ends. */
  public Optional<Place> adjacent(NodeId node, Side side) {
    return Optional.ofNullable(adjacent(place(node).position(), side));
  }

  /** Whether the node has no child. */
  public boolean isLeaf(NodeId node) {
    return isLeaf(place(node).position());
  }

  /** What this node knows: its own links and nothing else. */
  public NodeLinks links(NodeId node) {
    Place self = place(node);
    TreePosition position = self.position();
    return new NodeLinks(
        self,
        position.parent().map(this::at),
        Optional.ofNullable(child(position, Side.LEFT)),
        Optional.ofNullable(child(position, Side.RIGHT)),
        Optional.ofNullable(adjacent(position, Side.LEFT)),
        Optional.ofNullable(adjacent(position, Side.RIGHT)),
        table(position, Side.LEFT),
        table(position, Side.RIGHT));
  }

  // --- how it changes

  /**
   * Finds where a newcomer joins when it asks a contact: a node accepts a child only if its routing
   * tables are full and it lacks one; otherwise it passes the request on.
   */
  public JoinPlan whereToJoin(NodeId newcomer, NodeId contact) {
    return Joining.plan(this, newcomer, contact);
  }

  /** Whether the plan, made on this tree or an older one, can be carried out on this one. */
  public boolean allows(JoinPlan plan) {
    return !contains(plan.newcomer())
        && contains(plan.parent())
        && accepts(place(plan.parent()).position(), plan.side());
  }

  /**
   * The newcomer becomes the planned child. The parent's interval is split at the key, which must
   * be inside it and not its start: a left child takes the part below the key, a right child the
   * rest.
   */
  public TreeChange join(JoinPlan plan, Bytes splitKey) {
    return Joining.join(this, plan, splitKey);
  }

  /**
   * The node leaves; it must not be the last one. A leaf without a table neighbour that has a child
   * gives its keys to its parent and goes. Any other node is replaced by such a leaf, which gives
   * its own keys to its own parent and takes over place and keys of the one that leaves.
   */
  public TreeChange leave(NodeId node) {
    return Leaving.leave(this, node);
  }

  /**
   * The node leaves, wherever it sits, and gives its keys to an adjacent; it must not be the last
   * one. Where the tree would lose its balance, nodes move along the key order, without moving
   * keys: those of the one that leaves are all that change hands.
   */
  public TreeChange leaveTo(NodeId node, NodeId heir) {
    return Restructuring.leaveTo(this, node, heir);
  }

  /**
   * A lightly loaded leaf gives its keys to its parent and takes part of those of a loaded node,
   * next to it in key order: the part below or from the split key on, whichever moves fewer nodes.
   * Where the tree would lose its balance, nodes move along the key order, without moving keys, to
   * the nearest place where it does not. The leaf must not be adjacent to the loaded node: for that
   * there is {@link #shiftBoundary}.
   */
  public TreeChange rejoin(NodeId light, NodeId loaded, Bytes splitKey) {
    return Restructuring.rejoin(this, light, loaded, splitKey);
  }

  /** On which side of a loaded node {@link #enterBeside} puts a newcomer. */
  public Side sideToEnter(NodeId loaded) {
    return Restructuring.sideToEnter(this, loaded);
  }

  /**
   * A node without a place takes one next to a loaded node in key order, with the part of its keys
   * on that side of the split key: the second half of {@link #rejoin}.
   */
  public TreeChange enterBeside(NodeId newcomer, NodeId loaded, Bytes splitKey) {
    return Restructuring.enterBeside(this, newcomer, loaded, splitKey);
  }

  /**
   * Moves the boundary between two adjacent nodes, named in any order. Both keep at least one key
   * of what they had.
   */
  public TreeChange shiftBoundary(NodeId one, NodeId other, Bytes boundary) {
    return Boundary.shift(this, one, other, boundary);
  }

  // --- for the protocols of this package

  @Nullable Place at(TreePosition position) {
    return places.get(position.index());
  }

  boolean isTaken(TreePosition position) {
    return places.has(position.index());
  }

  BatonTree with(Place place) {
    return new BatonTree(
        places.with(place.position().index(), place),
        positions.with(place.node().value(), place.position()));
  }

  BatonTree without(Place place) {
    return new BatonTree(
        places.without(place.position().index()), positions.without(place.node().value()));
  }

  @Nullable Place child(TreePosition position, Side side) {
    return at(position.child(side));
  }

  boolean isLeaf(TreePosition position) {
    return !isTaken(position.child(Side.LEFT)) && !isTaken(position.child(Side.RIGHT));
  }

  boolean lacksChild(TreePosition position) {
    return !isTaken(position.child(Side.LEFT)) || !isTaken(position.child(Side.RIGHT));
  }

  /** The routing table on a side, nearest first; free places are left out. */
  List<Place> table(TreePosition position, Side side) {
    List<Place> entries = new ArrayList<>();
    for (long distance = 1; distance < 1L << position.level(); distance *= 2) {
      position.beside(side, distance).map(this::at).ifPresent(entries::add);
    }
    return entries;
  }

  /** Both routing tables, left one first. */
  List<Place> tables(TreePosition position) {
    List<Place> entries = table(position, Side.LEFT);
    entries.addAll(table(position, Side.RIGHT));
    return entries;
  }

  boolean hasFullTables(TreePosition position) {
    return isFull(position, Side.LEFT) && isFull(position, Side.RIGHT);
  }

  private boolean isFull(TreePosition position, Side side) {
    for (long distance = 1; distance < 1L << position.level(); distance *= 2) {
      Optional<TreePosition> beside = position.beside(side, distance);
      if (beside.isPresent() && !isTaken(beside.get())) {
        return false;
      }
    }
    return true;
  }

  /** Whether a child may be added here without breaking invariant 2. */
  boolean accepts(TreePosition parent, Side side) {
    return !isTaken(parent.child(side)) && hasFullTables(parent);
  }

  /** Whether a node may be taken away here without breaking invariant 2. */
  boolean mayVanish(TreePosition position) {
    return isLeaf(position)
        && tables(position).stream().allMatch(neighbour -> isLeaf(neighbour.position()));
  }

  /** The neighbour in key order: the nearest end of the subtree on that side, else an ancestor. */
  @Nullable Place adjacent(TreePosition position, Side side) {
    Place below = child(position, side);
    if (below != null) {
      Place at = below;
      while (below != null) {
        at = below;
        below = child(below.position(), side.opposite());
      }
      return at;
    }
    TreePosition from = position;
    while (from.level() > 0) {
      TreePosition parent = from.parent().orElseThrow();
      if (from.side() == side.opposite()) {
        return at(parent);
      }
      from = parent;
    }
    return null;
  }

  /** How many nodes hold a link to this place: parent, children, adjacents, tables. */
  int linkCount(TreePosition position) {
    TreeSet<NodeId> linked = new TreeSet<>();
    tables(position).forEach(place -> linked.add(place.node()));
    position.parent().map(this::at).ifPresent(place -> linked.add(place.node()));
    for (Side side : Side.values()) {
      Optional.ofNullable(child(position, side)).ifPresent(place -> linked.add(place.node()));
      Optional.ofNullable(adjacent(position, side)).ifPresent(place -> linked.add(place.node()));
    }
    return linked.size();
  }

  private void addInOrder(TreePosition position, List<Place> all) {
    Place place = at(position);
    if (place != null) {
      addInOrder(position.child(Side.LEFT), all);
      all.add(place);
      addInOrder(position.child(Side.RIGHT), all);
    }
  }

  private void requireInvariants() {
    List<Place> ordered = inOrder();
    require(!ordered.isEmpty() && ordered.size() == size(), "a place without its parent");
    Optional<Bytes> expected = Optional.of(Bytes.EMPTY);
    for (Place place : ordered) {
      require(
          expected.isPresent() && expected.get().equals(place.keys().start()),
          "intervals do not tile the keys in order");
      expected = place.keys().end();
      require(
          isLeaf(place.position()) || hasFullTables(place.position()),
          "a node with a child has a gap in its routing tables");
    }
    require(expected.isEmpty(), "intervals do not reach the end of all keys");
  }

  private static void require(boolean condition, String broken) {
    if (!condition) {
      throw new IllegalArgumentException(broken);
    }
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof BatonTree that && places.equals(that.places);
  }

  @Override
  public int hashCode() {
    return places.hashCode();
  }

  @Override
  public String toString() {
    return "BatonTree" + inOrder();
  }
}
