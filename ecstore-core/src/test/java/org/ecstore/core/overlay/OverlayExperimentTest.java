package org.ecstore.core.overlay;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class OverlayExperimentTest {
  @Test
  void routesStayWithinTheBoundAtEverySize() {
    for (int nodes : new int[] {1, 2, 3, 10, 100, 1000}) {
      for (long seed = 1; seed <= (nodes < 1000 ? 10 : 1); seed++) {
        assertWithinBound(nodes, seed);
      }
    }
  }

  @Test
  void routesStayWithinTheBoundAmongThousandsOfNodes() {
    assertWithinBound(Boolean.getBoolean("ecstore.long") ? 10_000 : 2_000, 1);
  }

  @Test
  void theSameSeedGivesTheSameReport() {
    OverlayReport first = new OverlayExperiment(50, 4, steps -> {}).run();
    assertEquals(first, new OverlayExperiment(50, 4, steps -> {}).run());
  }

  @Test
  void progressIsReported() {
    AtomicLong done = new AtomicLong();
    new OverlayExperiment(500, 4, done::addAndGet).run();
    double part = (double) done.get() / OverlayExperiment.steps(500);
    assertTrue(part > 0.8 && part < 1.2, "share of the announced steps: " + part);
  }

  @Test
  void thereIsNoTreeWithoutNodes() {
    assertThrows(IllegalArgumentException.class, () -> new OverlayExperiment(0, 1, steps -> {}));
  }

  private static void assertWithinBound(int nodes, long seed) {
    OverlayReport report = new OverlayExperiment(nodes, seed, steps -> {}).run();
    assertEquals(nodes, report.nodes());
    assertTrue(report.withinBound(), "seed " + seed + ": " + report);
    assertTrue(report.meanHops() <= report.maxHops(), report.toString());
    assertTrue(
        report.joinMessagesMean() >= 1 && report.leaveMessagesMean() >= 1, report.toString());
  }
}
