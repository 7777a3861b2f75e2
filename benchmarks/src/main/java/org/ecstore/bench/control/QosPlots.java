package org.ecstore.bench.control;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.ecstore.bench.figure.Series;
import org.ecstore.bench.plot.SeenPeriods;
import org.ecstore.bench.plot.TimeChart;
import org.ecstore.bench.plot.TimeChart.Mark;
import org.ecstore.bench.plot.TimeChart.Marks;
import org.ecstore.bench.plot.TimeChart.Periods;
import org.ecstore.bench.plot.TimePlots;
import org.ecstore.bench.qos.TableWorkload;
import org.ecstore.model.control.ActionKind;
import org.ecstore.model.control.ActionStage;
import org.ecstore.model.objective.Statistic;

/**
 * A run as pictures: response times, throughput and nodes over time. They are drawn of what the run
 * leaves on disk, so that the same can be drawn later.
 */
public final class QosPlots {
  static final String NODES = "nodes.svg";

  /** Seconds over which throughput is averaged: reports come at intervals. */
  private static final double SMOOTH = 15;

  /** Response times above so many times the objective are drawn there: one pause hides the rest. */
  private static final double CUT = 5;

  private static final double HALF = 0.5;
  private static final double MEGA = 1e6;

  /** Stages of actions that were carried out, or are. */
  private static final Set<String> DONE =
      Arrays.stream(ActionStage.values())
          .filter(ActionLog::isDone)
          .map(ActionStage::words)
          .collect(Collectors.toUnmodifiableSet());

  /** Kinds of actions that are named in pictures without what they say beside. */
  private static final List<ActionKind> SAID_BY_KIND =
      List.of(
          ActionKind.RELEASE,
          ActionKind.REBALANCE,
          ActionKind.LOWER_THRESHOLD,
          ActionKind.RAISE_THRESHOLD);

  private QosPlots() {}

  /**
   * What a run leaves.
   *
   * @param result as {@link QosOutcome#json} has it
   * @param samples one a second, as lines of {@link QosRun#SAMPLES}
   */
  public record Stored(JsonNode result, List<JsonNode> samples) {
    public Stored {
      samples = List.copyOf(samples);
    }

    /** What is left of a run. */
    public static Stored of(QosOutcome outcome) {
      List<JsonNode> samples = new ArrayList<>();
      outcome.samples().forEach(sample -> samples.add(sample.json()));
      return new Stored(outcome.json(), samples);
    }

    /** Of the objective: the mean of a plan, else the p99. */
    private Statistic statistic() {
      return result.path("settings").has(field(Statistic.MEAN)) ? Statistic.MEAN : Statistic.P99;
    }

    private static String field(Statistic statistic) {
      return statistic.word() + "Millis";
    }

    private double targetMillis() {
      return result.path("settings").path(field(statistic())).asDouble();
    }

    private JsonNode plan() {
      return result.path("plan");
    }

    private boolean floods() {
      return result.at("/settings/floodClients").asInt() > 0;
    }
  }

  /** Draws all of them into a directory; the names of the files. */
  public static List<String> draw(Stored run, Path directory) throws IOException {
    List<String> names =
        new ArrayList<>(TimePlots.draw(responseTime(run), throughput(run), directory));
    TimePlots.draw(nodes(run), directory.resolve(NODES));
    names.add(NODES);
    return List.copyOf(names);
  }

  static TimeChart responseTime(Stored run) {
    double cut = CUT * run.targetMillis();
    return new TimeChart(
        "Response time of the shop",
        "ms, as its clients tell, cut at %.0f".formatted(cut),
        false,
        List.of(times(Statistic.P99, run, cut), times(Statistic.MEAN, run, cut)),
        responseBounds(run),
        marks(run),
        moving(run));
  }

  private static List<Series> responseBounds(Stored run) {
    List<Series> bounds = new ArrayList<>();
    bounds.add(across("objective: " + run.statistic().word(), run, run.targetMillis()));
    bounds.addAll(ofPlan("predicted mean", run, run.plan().path("predictedMillis").asDouble()));
    return bounds;
  }

  /** A line over the calm phase, for which the plan is; none without a plan. */
  private static List<Series> ofPlan(String name, Stored run, double value) {
    JsonNode calm = run.result().at("/phases/0");
    return run.plan().isObject() && calm.isObject()
        ? List.of(
            new Series(name)
                .add(calm.path("fromSeconds").asDouble(), value)
                .add(calm.path("toSeconds").asDouble(), value))
        : List.of();
  }

  static TimeChart throughput(Stored run) {
    List<Series> lines = new ArrayList<>();
    lines.add(smooth(rates(QosRunSettings.SHOP, run)));
    if (run.floods()) {
      lines.add(smooth(rates(QosRunSettings.REPORTS, run)));
    }
    return new TimeChart(
        "Throughput",
        "operations a second, over %.0f s".formatted(SMOOTH),
        false,
        lines,
        ofPlan("predicted", run, predictedPerSecond(run)),
        marks(run),
        moving(run));
  }

  private static double predictedPerSecond(Stored run) {
    return run.plan().path("predictedMegabytesPerSecond").asDouble()
        * MEGA
        / TableWorkload.RECORD_BYTES;
  }

  static TimeChart nodes(Stored run) {
    return new TimeChart(
        "Nodes",
        "nodes",
        true,
        List.of(counts("members", "members", run), counts("with a place", "places", run)),
        ofPlan("planned", run, run.plan().path("nodes").asDouble()),
        marks(run),
        moving(run));
  }

  private static double seconds(JsonNode of) {
    return of.path("seconds").asDouble();
  }

  private static Series times(Statistic statistic, Stored run, double cut) {
    Series series = new Series(statistic.word());
    for (JsonNode sample : run.samples()) {
      JsonNode millis = sample.path(QosRunSettings.SHOP).path("millis").path(statistic.word());
      if (millis.isNumber()) {
        series.add(seconds(sample), Math.min(cut, millis.asDouble()));
      }
    }
    return series;
  }

  /**
   * Operations a second of an application: those of each slot, in the time until the next one
   * began. Slots begin when reports come, and have what was done since the reports before.
   */
  static Series rates(String application, Stored run) {
    Series series = new Series(application);
    double begun = 0;
    double operations = -1;
    for (JsonNode sample : run.samples()) {
      JsonNode slot = sample.path(application);
      if (slot.isObject()) {
        double length = slot.path("slotSeconds").asDouble();
        double begins = seconds(sample) - slot.path("agoSeconds").asDouble() - length;
        boolean isAnother = operations < 0 || begins - begun > length * HALF;
        if (operations >= 0 && isAnother) {
          series.add(begins, operations / (begins - begun));
        }
        begun = isAnother ? begins : begun;
        operations = slot.path("perSecond").asDouble() * length;
      }
    }
    return series;
  }

  private static Series counts(String name, String field, Stored run) {
    Series series = new Series(name);
    for (JsonNode sample : run.samples()) {
      if (sample.path(field).isNumber()) {
        series.add(seconds(sample), sample.path(field).asInt());
      }
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

  private static Series across(String name, Stored run, double value) {
    double end = run.samples().isEmpty() ? 1 : seconds(run.samples().getLast());
    return new Series(name).add(0, value).add(end, value);
  }

  /**
   * When copies were made: the level bars of the paper's figures 3, 4 and 6 (Cassandra QoS).
   * Samples of older runs do not say it.
   */
  private static List<Periods> moving(Stored run) {
    SeenPeriods seen = new SeenPeriods();
    for (JsonNode sample : run.samples()) {
      JsonNode making = sample.path("copiesBeingMade");
      if (making.isNumber()) {
        seen.see(seconds(sample), making.asInt() > 0);
      }
    }
    return List.of(new Periods("data moves", seen.all()));
  }

  private static List<Marks> marks(Stored run) {
    List<Mark> actions = new ArrayList<>();
    for (JsonNode action : run.result().path("actions")) {
      if (DONE.contains(action.path("stage").asText())) {
        actions.add(new Mark(seconds(action), words(action)));
      }
    }
    List<Mark> kills = new ArrayList<>();
    run.result().path("kills").forEach(kill -> kills.add(new Mark(seconds(kill), "")));
    List<Mark> phases = new ArrayList<>();
    for (JsonNode phase : run.result().path("phases")) {
      phases.add(new Mark(phase.path("fromSeconds").asDouble(), phase.path("name").asText()));
    }
    return List.of(
        new Marks("action", actions),
        new Marks("leader killed", kills),
        new Marks("phase", phases));
  }

  /** Few, as there is little room. */
  private static String words(JsonNode action) {
    String kind = action.path("kind").asText();
    return SAID_BY_KIND.stream().anyMatch(one -> kind.equals(one.words()))
        ? kind
        : action.path("what").asText();
  }
}
