package org.ecstore.bench.control;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Function;
import org.ecstore.bench.control.ActionLog.Noted;
import org.ecstore.bench.control.ControlSample.Had;
import org.ecstore.bench.figure.Series;
import org.ecstore.bench.plot.SeenPeriods;
import org.ecstore.bench.plot.TimeChart;
import org.ecstore.bench.plot.TimeChart.Mark;
import org.ecstore.bench.plot.TimeChart.Marks;
import org.ecstore.bench.plot.TimeChart.Periods;
import org.ecstore.bench.plot.TimePlots;
import org.ecstore.model.control.ControlAction;
import org.ecstore.model.objective.ServiceFigures;
import org.ecstore.model.objective.Statistic;

/** A run as pictures: response times, throughput and nodes over time. */
public final class QosPlots {
  static final String RESPONSE_TIME = "response-time.svg";
  static final String THROUGHPUT = "throughput.svg";
  static final String NODES = "nodes.svg";

  /** Seconds over which throughput is averaged: reports come at intervals. */
  private static final double SMOOTH = 15;

  /** Response times above so many times the objective are drawn there: one pause hides the rest. */
  private static final double CUT = 5;

  private static final double MILLIS = 1e3;
  private static final double HALF = 0.5;

  private QosPlots() {}

  /** Draws all of them into a directory; the names of the files. */
  public static List<String> draw(QosOutcome outcome, Path directory) throws IOException {
    TimePlots.draw(responseTime(outcome), directory.resolve(RESPONSE_TIME));
    TimePlots.draw(throughput(outcome), directory.resolve(THROUGHPUT));
    TimePlots.draw(nodes(outcome), directory.resolve(NODES));
    return List.of(RESPONSE_TIME, THROUGHPUT, NODES);
  }

  static TimeChart responseTime(QosOutcome outcome) {
    double cut = CUT * outcome.settings().targetMillis();
    return new TimeChart(
        "Response time of the shop",
        "ms, as its clients tell, cut at %.0f".formatted(cut),
        false,
        List.of(times(Statistic.P99, outcome, cut), times(Statistic.MEAN, outcome, cut)),
        List.of(across("objective: p99", outcome, outcome.settings().targetMillis())),
        marks(outcome),
        moving(outcome));
  }

  static TimeChart throughput(QosOutcome outcome) {
    List<Series> lines = new ArrayList<>();
    lines.add(smooth(rates(QosRunSettings.SHOP, outcome, ControlSample::shop)));
    if (outcome.settings().reports().isPresent()) {
      lines.add(smooth(rates(QosRunSettings.REPORTS, outcome, ControlSample::reports)));
    }
    return new TimeChart(
        "Throughput",
        "operations a second, over %.0f s".formatted(SMOOTH),
        false,
        lines,
        List.of(),
        marks(outcome),
        moving(outcome));
  }

  static TimeChart nodes(QosOutcome outcome) {
    return new TimeChart(
        "Nodes",
        "nodes",
        true,
        List.of(
            counts("members", outcome, ControlSample::members),
            counts("with a place", outcome, ControlSample::places)),
        List.of(),
        marks(outcome),
        moving(outcome));
  }

  private static Series times(Statistic statistic, QosOutcome outcome, double cut) {
    Series series = new Series(statistic.word());
    for (ControlSample sample : outcome.samples()) {
      sample
          .shop()
          .ifPresent(had -> series.add(sample.seconds(), Math.min(cut, had.millis(statistic))));
    }
    return series;
  }

  /**
   * Operations a second: those of each slot, in the time until the next one began. Slots begin when
   * reports come, and have what was done since the reports before.
   */
  static Series rates(
      String name, QosOutcome outcome, Function<ControlSample, Optional<Had>> application) {
    Series series = new Series(name);
    double begun = 0;
    long operations = -1;
    for (ControlSample sample : outcome.samples()) {
      Optional<Had> had = application.apply(sample);
      if (had.isPresent()) {
        ServiceFigures slot = had.get().figures();
        double length = slot.spanMillis() / MILLIS;
        double begins = sample.seconds() - slot.agoMillis() / MILLIS - length;
        boolean isAnother = operations < 0 || begins - begun > length * HALF;
        if (operations >= 0 && isAnother) {
          series.add(begins, operations / (begins - begun));
        }
        begun = isAnother ? begins : begun;
        operations = slot.operations();
      }
    }
    return series;
  }

  private static Series counts(
      String name, QosOutcome outcome, Function<ControlSample, OptionalInt> count) {
    Series series = new Series(name);
    for (ControlSample sample : outcome.samples()) {
      count.apply(sample).ifPresent(nodes -> series.add(sample.seconds(), nodes));
    }
    return series;
  }

  /** The mean of each point and of those shortly before. */
  static Series smooth(Series rough) {
    Series smooth = new Series(rough.name());
    List<Double> xs = rough.xs();
    List<Double> ys = rough.ys();
    int from = 0;
    double sum = 0;
    for (int i = 0; i < xs.size(); i++) {
      sum += ys.get(i);
      while (xs.get(from) < xs.get(i) - SMOOTH) {
        sum -= ys.get(from);
        from++;
      }
      smooth.add(xs.get(i), sum / (i - from + 1));
    }
    return smooth;
  }

  private static Series across(String name, QosOutcome outcome, double value) {
    double end = outcome.samples().isEmpty() ? 1 : outcome.samples().getLast().seconds();
    return new Series(name).add(0, value).add(end, value);
  }

  /** When copies were made: the level bars of the paper's figures 3, 4 and 6 (Cassandra QoS). */
  private static List<Periods> moving(QosOutcome outcome) {
    SeenPeriods seen = new SeenPeriods();
    for (ControlSample sample : outcome.samples()) {
      sample.making().ifPresent(copies -> seen.see(sample.seconds(), copies > 0));
    }
    return List.of(new Periods("data moves", seen.all()));
  }

  private static List<Marks> marks(QosOutcome outcome) {
    return List.of(
        new Marks(
            "action",
            outcome.actions().stream()
                .filter(Noted::isDone)
                .map(noted -> new Mark(noted.seconds(), words(noted.action())))
                .toList()),
        new Marks(
            "leader killed",
            outcome.kills().stream().map(kill -> new Mark(kill.seconds(), "")).toList()),
        new Marks(
            "phase",
            outcome.phases().stream()
                .map(phase -> new Mark(phase.fromSeconds(), phase.phase().name()))
                .toList()));
  }

  /** Few, as there is little room. */
  private static String words(ControlAction action) {
    return switch (action.kind()) {
      case LIMIT -> "limit " + action.perSecond() + "/s";
      case RELEASE, REBALANCE -> action.kind().words();
      case ADD_NODE, REMOVE_NODE -> action.what();
    };
  }
}
