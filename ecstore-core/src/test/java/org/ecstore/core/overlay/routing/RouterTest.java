package org.ecstore.core.overlay.routing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.ecstore.core.map.RangeDescriptor;
import org.ecstore.core.overlay.BatonTree;
import org.ecstore.core.overlay.Place;
import org.ecstore.core.overlay.RandomTree;
import org.ecstore.id.Epoch;
import org.ecstore.id.NodeId;
import org.ecstore.id.RangeId;
import org.ecstore.key.Bytes;
import org.ecstore.key.KeyRange;
import org.junit.jupiter.api.Test;

class RouterTest {
  @Test
  void aKnownRangeIsReachedWithoutAnyHop() {
    BatonTree tree = RandomTree.ofSize(40, 1);
    Place from = tree.inOrder().getFirst();
    Place owner = tree.inOrder().getLast();
    Router router = new Router(tree.links(from.node()), new RangeCache());
    Bytes key = owner.keys().start();
    assertInstanceOf(Hop.Link.class, router.route(key));
    RangeDescriptor descriptor = descriptor(1, owner.keys(), 1, owner.node());
    router.cache().learn(descriptor);
    assertEquals(new Hop.Cached(descriptor), router.route(key));
  }

  @Test
  void aNodesOwnKeysStay() {
    BatonTree tree = RandomTree.ofSize(10, 1);
    Place self = tree.inOrder().get(4);
    Router router = new Router(tree.links(self.node()), new RangeCache());
    assertEquals(new Hop.Here(), router.route(self.keys().start()));
    Bytes elsewhere = tree.inOrder().getLast().keys().start();
    router.cache().learn(descriptor(1, KeyRange.single(elsewhere), 1, self.node()));
    assertEquals(new Hop.Here(), router.route(elsewhere));
  }

  @Test
  void aColdRouterFindsTheOwnerByLinksAndIsRelinkedByAChange() {
    RandomTree random = new RandomTree(9);
    while (random.tree().size() < 60) {
      random.join();
    }
    for (int round = 0; round < 50; round++) {
      random.step(60);
      BatonTree tree = random.tree();
      Place from = random.anyPlace();
      Bytes key = random.anyPlace().keys().start();
      Router router = new Router(tree.links(from.node()), new RangeCache());
      Hop hop = router.route(key);
      Place at = from;
      while (hop instanceof Hop.Link link) {
        NodeId sender = at.node();
        at = link.to();
        Router next = new Router(RandomTree.ofSize(3, 1).links(new NodeId(0)), new RangeCache());
        next.relink(tree.links(at.node()));
        hop = next.passOn(key, sender);
      }
      assertEquals(new Hop.Here(), hop);
      assertEquals(tree.ownerOf(key), at, "round " + round);
    }
  }

  @Test
  void newerRangesPutOutTheOlderOnesTheyOverlap() {
    RangeCache cache = new RangeCache();
    RangeDescriptor old = descriptor(1, range("a", "z"), 1, new NodeId(1));
    RangeDescriptor left = descriptor(2, range("a", "m"), 2, new NodeId(1));
    RangeDescriptor right = descriptor(3, range("m", "z"), 2, new NodeId(2));
    cache.learnAll(List.of(old, left));
    assertEquals(Optional.of(left), cache.find(Bytes.utf8("b")));
    assertEquals(Optional.empty(), cache.find(Bytes.utf8("n")), "the split range is gone whole");
    cache.learn(right);
    assertEquals(List.of(left, right), cache.ranges());
  }

  @Test
  void olderAndEqualOnesChangeNothing() {
    RangeCache cache = new RangeCache();
    RangeDescriptor now = descriptor(2, range("f", "m"), 5, new NodeId(1));
    assertTrue(cache.learn(now));
    assertFalse(cache.learn(descriptor(1, range("a", "z"), 4, new NodeId(2))));
    assertFalse(cache.learn(descriptor(2, range("f", "m"), 5, new NodeId(3))));
    assertEquals(List.of(now), cache.ranges());
    assertTrue(cache.learn(descriptor(4, range("a", "f"), 1, new NodeId(2))), "no overlap");
  }

  @Test
  void aForgottenRangeIsNotFound() {
    RangeCache cache = new RangeCache();
    cache.learn(descriptor(2, range("f", "m"), 5, new NodeId(1)));
    cache.forget(Bytes.utf8("x"));
    assertEquals(1, cache.ranges().size());
    cache.forget(Bytes.utf8("g"));
    assertEquals(List.of(), cache.ranges());
  }

  @Test
  void whateverIsLearnedInWhateverOrderNothingOverlapsAndTheNewestIsThere() {
    for (long seed = 1; seed <= 40; seed++) {
      Random random = new Random(seed);
      RangeCache cache = new RangeCache();
      List<RangeDescriptor> learned = new ArrayList<>();
      for (int i = 0; i < 100; i++) {
        int start = random.nextInt(60);
        Bytes from = Bytes.of(start);
        KeyRange keys =
            random.nextInt(20) == 0
                ? KeyRange.from(from)
                : KeyRange.of(from, Bytes.of(start + 1 + random.nextInt(20)));
        RangeDescriptor descriptor = descriptor(i, keys, random.nextInt(1000), new NodeId(i));
        learned.add(descriptor);
        cache.learn(descriptor);
        assertNoOverlap(cache.ranges(), "seed " + seed);
      }
      RangeDescriptor newest =
          learned.stream().max((a, b) -> a.epoch().compareTo(b.epoch())).orElseThrow();
      assertEquals(
          Optional.of(newest.epoch()),
          cache.find(newest.keys().start()).map(RangeDescriptor::epoch),
          "seed " + seed);
    }
  }

  private static void assertNoOverlap(List<RangeDescriptor> ranges, String context) {
    for (int i = 1; i < ranges.size(); i++) {
      assertFalse(ranges.get(i - 1).keys().overlaps(ranges.get(i).keys()), context);
    }
  }

  private static KeyRange range(String start, String end) {
    return KeyRange.of(Bytes.utf8(start), Bytes.utf8(end));
  }

  private static RangeDescriptor descriptor(long id, KeyRange keys, long epoch, NodeId primary) {
    return new RangeDescriptor(new RangeId(id), keys, new Epoch(epoch), primary, 1, List.of());
  }
}
