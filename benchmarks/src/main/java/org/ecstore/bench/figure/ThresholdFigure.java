package org.ecstore.bench.figure;

import java.util.ArrayList;
import java.util.List;
import org.ecstore.bench.figure.SkewFigures.Popularity;
import org.ecstore.bench.model.Adaptation;
import org.ecstore.bench.model.ClosedLoop;

/**
 * Figure 10: the imbalance by the threshold factor. What is popular changes half way through a run,
 * and everything is counted, so that it shows how fast the system reacts. Paper: ecStore §6.3.3.
 */
final class ThresholdFigure implements FigureGroup {
  private static double[] factors(boolean quick) {
    return quick ? new double[] {1.25, 2, 16} : new double[] {1.25, 1.5, 2, 3, 4, 6, 8, 12, 16};
  }

  @Override
  public List<Integer> numbers() {
    return List.of(10);
  }

  @Override
  public int steps(boolean quick) {
    return Popularity.values().length * factors(quick).length * FigureRun.REPETITIONS;
  }

  @Override
  public List<FigureReport> run(FigureRun run) {
    List<Chart> charts = new ArrayList<>();
    List<Claim> claims = new ArrayList<>();
    for (Popularity popularity : Popularity.values()) {
      thresholds(run, popularity, charts, claims);
    }
    return List.of(
        new FigureReport(
            10,
            "Effect of the threshold factor",
            SkewFigures.HOW
                + " Half way through a run what is popular changes; everything is counted.",
            SkewFigures.settings(run),
            charts,
            claims));
  }

  private static void thresholds(
      FigureRun run, Popularity popularity, List<Chart> charts, List<Claim> claims) {
    Series curve = new Series("3-adapt");
    for (double factor : factors(run.quick())) {
      Adaptation adaptation = run.adaptive() ? SkewFigures.adaptation(factor) : null;
      List<ClosedLoop.Outcome> outcomes =
          run.repeat(
              each -> SkewFigures.run(each, SkewFigures.NODES, 3, adaptation, popularity, true));
      curve.add(factor, FigureRun.of(outcomes, ClosedLoop.Outcome::imbalance));
    }
    charts.add(
        new Chart(
            popularity.name,
            "Maximum load imbalance by threshold factor, " + popularity.meaning,
            "threshold factor",
            "heaviest / lightest load",
            false,
            List.of(curve)));
    claims.add(
        Claim.of(
            "The imbalance is less when the threshold is small (" + popularity.meaning + ").",
            "imbalance %s at factors %s"
                .formatted(Numbers.list(curve.ys()), Numbers.list(curve.xs())),
            List.of(
                Margin.trend(curve),
                Margin.above(
                    "factor %s against %s"
                        .formatted(
                            Numbers.text(curve.xs().getLast()),
                            Numbers.text(curve.xs().getFirst())),
                    curve.point(curve.size() - 1),
                    curve.point(0)))));
  }
}
