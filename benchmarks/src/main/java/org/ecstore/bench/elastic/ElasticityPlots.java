package org.ecstore.bench.elastic;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.ecstore.bench.figure.Series;
import org.ecstore.bench.plot.TimeChart;
import org.ecstore.bench.plot.TimeChart.Mark;
import org.ecstore.bench.plot.TimeChart.Marks;
import org.ecstore.bench.plot.TimeChart.Period;
import org.ecstore.bench.plot.TimeChart.Periods;
import org.ecstore.bench.plot.TimePlots;

/**
 * A run as pictures: throughput and response time over time, and when data moved. They are drawn of
 * the stored result, so that the same can be drawn later.
 */
public final class ElasticityPlots {
  /** Response times above so many times the calm p99 are drawn there: one pause hides the rest. */
  private static final double CUT = 20;

  private ElasticityPlots() {}

  /**
   * Draws all of them into a directory; the names of the files.
   *
   * @param result as {@link ElasticityOutcome#json} has it
   */
  public static List<String> draw(JsonNode result, Path directory) throws IOException {
    return TimePlots.draw(responseTime(result), throughput(result), directory);
  }

  static TimeChart responseTime(JsonNode result) {
    double calm = result.at("/phases/0/p99Millis").asDouble();
    double cut = calm > 0 ? CUT * calm : Double.MAX_VALUE;
    List<Series> lines = new ArrayList<>();
    lines.add(each("p99", "p99Millis", cut, result));
    lines.add(each("p50", "p50Millis", cut, result));
    // Older results have no mean.
    if (result.at("/seconds/0/meanMillis").isNumber()) {
      lines.add(each("mean", "meanMillis", cut, result));
    }
    return new TimeChart(
        "Response time while a node is added and drained",
        calm > 0 ? "ms, of each second, cut at %.0f".formatted(cut) : "ms, of each second",
        false,
        lines,
        List.of(across("twice the calm p99", result, 2 * calm)),
        marks(result),
        moving(result));
  }

  static TimeChart throughput(JsonNode result) {
    return new TimeChart(
        "Throughput while a node is added and drained",
        "operations a second",
        false,
        List.of(each("answers", "answers", Double.MAX_VALUE, result)),
        List.of(across("asked for", result, result.path("rate").asDouble())),
        marks(result),
        moving(result));
  }

  /** A figure of each second, cut at a value. */
  private static Series each(String name, String field, double cut, JsonNode result) {
    Series series = new Series(name);
    int second = 0;
    for (JsonNode had : result.path("seconds")) {
      series.add(second, Math.min(cut, had.path(field).asDouble()));
      second++;
    }
    return series;
  }

  private static Series across(String name, JsonNode result, double value) {
    return new Series(name)
        .add(0, value)
        .add(Math.max(1, result.path("seconds").size() - 1), value);
  }

  /** When copies were made: the level bars of the paper's figures 3, 4 and 6 (Cassandra QoS). */
  private static List<Periods> moving(JsonNode result) {
    List<Period> moves = new ArrayList<>();
    for (JsonNode move : result.path("dataMoves")) {
      moves.add(new Period(move.path("from").asDouble(), move.path("to").asDouble()));
    }
    return List.of(new Periods("data moves", moves));
  }

  /** A change lasts from a mark of the first kind to the next of the second. */
  private static List<Marks> marks(JsonNode result) {
    List<Mark> begun = new ArrayList<>();
    List<Mark> balanced = new ArrayList<>();
    for (JsonNode phase : result.path("phases")) {
      if (phase.path("begunSeconds").isNumber()) {
        begun.add(new Mark(phase.path("begunSeconds").asDouble(), phase.path("name").asText()));
      }
      if (phase.path("balancedSeconds").isNumber()) {
        balanced.add(new Mark(phase.path("balancedSeconds").asDouble(), "balanced"));
      }
    }
    return List.of(new Marks("change begins", begun), new Marks("balanced", balanced));
  }
}
