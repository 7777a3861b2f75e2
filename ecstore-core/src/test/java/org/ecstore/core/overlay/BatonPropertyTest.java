package org.ecstore.core.overlay;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.ecstore.id.NodeId;
import org.ecstore.key.Bytes;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class BatonPropertyTest {
  private static final boolean LONG = Boolean.getBoolean("ecstore.long");

  @Test
  void anyChangesLeaveASoundTree() {
    // The trees' sizes are to 64 in both.
    int step = LONG ? 1 : 3;
    for (long seed = 1; seed <= 60; seed += step) {
      RandomTree random = new RandomTree(seed);
      int sizeMax = 4 + (int) seed;
      for (int change = 0; change < 250; change++) {
        String context = "seed " + seed + " step " + change;
        BatonTree before = random.tree();
        Optional<TreeChange> done = random.step(sizeMax);
        if (done.isPresent()) {
          TreeChecks.assertSound(random.tree(), context);
          assertHandoversExplain(before, done.get(), context);
        }
      }
      TreeChecks.assertRoutes(random.tree(), "seed " + seed);
    }
  }

  @Test
  void everyKeyIsRoutedToItsOwnerWithinTheBoundFromEveryNode() {
    for (int size : new int[] {1, 2, 3, 5, 10, 33, 100, 300}) {
      for (long seed = 1; seed <= (LONG ? 8 : 2); seed++) {
        BatonTree tree = RandomTree.ofSize(size, seed);
        TreeChecks.assertRoutes(tree, "size " + size + " seed " + seed);
      }
    }
  }

  @Test
  @Tag("slow")
  void aTreeThatShrinksToOneNodeStaysSoundAllTheWay() {
    for (long seed = 1; seed <= 5; seed++) {
      RandomTree random = new RandomTree(seed);
      while (random.tree().size() < 150) {
        random.join();
      }
      while (random.tree().size() > 1) {
        random.leave();
        String context = "seed " + seed + " size " + random.tree().size();
        TreeChecks.assertSound(random.tree(), context);
        if (random.tree().size() % 10 == 0) {
          TreeChecks.assertRoutes(random.tree(), context);
        }
      }
    }
  }

  @Test
  void whoLeavesToAnAdjacentMovesNoOtherNodesKeys() {
    for (int size = 2; size <= 40; size++) {
      BatonTree tree = RandomTree.ofSize(size, size);
      for (Place leaving : tree.inOrder()) {
        for (Side side : Side.values()) {
          Optional<Place> heir = tree.adjacent(leaving.node(), side);
          if (heir.isPresent()) {
            TreeChange change = tree.leaveTo(leaving.node(), heir.get().node());
            String context = "size " + size + ", " + leaving + " to " + heir.get();
            TreeChecks.assertSound(change.tree(), context);
            assertEquals(size - 1, change.tree().size(), context);
            assertEquals(
                List.of(new Handover(leaving.node(), heir.get().node(), leaving.keys())),
                change.handovers(),
                context);
            assertHandoversExplain(tree, change, context);
          }
        }
      }
    }
  }

  @Test
  void aTreeEqualsTheOneMadeOfItsPlaces() {
    for (long seed = 1; seed <= 20; seed++) {
      BatonTree tree = RandomTree.ofSize(40, seed);
      List<Place> places = new ArrayList<>(tree.inOrder());
      java.util.Collections.shuffle(places, new java.util.Random(seed));
      assertEquals(tree, BatonTree.of(places), "seed " + seed);
      assertEquals(tree.hashCode(), BatonTree.of(places).hashCode(), "seed " + seed);
    }
  }

  @Test
  void aChangeLeavesTheOldTreeAsItWas() {
    RandomTree random = new RandomTree(7);
    for (int step = 0; step < 200; step++) {
      BatonTree before = random.tree();
      List<Place> places = before.inOrder();
      random.step(30);
      assertEquals(places, before.inOrder(), "step " + step);
    }
  }

  /** A key's new owner is the node that the reported handovers give it to, and no other. */
  private static void assertHandoversExplain(BatonTree before, TreeChange change, String context) {
    List<Bytes> keys = new ArrayList<>();
    before.inOrder().forEach(place -> keys.add(place.keys().start()));
    change.tree().inOrder().forEach(place -> keys.add(place.keys().start()));
    for (Bytes key : keys) {
      NodeId owner = before.ownerOf(key).node();
      List<NodeId> heirs = new ArrayList<>();
      for (Handover handover : change.handovers()) {
        if (handover.from().equals(owner) && handover.keys().contains(key)) {
          heirs.add(handover.to());
        }
      }
      assertTrue(heirs.size() <= 1, context + ": a key goes one way: " + key);
      NodeId expected = heirs.isEmpty() ? owner : heirs.getFirst();
      assertEquals(expected, change.tree().ownerOf(key).node(), context + ": owner of " + key);
    }
    for (Handover handover : change.handovers()) {
      assertTrue(
          before.place(handover.from()).keys().contains(handover.keys()),
          context + ": a node hands over what it had: " + handover);
      assertTrue(
          change.tree().place(handover.to()).keys().contains(handover.keys()),
          context + ": and the other has it then: " + handover);
    }
    assertTrue(change.handovers().isEmpty() == (change.messages() == 0), context + ": messages");
  }
}
