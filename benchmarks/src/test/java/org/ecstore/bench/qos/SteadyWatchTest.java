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

  /** Some windows of which none is the last of a steady cluster. */
  private void notYet(double hitRatio, long mapVersion, double... perSecond) {
    for (double each : perSecond) {
      assertFalse(after(each, hitRatio, mapVersion), () -> each + " a second");
    }
  }

  @Test
  void windowsThatAreAlikeAndNoFasterThanThoseBeforeAreSteady() {
    notYet(0.9, 1, 1_000, 980, 1_010, 1_000, 1_050);
    assertTrue(after(960, 0.91, 1));
    assertEquals(OptionalDouble.of(0.91), watch.hitRatio());
  }

  @Test
  void cachesThatStillFillAreNot() {
    double ratio = 0.3;
    for (int i = 0; i < 10; i++) {
      notYet(ratio, 1, 1_000);
      ratio += 0.05;
    }
    notYet(0.8, 1, 1_000, 1_000);
    assertTrue(after(1_000, 0.81, 1));
  }

  @Test
  void throughputThatStillGrowsIsNot() {
    notYet(0.9, 1, 600, 800, 900, 1_000, 1_020, 1_040, 1_040);
    assertFalse(after(1_060, 0.9, 1), "900, 1,000 and 1,020 were before");
    assertTrue(after(1_040, 0.9, 1));
  }

  @Test
  void codeThatIsCompiledForMinutesIsSeen() {
    double perSecond = 1_000;
    for (int i = 0; i < 20; i++) {
      notYet(0.9, 1, perSecond);
      perSecond *= 1.02;
    }
  }

  @Test
  void throughputThatFallsIsNotSteady() {
    notYet(0.9, 1, 1_100, 1_090, 1_100, 1_000, 1_010, 1_000);
  }

  @Test
  void rangesThatMoveAreNot() {
    notYet(0.9, 1, 1_000);
    notYet(0.9, 2, 1_000, 1_000, 1_000, 1_000, 1_000);
    assertTrue(after(1_000, 0.9, 2));
  }

  @Test
  void whereNoNodeSaysTheMapRangesMayHaveMoved() {
    notYet(0.9, -1, 1_000, 1_000, 1_000, 1_000, 1_000, 1_000, 1_000);
  }

  @Test
  void whereEnginesDoNotSayTheirHitsThroughputDecides() {
    for (int i = 0; i < SteadyWatch.WINDOWS; i++) {
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
