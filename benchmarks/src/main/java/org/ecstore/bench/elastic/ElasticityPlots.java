package org.ecstore.bench.elastic;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.ecstore.bench.elastic.AnswerLog.Had;
import org.ecstore.bench.elastic.ElasticityOutcome.Phase;
import org.ecstore.bench.figure.Series;
import org.ecstore.bench.plot.TimeChart;
import org.ecstore.bench.plot.TimeChart.Mark;
import org.ecstore.bench.plot.TimeChart.Marks;
import org.ecstore.bench.plot.TimeChart.Periods;
import org.ecstore.bench.plot.TimePlots;

/** A run as pictures: throughput and response time over time, and when data moved. */
public final class ElasticityPlots {
  static final String RESPONSE_TIME = "response-time.svg";
  static final String THROUGHPUT = "throughput.svg";

  /** Response times above so many times the calm p99 are drawn there: one pause hides the rest. */
  private static final double CUT = 20;

  private ElasticityPlots() {}

  /** Draws all of them into a directory; the names of the files. */
  public static List<String> draw(ElasticityOutcome outcome, Path directory) throws IOException {
    TimePlots.draw(responseTime(outcome), directory.resolve(RESPONSE_TIME));
    TimePlots.draw(throughput(outcome), directory.resolve(THROUGHPUT));
    return List.of(RESPONSE_TIME, THROUGHPUT);
  }

  static TimeChart responseTime(ElasticityOutcome outcome) {
    double calm = outcome.phases().isEmpty() ? 0 : outcome.phases().getFirst().had().p99Millis();
    double cut = calm > 0 ? CUT * calm : Double.MAX_VALUE;
    Series p50 = new Series("p50");
    Series p99 = new Series("p99");
    for (int second = 0; second < outcome.seconds().size(); second++) {
      Had had = outcome.seconds().get(second);
      p50.add(second, Math.min(cut, had.p50Millis()));
      p99.add(second, Math.min(cut, had.p99Millis()));
    }
    return new TimeChart(
        "Response time while a node is added and drained",
        calm > 0 ? "ms, of each second, cut at %.0f".formatted(cut) : "ms, of each second",
        false,
        List.of(p99, p50),
        List.of(across("twice the calm p99", outcome, 2 * calm)),
        marks(outcome),
        moving(outcome));
  }

  static TimeChart throughput(ElasticityOutcome outcome) {
    Series answers = new Series("answers");
    for (int second = 0; second < outcome.seconds().size(); second++) {
      answers.add(second, (double) outcome.seconds().get(second).answers());
    }
    return new TimeChart(
        "Throughput while a node is added and drained",
        "operations a second",
        false,
        List.of(answers),
        List.of(across("asked for", outcome, outcome.rate())),
        marks(outcome),
        moving(outcome));
  }

  private static Series across(String name, ElasticityOutcome outcome, double value) {
    return new Series(name).add(0, value).add(Math.max(1, outcome.seconds().size() - 1), value);
  }

  /** When copies were made: the level bars of the paper's figures 3, 4 and 6 (Cassandra QoS). */
  private static List<Periods> moving(ElasticityOutcome outcome) {
    return List.of(new Periods("data moves", outcome.moving()));
  }

  /** A change lasts from a mark of the first kind to the next of the second. */
  private static List<Marks> marks(ElasticityOutcome outcome) {
    List<Mark> begun = new ArrayList<>();
    List<Mark> balanced = new ArrayList<>();
    for (Phase phase : outcome.phases()) {
      Optional<ElasticityOutcome.Change> change = phase.change();
      change.ifPresent(
          moving -> {
            begun.add(new Mark(moving.begun(), phase.name()));
            moving.balanced().ifPresent(at -> balanced.add(new Mark(at, "balanced")));
          });
    }
    return List.of(new Marks("change begins", begun), new Marks("balanced", balanced));
  }
}
