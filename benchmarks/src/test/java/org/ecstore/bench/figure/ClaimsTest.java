package org.ecstore.bench.figure;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.ecstore.bench.cost.CostModel;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** The claims are evaluated: they hold for what we have, and fail for what does not adapt. */
@Order(1)
@Execution(ExecutionMode.CONCURRENT)
class ClaimsTest {
  private static List<FigureReport> run(FigureGroup group, boolean adaptive) {
    int[] steps = {0};
    FigureRun run = new FigureRun(3, true, CostModel.TYPICAL, adaptive, () -> steps[0]++);
    List<FigureReport> reports = group.run(run);
    assertEquals(group.steps(true), steps[0]);
    assertEquals(group.numbers(), reports.stream().map(FigureReport::number).toList());
    return reports;
  }

  private static boolean holds(List<FigureReport> reports, int figure, String words) {
    List<Claim> found =
        reports.stream()
            .filter(report -> report.number() == figure)
            .flatMap(report -> report.claims().stream())
            .filter(claim -> claim.paper().contains(words))
            .toList();
    assertFalse(found.isEmpty(), words);
    return found.stream().allMatch(Claim::holds);
  }

  @Test
  @Tag("slow")
  void imbalanceIsHalvedByAdaptationOnly() {
    String halved = "less than half, at every size (popular records lie together)";
    String better = "better than replication level 4 (popular records lie together)";
    List<FigureReport> adaptive = run(new SkewFigures(), true);
    assertTrue(holds(adaptive, 9, halved));
    assertTrue(holds(adaptive, 8, better));
    List<FigureReport> planted = run(new SkewFigures(), false);
    assertFalse(holds(planted, 8, better));
    assertFalse(
        holds(planted, 9, "lower than with 4 copies, at every size (popular records lie tog"));
  }

  @Test
  @Tag("slow")
  void selfTuningHistogramCopiesLessAndBalances() {
    List<FigureReport> adaptive = run(new FlashCrowdFigures(), true);
    assertTrue(holds(adaptive, 13, "STR-10 creates fewer"));
    assertTrue(holds(adaptive, 14, "highly skewed"));
    assertTrue(holds(adaptive, 15, "well distributed"));
    List<FigureReport> planted = run(new FlashCrowdFigures(), false);
    assertFalse(holds(planted, 13, "STR-10 creates fewer"));
    assertFalse(holds(planted, 15, "well distributed"));
  }

  @Test
  void optimisticReplicationWritesMore() {
    assertTrue(holds(run(new WriteFigure(), true), 5, "outperformed"));
  }

  @Test
  void ordersOfTheShopTouchOneNodeAsCustomersHaveTheirKeysTogether() {
    List<FigureReport> shop = run(new TpcwFigures(), true);
    assertTrue(holds(shop, 16, "nearly flat as the system grows (Browsing, 5% updates)"));
    assertTrue(holds(shop, 17, "declines as more transactions update"));
    assertTrue(holds(shop, 17, "Most transactions touch one node only"));
    assertTrue(holds(shop, 17, "fewer do where these lie apart"));
  }

  @Test
  void ranksAreCompared() {
    assertEquals(1, Numbers.rankCorrelation(List.of(1.0, 2.0, 3.0), List.of(4.0, 9.0, 10.0)), 1e-9);
    assertEquals(-1, Numbers.rankCorrelation(List.of(1.0, 2.0, 3.0), List.of(3.0, 2.0, 1.0)), 1e-9);
  }
}
