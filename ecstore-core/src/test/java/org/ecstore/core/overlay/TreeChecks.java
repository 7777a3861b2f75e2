package org.ecstore.core.overlay;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.ecstore.id.NodeId;
import org.ecstore.key.Bytes;

/** What must hold of every tree, worked out from its places alone. */
final class TreeChecks {
  private TreeChecks() {}

  static void assertSound(BatonTree tree, String context) {
    List<Place> places = tree.inOrder();
    assertEquals(tree.size(), places.size(), context);
    Map<TreePosition, Place> taken = new HashMap<>();
    Map<NodeId, Place> byNode = new HashMap<>();
    for (Place place : places) {
      taken.put(place.position(), place);
      byNode.put(place.node(), place);
    }
    assertEquals(places.size(), taken.size(), context + ": one node per position");
    assertEquals(places.size(), byNode.size(), context + ": one position per node");
    assertInKeyOrder(places, context);
    for (int i = 0; i < places.size(); i++) {
      NodeLinks links = tree.links(places.get(i).node());
      assertEquals(at(places, i - 1), links.leftAdjacent(), context + ": left adjacent");
      assertEquals(at(places, i + 1), links.rightAdjacent(), context + ": right adjacent");
      assertLinks(links, taken, context);
    }
    double heightMax = 1.4405 * Math.log(tree.size() + 2) / Math.log(2) - 0.32;
    assertTrue(tree.height() <= heightMax, context + ": height " + tree.height());
    assertBalanced(TreePosition.ROOT, taken, context);
  }

  private static void assertInKeyOrder(List<Place> places, String context) {
    Optional<Bytes> expected = Optional.of(Bytes.EMPTY);
    double before = 0;
    for (Place place : places) {
      TreePosition position = place.position();
      double inOrder = (2.0 * position.number() + 1) / (1L << (position.level() + 1));
      assertTrue(inOrder > before, context + ": in-order at " + place);
      assertEquals(expected, Optional.of(place.keys().start()), context + ": tiling");
      expected = place.keys().end();
      before = inOrder;
    }
    assertTrue(expected.isEmpty(), context + ": the last interval reaches the end");
  }

  private static void assertLinks(NodeLinks links, Map<TreePosition, Place> taken, String context) {
    TreePosition position = links.self().position();
    String where = context + " at " + links.self();
    assertEquals(links.self(), taken.get(position), where);
    assertEquals(position.level() > 0, links.parent().isPresent(), where);
    links.parent().ifPresent(parent -> assertEquals(position.number() / 2, number(parent), where));
    TreePosition left = new TreePosition(position.level() + 1, position.number() * 2);
    TreePosition right = new TreePosition(position.level() + 1, position.number() * 2 + 1);
    assertEquals(Optional.ofNullable(taken.get(left)), links.leftChild(), where);
    assertEquals(Optional.ofNullable(taken.get(right)), links.rightChild(), where);
    List<Place> leftTable = new ArrayList<>();
    List<Place> rightTable = new ArrayList<>();
    int gaps = 0;
    for (long distance = 1; distance < 1L << position.level(); distance *= 2) {
      gaps += addEntry(leftTable, taken, position.level(), position.number() - distance);
      gaps += addEntry(rightTable, taken, position.level(), position.number() + distance);
    }
    assertEquals(leftTable, links.leftTable(), where);
    assertEquals(rightTable, links.rightTable(), where);
    boolean hasChild = taken.containsKey(left) || taken.containsKey(right);
    assertTrue(!hasChild || gaps == 0, where + ": a node with a child has full tables");
  }

  private static int addEntry(
      List<Place> table, Map<TreePosition, Place> taken, int level, long number) {
    if (number < 0 || number >= 1L << level) {
      return 0;
    }
    Place entry = taken.get(new TreePosition(level, number));
    if (entry == null) {
      return 1;
    }
    table.add(entry);
    return 0;
  }

  private static int assertBalanced(
      TreePosition position, Map<TreePosition, Place> taken, String context) {
    if (!taken.containsKey(position)) {
      return 0;
    }
    int left = assertBalanced(position.child(Side.LEFT), taken, context);
    int right = assertBalanced(position.child(Side.RIGHT), taken, context);
    assertTrue(Math.abs(left - right) <= 1, context + ": balance at " + position);
    return 1 + Math.max(left, right);
  }

  /** From every node to every node; gives the longest route. */
  static int assertRoutes(BatonTree tree, String context) {
    int hopsMax = 0;
    Map<NodeId, NodeLinks> links = new HashMap<>();
    tree.inOrder().forEach(place -> links.put(place.node(), tree.links(place.node())));
    for (Place from : tree.inOrder()) {
      for (Place to : tree.inOrder()) {
        hopsMax = Math.max(hopsMax, hops(links, from, to, context));
      }
    }
    double bound = OverlayExperiment.bound(tree.size());
    assertTrue(hopsMax <= bound, context + ": " + hopsMax + " hops, bound " + bound);
    return hopsMax;
  }

  private static int hops(Map<NodeId, NodeLinks> links, Place from, Place to, String context) {
    Bytes key = to.keys().start();
    Place at = from;
    Optional<Place> next = Objects.requireNonNull(links.get(at.node())).firstHop(key);
    int hops = 0;
    while (next.isPresent()) {
      NodeId sender = at.node();
      at = next.get();
      next = Objects.requireNonNull(links.get(at.node())).nextHop(key, sender);
      hops++;
      assertTrue(hops <= links.size(), context + ": no end from " + from + " to " + to);
    }
    assertEquals(to, at, context + ": the route from " + from + " ends at the owner");
    return hops;
  }

  private static Optional<Place> at(List<Place> places, int index) {
    return index < 0 || index >= places.size() ? Optional.empty() : Optional.of(places.get(index));
  }

  private static long number(Place place) {
    return place.position().number();
  }
}
