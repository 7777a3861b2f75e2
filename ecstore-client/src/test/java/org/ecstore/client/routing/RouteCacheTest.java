package org.ecstore.client.routing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.ecstore.id.Epoch;
import org.ecstore.id.NodeId;
import org.ecstore.id.RangeId;
import org.ecstore.key.Bytes;
import org.ecstore.key.KeyRange;
import org.ecstore.model.Route;
import org.ecstore.wire.Limits;
import org.junit.jupiter.api.Test;

class RouteCacheTest {
  private static Route route(int id, int epoch, KeyRange keys) {
    return new Route(new RangeId(id), new Epoch(epoch), keys, new NodeId(id), "n" + id + ":1");
  }

  private static Bytes key(int value) {
    return Bytes.of(value);
  }

  @Test
  void aSplitReplacesTheWholeOfTheOldRange() {
    RouteCache cache = new RouteCache();
    cache.learn(route(1, 1, KeyRange.ALL));
    Route right = route(2, 2, KeyRange.from(key(100)));
    cache.learn(right);
    assertEquals(Optional.of(right), cache.find(key(200)));
    assertEquals(Optional.empty(), cache.find(key(50)), "the old range is gone as a whole");
  }

  @Test
  void anOlderRouteIsNoNews() {
    RouteCache cache = new RouteCache();
    Route newer = route(2, 5, KeyRange.of(key(10), key(20)));
    cache.learn(newer);
    cache.learn(route(1, 4, KeyRange.ALL));
    assertEquals(List.of(newer), cache.all());
  }

  @Test
  void theRangeBelowAnEndReachesToThatEnd() {
    RouteCache cache = new RouteCache();
    Route left = route(1, 1, KeyRange.of(Bytes.EMPTY, key(10)));
    Route right = route(2, 2, KeyRange.from(key(20)));
    cache.learn(left);
    cache.learn(right);
    assertEquals(Optional.of(left), cache.findBelow(Optional.of(key(10))));
    assertEquals(Optional.of(left), cache.findBelow(Optional.of(key(5))));
    assertEquals(Optional.empty(), cache.findBelow(Optional.of(key(15))), "a gap");
    assertEquals(Optional.empty(), cache.findBelow(Optional.of(key(20))), "a gap");
    assertEquals(Optional.of(right), cache.findBelow(Optional.of(key(21))));
    assertEquals(Optional.of(right), cache.findBelow(Optional.empty()));
  }

  @Test
  void forgettingSparesTheRouteThatReplacedIt() {
    RouteCache cache = new RouteCache();
    Route old = route(1, 1, KeyRange.ALL);
    Route now = route(1, 2, KeyRange.ALL);
    cache.learn(old);
    cache.learn(now);
    cache.forget(old);
    assertEquals(Optional.of(now), cache.find(key(1)));
    cache.forget(now);
    assertEquals(Optional.empty(), cache.find(key(1)));
  }

  /** The model looks at every route, the cache only at those near. */
  @Test
  void findsWhatAListOfRoutesWouldFind() {
    for (long seed = 0; seed < 50; seed++) {
      Random random = new Random(seed);
      RouteCache cache = new RouteCache();
      List<Route> model = new ArrayList<>();
      for (int i = 1; i <= 60; i++) {
        int start = random.nextInt(250);
        int end = start + 1 + random.nextInt(255 - start);
        Route next = route(i, 1 + random.nextInt(60), KeyRange.of(key(start), key(end)));
        cache.learn(next);
        learn(model, next);
        checkEqual(model, cache, "seed " + seed);
      }
    }
  }

  private static void learn(List<Route> model, Route next) {
    List<Route> overlapping =
        model.stream().filter(known -> known.keys().overlaps(next.keys())).toList();
    if (overlapping.stream().noneMatch(known -> known.epoch().isAfter(next.epoch()))) {
      model.removeAll(overlapping);
      model.add(next);
    }
  }

  private static void checkEqual(List<Route> model, RouteCache cache, String seed) {
    for (int value = 0; value < 256; value++) {
      Bytes key = key(value);
      assertEquals(
          model.stream().filter(route -> route.keys().contains(key)).findFirst(),
          cache.find(key),
          seed);
      Optional<Bytes> end = Optional.of(key.successor());
      assertEquals(cache.find(key), cache.findBelow(end), seed);
    }
  }

  @Test
  void theGreatestKeyBelowAnEndHasNoneAboveIt() {
    assertEquals(key(5), Limits.greatestKeyBelow(Optional.of(key(5).successor())));
    Bytes below = Limits.greatestKeyBelow(Optional.of(Bytes.of(7, 3)));
    assertEquals(Limits.KEY_BYTES_MAX, below.length());
    assertTrue(below.startsWith(Bytes.of(7, 2, 0xff)));
    assertTrue(below.compareTo(Bytes.of(7, 3)) < 0);
    Bytes last = Limits.greatestKeyBelow(Optional.empty());
    assertEquals(Limits.KEY_BYTES_MAX, last.length());
    assertEquals((byte) 0xff, last.at(0));
  }
}
