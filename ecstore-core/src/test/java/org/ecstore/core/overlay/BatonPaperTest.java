package org.ecstore.core.overlay;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.ecstore.check.Check;
import org.ecstore.id.NodeId;
import org.ecstore.key.Bytes;
import org.ecstore.key.KeyRange;
import org.junit.jupiter.api.Test;

/**
 * Claims of "BATON: A Balanced Tree Structure for Peer-to-Peer Networks" (VLDB 2005), by the
 * headings of that paper, and of ecStore §3 and §4.1 on the overlay.
 */
class BatonPaperTest {
  private static final NodeId A = new NodeId(0);
  private static final NodeId B = new NodeId(1);
  private static final NodeId C = new NodeId(2);
  private static final NodeId D = new NodeId(3);
  private static final NodeId E = new NodeId(4);

  /** A at the root, B and C below it, keys "a" to "z" split at "h" and "p". */
  private static BatonTree threeNodes() {
    BatonTree one = BatonTree.single(A);
    BatonTree two = one.join(one.whereToJoin(B, A), key("h")).tree();
    return two.join(two.whereToJoin(C, A), key("p")).tree();
  }

  /** BATON, structure: in-order order is key order; inner nodes own keys too. */
  @Test
  void inOrderOrderIsKeyOrderAndInnerNodesOwnKeys() {
    BatonTree tree = threeNodes();
    assertEquals(List.of(B, A, C), tree.inOrder().stream().map(Place::node).toList());
    assertEquals(KeyRange.of(Bytes.EMPTY, key("h")), tree.place(B).keys());
    assertEquals(KeyRange.of(key("h"), key("p")), tree.place(A).keys());
    assertEquals(KeyRange.from(key("p")), tree.place(C).keys());
  }

  /** BATON, Theorem 1: full tables of nodes with children make the tree balanced. */
  @Test
  void fullTablesOfParentsKeepTheTreeBalanced() {
    for (long seed = 1; seed <= 10; seed++) {
      BatonTree tree = RandomTree.ofSize(200, seed);
      for (Place place : tree.inOrder()) {
        if (!tree.isLeaf(place.node())) {
          assertTrue(tree.hasFullTables(place.position()), "seed " + seed + " at " + place);
        }
      }
      TreeChecks.assertSound(tree, "seed " + seed);
    }
  }

  /** BATON, Theorem 2: parents of nodes that link to each other by tables do so too, or are one. */
  @Test
  void parentsOfTableNeighboursAreTableNeighbours() {
    for (long seed = 1; seed <= 10; seed++) {
      BatonTree tree = RandomTree.ofSize(120, seed);
      for (Place place : tree.inOrder()) {
        for (Place neighbour : tree.tables(place.position())) {
          Place parent = tree.links(place.node()).parent().orElseThrow();
          Place other = tree.links(neighbour.node()).parent().orElseThrow();
          assertTrue(
              parent.equals(other) || tree.tables(parent.position()).contains(other),
              "seed " + seed + ": " + place + " and " + neighbour);
        }
      }
    }
  }

  /** BATON, structure: the height is at most 1.44 log2 N. */
  @Test
  void heightIsAtMostThatOfABalancedTree() {
    for (int size : new int[] {1, 2, 7, 50, 400, 2000}) {
      BatonTree tree = RandomTree.ofSize(size, size);
      double levelsMax = 1.44 * Math.log(size + 2) / Math.log(2);
      assertTrue(tree.height() <= levelsMax, size + " nodes, height " + tree.height());
    }
  }

  /** BATON, node join: a left child takes the lower part of its parent's keys. */
  @Test
  void aLeftChildTakesTheLowerPart() {
    BatonTree one = BatonTree.single(A);
    JoinPlan plan = one.whereToJoin(B, A);
    assertEquals(new JoinPlan(B, A, Side.LEFT, 1), plan);
    TreeChange change = one.join(plan, key("m"));
    KeyRange lower = KeyRange.of(Bytes.EMPTY, key("m"));
    assertEquals(List.of(new Handover(A, B, lower)), change.handovers());
    assertEquals(lower, change.tree().place(B).keys());
    assertEquals(KeyRange.from(key("m")), change.tree().place(A).keys());
  }

  /** BATON, node join: a right child takes the upper part. */
  @Test
  void aRightChildTakesTheUpperPart() {
    BatonTree tree = threeNodes();
    assertEquals(new TreePosition(1, 1), tree.place(C).position());
    assertEquals(KeyRange.from(key("p")), tree.place(C).keys());
  }

  /** BATON, Algorithm 1: a node with a gap in its tables passes a newcomer to its parent. */
  @Test
  void aNodeWithAGapInItsTablesPassesANewcomerToItsParent() {
    BatonTree one = BatonTree.single(A);
    BatonTree two = one.join(one.whereToJoin(B, A), key("h")).tree();
    assertEquals(new JoinPlan(C, A, Side.RIGHT, 2), two.whereToJoin(C, B));
  }

  /**
   * BATON, Algorithm 1: a node with two children passes a newcomer to a neighbour that lacks one.
   */
  @Test
  void aNodeWithTwoChildrenPassesANewcomerToATableNeighbourThatLacksOne() {
    BatonTree tree = threeNodes();
    tree = tree.join(tree.whereToJoin(D, B), key("c")).tree();
    tree = tree.join(tree.whereToJoin(E, B), key("e")).tree();
    assertFalse(tree.lacksChild(tree.place(B).position()));
    assertEquals(new JoinPlan(new NodeId(5), C, Side.LEFT, 2), tree.whereToJoin(new NodeId(5), B));
  }

  /** BATON, Algorithm 1: where all neighbours are complete too, to an adjacent. */
  @Test
  void aRootWithTwoChildrenPassesANewcomerToItsAdjacent() {
    assertEquals(new JoinPlan(D, B, Side.LEFT, 2), threeNodes().whereToJoin(D, A));
  }

  /**
   * BATON, node join: finding a place takes O(log N) messages, updating tables at most 6 log2 N.
   */
  @Test
  void aJoinCostsAFewMessagesPerLevel() {
    for (int size : new int[] {10, 100, 1000}) {
      BatonTree tree = RandomTree.ofSize(size, size);
      double levels = Math.log(size) / Math.log(2);
      NodeId newcomer = new NodeId(1_000_000);
      for (Place contact : tree.inOrder()) {
        JoinPlan plan = tree.whereToJoin(newcomer, contact.node());
        assertTrue(plan.messages() <= 2 * levels + 2, plan.toString());
        Bytes split = KeyMiddle.of(tree.place(plan.parent()).keys()).orElseThrow();
        int updates = tree.join(plan, split).messages() - plan.messages();
        assertTrue(updates <= 6 * levels, size + " nodes, updates " + updates);
      }
    }
  }

  /** BATON, node departure: a leaf may go only if no table neighbour has a child. */
  @Test
  void aLeafGoesIfNoTableNeighbourHasAChildAndItsParentGetsItsKeys() {
    BatonTree tree = threeNodes();
    KeyRange keys = tree.place(C).keys();
    TreeChange change = tree.leave(C);
    assertEquals(List.of(new Handover(C, A, keys)), change.handovers());
    assertEquals(tree.place(B), change.tree().place(B));
    assertEquals(KeyRange.from(key("h")), change.tree().place(A).keys());
  }

  /** BATON, node departure: otherwise a leaf below that neighbour takes its place. */
  @Test
  void aLeafBesideANodeWithAChildIsReplaced() {
    BatonTree tree = threeNodes();
    tree = tree.join(tree.whereToJoin(D, B), key("c")).tree();
    TreeChange change = tree.leave(C);
    assertEquals(
        List.of(
            new Handover(D, B, KeyRange.of(Bytes.EMPTY, key("c"))),
            new Handover(C, D, KeyRange.from(key("p")))),
        change.handovers());
    assertEquals(tree.place(C).position(), change.tree().place(D).position());
    TreeChecks.assertSound(change.tree(), "after C left");
  }

  /** BATON, node departure: an inner node is replaced by a leaf; its own child keeps its keys. */
  @Test
  void anInnerNodeIsReplacedByALeaf() {
    TreeChange change = threeNodes().leave(A);
    assertEquals(List.of(new Handover(A, B, KeyRange.of(key("h"), key("p")))), change.handovers());
    assertEquals(TreePosition.ROOT, change.tree().place(B).position());
    assertEquals(KeyRange.of(Bytes.EMPTY, key("p")), change.tree().place(B).keys());
  }

  /** BATON, node departure: O(log N) messages, at most 8 log2 N with a replacement. */
  @Test
  void aLeaveCostsAFewMessagesPerLevel() {
    for (int size : new int[] {10, 100, 1000}) {
      BatonTree tree = RandomTree.ofSize(size, size);
      double messagesMax = 8 * Math.log(size) / Math.log(2);
      for (Place place : tree.inOrder()) {
        int messages = tree.leave(place.node()).messages();
        assertTrue(messages <= messagesMax, size + " nodes, messages " + messages);
      }
    }
  }

  /** BATON, exact match query: own links suffice, in 1.44 log2 N + O(1) hops. */
  @Test
  void everyKeyIsFoundFromEveryNodeInLogarithmicallyManyHops() {
    for (int size : new int[] {1, 2, 3, 10, 100, 500}) {
      BatonTree tree = RandomTree.ofSize(size, 11);
      TreeChecks.assertRoutes(tree, "size " + size);
    }
  }

  /** BATON, exact match query: the farthest table entry that is not past the key. */
  @Test
  void theFarthestTableEntryNotPastTheKeyIsTaken() {
    BatonTree tree = completeTree(4);
    Place from = tree.placeAt(new TreePosition(3, 0)).orElseThrow();
    Place target = tree.placeAt(new TreePosition(3, 6)).orElseThrow();
    Place next = tree.links(from.node()).firstHop(target.keys().start()).orElseThrow();
    assertEquals(new TreePosition(3, 4), next.position());
    Place last = tree.links(next.node()).nextHop(target.keys().start(), from.node()).orElseThrow();
    assertEquals(target, last);
  }

  /**
   * BATON, exact match query, and its hole: the published rule would jump over a gap, here from
   * leaf to leaf. A gap sends the request to the parent, which has none.
   */
  @Test
  void aGapInTheTableSendsTheRequestToTheParent() {
    BatonTree full = completeTree(4);
    Place from = full.placeAt(new TreePosition(3, 0)).orElseThrow();
    Place gap = full.placeAt(new TreePosition(3, 4)).orElseThrow();
    Place target = full.placeAt(new TreePosition(3, 6)).orElseThrow();
    BatonTree tree = full.leave(gap.node()).tree();
    assertEquals(Optional.empty(), tree.placeAt(gap.position()));
    Place next = tree.links(from.node()).firstHop(target.keys().start()).orElseThrow();
    assertEquals(new TreePosition(2, 0), next.position());
    TreeChecks.assertRoutes(tree, "with one gap");
  }

  /** BATON, load balancing: adjacent nodes shift the boundary between them. */
  @Test
  void adjacentNodesShiftTheirBoundary() {
    BatonTree tree = threeNodes();
    TreeChange up = tree.shiftBoundary(A, B, key("k"));
    assertEquals(List.of(new Handover(A, B, KeyRange.of(key("h"), key("k")))), up.handovers());
    TreeChange down = tree.shiftBoundary(A, B, key("d"));
    assertEquals(List.of(new Handover(B, A, KeyRange.of(key("d"), key("h")))), down.handovers());
    assertEquals(KeyRange.of(key("d"), key("p")), down.tree().place(A).keys());
    assertEquals(tree, tree.shiftBoundary(B, A, key("h")).tree());
    assertThrows(Check.Failed.class, () -> tree.shiftBoundary(B, C, key("k")));
    assertThrows(Check.Failed.class, () -> tree.shiftBoundary(A, B, key("p")));
  }

  /** BATON, load balancing: a light leaf elsewhere leaves and joins beside a loaded node. */
  @Test
  void aLightLeafTakesHalfOfALoadedNodesKeys() {
    BatonTree tree = completeTree(3);
    Place light = tree.placeAt(new TreePosition(2, 3)).orElseThrow();
    Place loaded = tree.placeAt(new TreePosition(2, 0)).orElseThrow();
    Bytes split = KeyMiddle.of(loaded.keys()).orElseThrow();
    TreeChange change = tree.rejoin(light.node(), loaded.node(), split);
    assertEquals(2, change.handovers().size());
    assertEquals(light.node(), change.handovers().getFirst().from());
    Handover taken = change.handovers().getLast();
    assertEquals(loaded.node(), taken.from());
    assertEquals(light.node(), taken.to());
    assertEquals(change.tree().place(light.node()).keys(), taken.keys());
    assertTrue(loaded.keys().contains(taken.keys()));
    TreeChecks.assertSound(change.tree(), "after the rejoin");
  }

  /** BATON, network restructuring: places change, keys stay with everyone who takes no part. */
  @Test
  void restructuringMovesNodesNotKeys() {
    for (long seed = 1; seed <= 20; seed++) {
      RandomTree random = new RandomTree(seed);
      while (random.tree().size() < 60) {
        random.join();
      }
      BatonTree before = random.tree();
      Optional<TreeChange> change = random.rejoin();
      if (change.isEmpty()) {
        continue;
      }
      Map<NodeId, KeyRange> touched = new HashMap<>();
      change.get().handovers().forEach(h -> touched.put(h.from(), h.keys()));
      change.get().handovers().forEach(h -> touched.put(h.to(), h.keys()));
      for (Place place : before.inOrder()) {
        KeyRange now = change.get().tree().place(place.node()).keys();
        assertTrue(
            touched.containsKey(place.node()) || now.equals(place.keys()),
            "seed " + seed + ": " + place);
      }
    }
  }

  /** ecStore §3: nodes join and leave on the fly; only neighbours' ranges are repartitioned. */
  @Test
  void aJoinOrLeaveTouchesTheKeysOfAtMostThreeNodes() {
    RandomTree random = new RandomTree(5);
    while (random.tree().size() < 300) {
      BatonTree before = random.tree();
      Optional<TreeChange> change = random.random.nextInt(4) == 0 ? random.leave() : random.join();
      if (change.isEmpty()) {
        continue;
      }
      long changed =
          before.inOrder().stream()
              .filter(
                  place ->
                      !change
                          .get()
                          .tree()
                          .find(place.node())
                          .map(Place::keys)
                          .equals(Optional.of(place.keys())))
              .count();
      assertTrue(changed <= 3, changed + " nodes changed by " + change.get().handovers());
    }
  }

  /** ecStore §4.1: each node has a right-adjacent to which a later copy goes, but the last. */
  @Test
  void everyNodeButTheLastHasARightAdjacentThatContinuesItsKeys() {
    BatonTree tree = RandomTree.ofSize(50, new Random(3).nextLong());
    List<Place> places = tree.inOrder();
    for (int i = 0; i < places.size(); i++) {
      Optional<Place> right = tree.adjacent(places.get(i).node(), Side.RIGHT);
      assertEquals(places.get(i).keys().end(), right.map(place -> place.keys().start()));
      assertEquals(i + 1 == places.size(), right.isEmpty());
    }
  }

  /** All places of some levels taken. */
  private static BatonTree completeTree(int levels) {
    BatonTree tree = BatonTree.single(A);
    for (long node = 1; node < (1L << levels) - 1; node++) {
      long index = node + 1;
      int level = 63 - Long.numberOfLeadingZeros(index);
      TreePosition position = new TreePosition(level, index - (1L << level));
      Place parent = tree.placeAt(position.parent().orElseThrow()).orElseThrow();
      JoinPlan plan = new JoinPlan(new NodeId(node), parent.node(), position.side(), 1);
      tree = tree.join(plan, KeyMiddle.of(parent.keys()).orElseThrow()).tree();
    }
    return tree;
  }

  private static Bytes key(String text) {
    return Bytes.utf8(text);
  }
}
