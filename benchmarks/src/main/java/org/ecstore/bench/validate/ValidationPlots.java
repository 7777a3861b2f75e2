package org.ecstore.bench.validate;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;
import org.ecstore.bench.figure.Chart;
import org.ecstore.bench.figure.Repeated;
import org.ecstore.bench.figure.Series;
import org.ecstore.bench.plot.Plots;
import org.ecstore.bench.qos.TableRun;
import org.ecstore.txn.qos.predict.Prediction;

/** What was measured by what was predicted, a point for each plan, beside the line of no error. */
public final class ValidationPlots {
  static final String RESPONSE_TIME = "response-time.svg";
  static final String THROUGHPUT = "throughput.svg";

  private ValidationPlots() {}

  /** Draws both into a directory; the names of the files, none if there is no plan. */
  public static List<String> draw(ValidationOutcome outcome, Path directory) throws IOException {
    if (outcome.plans().isEmpty()) {
      return List.of();
    }
    Plots.draw(
        chart("Mean response time", "ms", outcome, Prediction::millis, TableRun::millis),
        directory.resolve(RESPONSE_TIME));
    Plots.draw(
        chart(
            "Throughput",
            "MB/s",
            outcome,
            Prediction::megabytesPerSecond,
            TableRun::megabytesPerSecond),
        directory.resolve(THROUGHPUT));
    return List.of(RESPONSE_TIME, THROUGHPUT);
  }

  private static Chart chart(
      String title,
      String unit,
      ValidationOutcome outcome,
      ToDoubleFunction<Prediction> predicted,
      ToDoubleFunction<TableRun> measured) {
    List<Series> all = new ArrayList<>();
    double most = 0;
    for (ValidatedPlan plan : outcome.plans()) {
      double at = predicted.applyAsDouble(plan.drawn().prediction());
      Repeated runs =
          new Repeated(plan.runs().stream().map(run -> measured.applyAsDouble(run.run())).toList());
      all.add(
          new Series(
                  "%d: %d clients, %d nodes"
                      .formatted(plan.number(), plan.drawn().clients(), plan.drawn().nodes()))
              .add(at, runs));
      most = Math.max(most, Math.max(at, runs.most()));
    }
    all.add(new Series("ideal").add(0, 0).add(most, most));
    return new Chart("", title, "predicted, " + unit, "measured, " + unit, false, all);
  }
}
