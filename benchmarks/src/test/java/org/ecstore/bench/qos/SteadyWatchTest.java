package org.ecstore.bench.qos;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;

class SteadyWatchTest {
  private final SteadyWatch watch = new SteadyWatch();

  private boolean after(double perSecond, double hitRatio, long mapVersion) {
    watch.add(new SteadyWatch.Window(perSecond, OptionalDouble.of(hitRatio), mapVersion));
    return watch.isSteady();
  }

  @Test
  void threeWindowsThatAreAlikeAreSteady() {
    assertFalse(after(1_000, 0.9, 1));
    assertFalse(after(1_050, 0.9, 1));
    assertTrue(after(960, 0.91, 1));
    assertEquals(OptionalDouble.of(0.91), watch.hitRatio());
  }

  @Test
  void cachesThatStillFillAreNot() {
    double ratio = 0.3;
    for (int i = 0; i < 10; i++) {
      assertFalse(after(1_000, ratio, 1));
      ratio += 0.05;
    }
    assertFalse(after(1_000, 0.8, 1));
    assertFalse(after(1_000, 0.8, 1));
    assertTrue(after(1_000, 0.81, 1));
  }

  @Test
  void throughputThatStillGrowsIsNot() {
    assertFalse(after(800, 0.9, 1));
    assertFalse(after(900, 0.9, 1));
    assertFalse(after(1_000, 0.9, 1));
    assertFalse(after(1_020, 0.9, 1));
    assertTrue(after(1_040, 0.9, 1));
  }

  @Test
  void rangesThatMoveAreNot() {
    assertFalse(after(1_000, 0.9, 1));
    assertFalse(after(1_000, 0.9, 2));
    assertFalse(after(1_000, 0.9, 2));
    assertTrue(after(1_000, 0.9, 2));
  }

  @Test
  void whereEnginesDoNotSayTheirHitsThroughputDecides() {
    for (int i = 0; i < 3; i++) {
      assertFalse(watch.isSteady());
      watch.add(new SteadyWatch.Window(500, OptionalDouble.empty(), 7));
    }
    assertTrue(watch.isSteady());
  }

  @Test
  void theHitRatioIsOfTheTimeBetweenTwoLooksAtAllNodes() {
    CacheCounters before =
        CacheCounters.parse(
            """
            # HELP ecstore_cache_lookups_total Records
            ecstore_cache_lookups_total{cluster="ecstore",node="1"} 1000.0
            ecstore_cache_misses_total{cluster="ecstore",node="1"} 1000.0
            ecstore_commits_running{cluster="ecstore",node="1"} 7.0
            """);
    assertEquals(new CacheCounters(1_000, 1_000), before);
    assertEquals(OptionalDouble.of(0.75), new CacheCounters(1_400, 1_100).hitRatioSince(before));
    assertEquals(OptionalDouble.empty(), before.hitRatioSince(before));
    assertEquals(new CacheCounters(0, 0), CacheCounters.parse("no metrics\n"));
  }
}
