package org.ecstore.bench.control;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import org.ecstore.bench.figure.Repeated;
import org.ecstore.bench.figure.Series;
import org.ecstore.bench.plot.TimeChart;
import org.ecstore.bench.plot.TimeChart.Mark;
import org.ecstore.bench.plot.TimeChart.Marks;
import org.ecstore.bench.plot.TimePlots;
import org.ecstore.bench.report.EachSecond;

/** The flooded phases of an {@link Interference} as pictures, drawn of its stored result. */
public final class InterferencePlots {
  /** Response times above so many times the objective are drawn there: one pause hides the rest. */
  private static final double CUT = 5;

  private InterferencePlots() {}

  /**
   * Draws them into a directory; the names of the files.
   *
   * @param result as {@link Interference#json} has it
   */
  public static List<String> draw(JsonNode result, Path directory) throws IOException {
    return TimePlots.draw(responseTime(result), throughput(result), directory);
  }

  static TimeChart responseTime(JsonNode result) {
    double target = result.at("/settings/p99Millis").asDouble();
    double cut = CUT * target;
    List<Series> lines =
        both(
            result,
            QosRunSettings.SHOP,
            (seconds, second) -> seconds.millis(seconds.p99Millis(), second, cut));
    double end = 1;
    for (Series line : lines) {
      end = line.size() == 0 ? end : Math.max(end, line.xs().getLast());
    }
    return new TimeChart(
        "The shop beside a flood",
        "p99 of each second, ms, median of rounds, cut at %.0f".formatted(cut),
        false,
        lines,
        List.of(new Series("objective: p99").add(0, target).add(end, target)),
        List.of(new Marks("action, of all rounds", actions(result))),
        List.of());
  }

  /** What flooded had: with the controller it is what that has left it. */
  static TimeChart throughput(JsonNode result) {
    return new TimeChart(
        "What floods",
        "answers to it in each second, median of rounds",
        false,
        both(
            result,
            QosRunSettings.REPORTS,
            (seconds, second) -> OptionalDouble.of(seconds.answers().get(second))),
        List.of(),
        List.of(new Marks("action, of all rounds", actions(result))),
        List.of());
  }

  /** A figure of a second. */
  private interface Figure {
    OptionalDouble of(EachSecond seconds, int second);
  }

  private static List<Series> both(JsonNode result, String application, Figure figure) {
    return List.of(
        medians("controller acts", true, result, application, figure),
        medians("controller frozen", false, result, application, figure));
  }

  /** Of each second since the flood began that all rounds have. */
  private static Series medians(
      String name, boolean acts, JsonNode result, String application, Figure figure) {
    List<EachSecond> all = new ArrayList<>();
    double from = 0;
    for (JsonNode round : result.path("rounds")) {
      if (round.path("acts").asBoolean() == acts) {
        all.add(EachSecond.of(round.path("flooded").path(application).path("eachSecond")));
        from = round.path("warmUpSeconds").asDouble();
      }
    }
    int seconds = all.stream().mapToInt(EachSecond::size).min().orElse(0);
    Series series = new Series(name);
    for (int second = 0; second < seconds; second++) {
      int at = second;
      List<Double> had =
          all.stream().flatMapToDouble(one -> figure.of(one, at).stream()).boxed().toList();
      if (!had.isEmpty()) {
        series.add(from + second, new Repeated(had).median());
      }
    }
    return series;
  }

  /** Without words, as several rounds have theirs at about the same time. */
  private static List<Mark> actions(JsonNode result) {
    List<Mark> marks = new ArrayList<>();
    for (JsonNode round : result.path("rounds")) {
      double from = round.path("fromSeconds").asDouble();
      double to = round.at("/flooded/toSeconds").asDouble();
      for (JsonNode action : round.path("actions")) {
        double at = action.path("seconds").asDouble();
        if (at >= from && at <= to) {
          marks.add(new Mark(at - from, ""));
        }
      }
    }
    return marks;
  }
}
