package org.ecstore.bench.validate;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import org.ecstore.bench.figure.Chart;
import org.ecstore.bench.figure.Repeated;
import org.ecstore.bench.figure.Series;
import org.ecstore.bench.plot.Plots;
import org.ecstore.bench.plot.TimeChart;
import org.ecstore.bench.plot.TimeChart.Mark;
import org.ecstore.bench.plot.TimeChart.Marks;
import org.ecstore.bench.plot.TimePlots;
import org.ecstore.bench.qos.TableWorkload;
import org.ecstore.bench.report.EachSecond;

/**
 * What was measured by what was predicted, a point for each plan, beside the line of no error; and
 * of each plan what its clients had over time (Cassandra QoS, figure 7). They are drawn of the
 * stored result, so that the same can be drawn later.
 */
public final class ValidationPlots {
  private static final String RESPONSE_TIME = TimePlots.RESPONSE_TIME;
  private static final String THROUGHPUT = TimePlots.THROUGHPUT;
  private static final String PREDICTED_MILLIS = "predictedMillis";
  private static final String PREDICTED_MEGABYTES = "predictedMegabytesPerSecond";
  private static final double MEGA = 1e6;

  /** Of a plan, response times above so many times its target are drawn there. */
  private static final double CUT = 5;

  private ValidationPlots() {}

  /**
   * Draws all of them into a directory; the names of the files, none if there is no plan.
   *
   * @param result as {@link ValidationOutcome#json} has it
   */
  public static List<String> draw(JsonNode result, Path directory) throws IOException {
    if (result.path("plans").isEmpty()) {
      return List.of();
    }
    Plots.draw(
        byPrediction("Mean response time", "ms", result, PREDICTED_MILLIS, ValidationPlots::millis),
        directory.resolve(RESPONSE_TIME));
    Plots.draw(
        byPrediction("Throughput", "MB/s", result, PREDICTED_MEGABYTES, ValidationPlots::megabytes),
        directory.resolve(THROUGHPUT));
    List<String> names = new ArrayList<>(List.of(RESPONSE_TIME, THROUGHPUT));
    for (JsonNode plan : result.path("plans")) {
      if (!isOverTime(plan)) {
        continue; // Older results have no seconds.
      }
      String stem = "plan-%d-".formatted(plan.path("plan").asInt());
      TimePlots.draw(responseTime(plan), directory.resolve(stem + RESPONSE_TIME));
      TimePlots.draw(throughput(plan), directory.resolve(stem + THROUGHPUT));
      names.addAll(List.of(stem + RESPONSE_TIME, stem + THROUGHPUT));
    }
    return List.copyOf(names);
  }

  private static double millis(JsonNode run) {
    return run.path("ms").asDouble();
  }

  private static double megabytes(JsonNode run) {
    return run.path("perSecond").asDouble() * TableWorkload.RECORD_BYTES / MEGA;
  }

  /** A figure of a run. */
  private interface Figure {
    double of(JsonNode run);
  }

  private static Chart byPrediction(
      String title, String unit, JsonNode result, String predicted, Figure measured) {
    List<Series> all = new ArrayList<>();
    double most = 0;
    for (JsonNode plan : result.path("plans")) {
      double at = plan.path(predicted).asDouble();
      List<Double> values = new ArrayList<>();
      plan.path("runs").forEach(run -> values.add(measured.of(run)));
      Repeated runs = new Repeated(values);
      all.add(new Series(words(plan)).add(at, runs));
      most = Math.max(most, Math.max(at, runs.most()));
    }
    all.add(new Series("ideal").add(0, 0).add(most, most));
    return new Chart("", title, "predicted, " + unit, "measured, " + unit, false, all);
  }

  private static String words(JsonNode plan) {
    return "%d: %d clients, %d nodes"
        .formatted(
            plan.path("plan").asInt(), plan.path("clients").asInt(), plan.path("nodes").asInt());
  }

  private static boolean isOverTime(JsonNode plan) {
    return plan.at("/runs/0/eachSecond").isObject();
  }

  /** A figure of a second. */
  private interface SecondFigure {
    OptionalDouble of(EachSecond seconds, int second);
  }

  static TimeChart responseTime(JsonNode plan) {
    double target = plan.path("targetMillis").asDouble();
    double cut = CUT * target;
    return overTime(
        "Response time of plan " + words(plan),
        "mean of each second, ms, cut at %.0f".formatted(cut),
        plan,
        (seconds, second) -> seconds.millis(seconds.meanMillis(), second, cut),
        List.of(
            across("objective", plan, target),
            across("predicted", plan, plan.path(PREDICTED_MILLIS).asDouble())));
  }

  static TimeChart throughput(JsonNode plan) {
    return overTime(
        "Throughput of plan " + words(plan),
        "MB/s, of each second",
        plan,
        (seconds, second) ->
            OptionalDouble.of(
                (double) seconds.answers().get(second) * TableWorkload.RECORD_BYTES / MEGA),
        List.of(across("predicted", plan, plan.path(PREDICTED_MEGABYTES).asDouble())));
  }

  /** Runs one after the other, without the time between them. */
  private static TimeChart overTime(
      String title, String unit, JsonNode plan, SecondFigure figure, List<Series> bounds) {
    Series measured = new Series("measured");
    List<Mark> runs = new ArrayList<>();
    List<Mark> actions = new ArrayList<>();
    int at = 0;
    for (JsonNode run : plan.path("runs")) {
      runs.add(new Mark(at, "run " + run.path("run").asInt()));
      EachSecond seconds = EachSecond.of(run.path("eachSecond"));
      for (int second = 0; second < seconds.size(); second++) {
        OptionalDouble value = figure.of(seconds, second);
        if (value.isPresent()) {
          measured.add((double) at + second, value.getAsDouble());
        }
      }
      at += seconds.size();
      if (!run.path("actions").isEmpty()) {
        actions.add(new Mark(at, "action"));
      }
    }
    return new TimeChart(
        title,
        unit,
        false,
        List.of(measured),
        bounds,
        List.of(new Marks("run begins", runs), new Marks("action seen after a run", actions)),
        List.of());
  }

  private static Series across(String name, JsonNode plan, double value) {
    int seconds = 0;
    for (JsonNode run : plan.path("runs")) {
      seconds += run.at("/eachSecond/answers").size();
    }
    return new Series(name).add(0, value).add(Math.max(1, seconds), value);
  }
}
