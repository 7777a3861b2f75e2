package org.ecstore.bench.figure;

import java.util.ArrayList;
import java.util.List;
import org.ecstore.bench.figure.SkewFigures.Popularity;
import org.ecstore.bench.model.Adaptation;

/**
 * Figure 10: the imbalance by the threshold factor. What is popular changes half way through a run,
 * and everything is counted, so that it shows how fast the system reacts. Paper: ecStore §6.3.3.
 */
final class ThresholdFigure implements FigureGroup {
  private static double[] factors(boolean quick) {
    return quick ? new double[] {1.25, 2, 16} : new double[] {1.25, 1.5, 2, 3, 4, 6, 8, 12, 16};
  }

  private static int seeds(boolean quick) {
    return quick ? 1 : 5;
  }

  @Override
  public List<Integer> numbers() {
    return List.of(10);
  }

  @Override
  public int steps(boolean quick) {
    return Popularity.values().length * factors(quick).length * seeds(quick);
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
      double sum = 0;
      for (int i = 0; i < seeds(run.quick()); i++) {
        Adaptation adaptation = run.adaptive() ? SkewFigures.adaptation(factor) : null;
        sum +=
            SkewFigures.run(
                    run, SkewFigures.NODES, 3, adaptation, popularity, true, run.seed() + 100L * i)
                .imbalance();
      }
      curve.add(factor, sum / seeds(run.quick()));
    }
    charts.add(
        new Chart(
            popularity.name,
            "Maximum load imbalance by threshold factor, " + popularity.meaning,
            "threshold factor",
            "heaviest / lightest load",
            false,
            List.of(curve)));
    double trend = Numbers.rankCorrelation(curve.xs(), curve.ys());
    claims.add(
        Claim.of(
            "The imbalance is less when the threshold is small (" + popularity.meaning + ").",
            curve.ys().getFirst() < curve.last() && trend > 0.5,
            "imbalance %s at factors %s, rank correlation %.2f"
                .formatted(Numbers.list(curve.ys()), Numbers.list(curve.xs()), trend),
            "the differences are within the noise of the runs."));
  }
}
