package org.ecstore.sim;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Records of several parts come about in the simulator, and all that may happen to them does. */
final class RunsOfPartsSimTest {
  @Test
  void recordsComeInPartsAndWritersAndReadersStopBetweenThem() {
    SeedRuns.Report report = SeedRuns.run(1, 40, 2, Variant.RIGHT, false, seed -> {});
    assertEquals(Optional.empty(), report.first());
    assertCameAbout(report, RunsOfParts.WHOLE, 1_000);
    assertCameAbout(report, RunsOfParts.VOID, 10);
    assertCameAbout(report, RunsOfParts.READ_WITHIN, 100);
  }

  private static void assertCameAbout(SeedRuns.Report report, String what, int least) {
    int times = report.faults().getOrDefault(what, 0);
    assertTrue(times >= least, () -> what + ": " + times + " of " + report.faults());
  }
}
