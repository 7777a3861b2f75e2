package org.ecstore.bench.elastic;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.TreeMap;
import org.ecstore.bench.elastic.ElasticGoal.Is;
import org.ecstore.bench.load.AnswerLog.Had;
import org.ecstore.bench.load.CoreUse;
import org.ecstore.bench.plot.TimeChart.Period;
import org.ecstore.bench.qos.MeasuredTable;
import org.ecstore.bench.report.LoadReport;

/**
 * What came of a run.
 *
 * @param saturation what the first nodes did at most, operations a second; empty if not measured
 * @param rate that clients asked for, operations a second
 * @param phases in their order: calm, adding, after adding, draining, after draining
 * @param seconds what clients had in each second of the load
 * @param moving when copies were made, in seconds since the load began
 * @param errors kinds of failures, with how many of each
 */
public record ElasticityOutcome(
    ElasticitySettings settings,
    OptionalDouble saturation,
    double rate,
    List<Phase> phases,
    List<Had> seconds,
    List<Period> moving,
    Map<String, Long> errors) {
  private static final double GIGA = 1e9;
  private static final double TIMES = 2;
  private static final double MINUTE = 60;
  private static final double MILLIS = 1e3;
  private static final double PERCENT = 100;

  public ElasticityOutcome {
    phases = List.copyOf(phases);
    seconds = List.copyOf(seconds);
    moving = List.copyOf(moving);
    errors = Map.copyOf(errors);
  }

  /**
   * A phase.
   *
   * @param name as in {@code adding}
   * @param from the second in which it began, since the load did
   * @param to the one in which it ended, which is the next one's
   * @param change what was done to the cluster; absent in a calm phase
   * @param cores who kept processors busy meanwhile
   */
  record Phase(String name, int from, int to, Had had, Optional<Change> change, CoreUse cores) {}

  /**
   * A node that came or went.
   *
   * @param begun when that was asked for, in seconds since the load began
   * @param balanced when the cluster was balanced; empty if it was not in time
   * @param lacks what was lacking then
   * @param copies that were made on nodes that did not have them
   * @param bytes of these, reckoned
   */
  record Change(double begun, OptionalDouble balanced, String lacks, long copies, long bytes) {
    OptionalDouble took() {
      return balanced.isPresent()
          ? OptionalDouble.of(balanced.getAsDouble() - begun)
          : OptionalDouble.empty();
    }
  }

  /**
   * How many times the p99 of the first phase that of another is; empty for the first one, or if
   * nothing was answered in that.
   */
  OptionalDouble times(Phase phase) {
    Phase first = phases.getFirst();
    return phase.from() > first.from() && first.had().p99Millis() > 0
        ? OptionalDouble.of(phase.had().p99Millis() / first.had().p99Millis())
        : OptionalDouble.empty();
  }

  private List<Phase> changes() {
    return phases.stream().filter(phase -> phase.change().isPresent()).toList();
  }

  /** Operations that failed or had not begun at the end. */
  long failed() {
    return phases.stream().mapToLong(phase -> phase.had().failed()).sum();
  }

  /** The share of the machine's processors that nodes and clients kept busy in a phase. */
  double busy(Phase phase) {
    return phase.cores().share(settings.processors());
  }

  /** What else should be known of the figures, a sentence each. */
  List<String> remarks() {
    List<String> remarks = new ArrayList<>();
    for (Phase phase : phases) {
      if (busy(phase) > MeasuredTable.LOAD_MAX) {
        remarks.add(
            "in %s nodes and clients kept %.0f %% of the processors busy: TOO MUCH, they waited for each other"
                .formatted(phase.name(), PERCENT * busy(phase)));
      }
      double others = phase.cores().others().orElse(0);
      if (others > LoadReport.BUSY_CORES) {
        remarks.add(
            "in %s others kept %.2f of %d processors busy: measure again when they do not"
                .formatted(phase.name(), others, settings.processors()));
      }
    }
    return remarks;
  }

  /** Whether no goal was missed; one that is not shown is none. */
  public boolean isGood() {
    return goals().stream().noneMatch(goal -> goal.is() == Is.NOT_HELD);
  }

  /** What was aimed at, and whether it was so. */
  List<ElasticGoal> goals() {
    List<ElasticGoal> goals = new ArrayList<>();
    for (Phase phase : phases.subList(1, phases.size())) {
      OptionalDouble times = times(phase);
      goals.add(
          new ElasticGoal(
              "%s: p99 at most twice that of the first phase".formatted(phase.name()),
              times.isEmpty() ? Is.NOT_SHOWN : Is.of(times.getAsDouble() <= TIMES),
              times.isEmpty()
                  ? "nothing was answered in the first phase"
                  : "%s times as long".formatted(ElasticityText.number(times.getAsDouble()))));
    }
    goals.add(
        new ElasticGoal(
            "no operation fails", Is.of(failed() == 0), "%,d failed".formatted(failed())));
    for (Phase phase : changes()) {
      phase.change().ifPresent(change -> goals.add(balanced(phase, change)));
    }
    return goals;
  }

  /** Of less than 1 GB it is not shown how long a minute's worth would take. */
  private ElasticGoal balanced(Phase phase, Change change) {
    double held = settings.store().bytes() / GIGA;
    String goal = "%s: balanced within a minute for each GB".formatted(phase.name());
    OptionalDouble took = change.took();
    if (took.isEmpty()) {
      return new ElasticGoal(goal, Is.NOT_HELD, "not balanced in time: " + change.lacks());
    }
    boolean isKept = took.getAsDouble() <= MINUTE * Math.max(1, held);
    String found =
        "%s s with %s GB"
            .formatted(ElasticityText.number(took.getAsDouble()), ElasticityText.number(held));
    return held < 1 && isKept
        ? new ElasticGoal(goal, Is.NOT_SHOWN, found + ", which is less than 1")
        : new ElasticGoal(goal, Is.of(isKept), found);
  }

  /** All of it. */
  public ObjectNode json() {
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    json.put("benchmark", "elasticity");
    json.set("settings", settings.json());
    saturation.ifPresent(most -> json.put("saturationPerSecond", rounded(most)));
    json.put("rate", rate).put("good", isGood());
    ArrayNode all = json.putArray("phases");
    for (Phase phase : phases) {
      ObjectNode one = all.addObject();
      one.put("name", phase.name()).put("from", phase.from()).put("to", phase.to());
      write(one, phase.had());
      times(phase).ifPresent(times -> one.put("p99Times", rounded(times)));
      phase.change().ifPresent(change -> write(one, change));
      one.set("cores", phase.cores().json());
      one.put("busyShare", rounded(busy(phase)));
    }
    if (!errors.isEmpty()) {
      ObjectNode kinds = json.putObject("errorsByKind");
      new TreeMap<>(errors).forEach(kinds::put);
    }
    ArrayNode goals = json.putArray("goals");
    for (ElasticGoal goal : goals()) {
      goals
          .addObject()
          .put("goal", goal.goal())
          .put("is", goal.is().words())
          .put("found", goal.found());
    }
    ArrayNode remarks = json.putArray("remarks");
    remarks().forEach(remarks::add);
    ArrayNode moves = json.putArray("dataMoves");
    for (Period period : moving) {
      moves.addObject().put("from", rounded(period.from())).put("to", rounded(period.to()));
    }
    ArrayNode each = json.putArray("seconds");
    seconds.forEach(had -> write(each.addObject(), had));
    return json;
  }

  private static void write(ObjectNode json, Had had) {
    json.put("due", had.due()).put("answers", had.answers());
    json.put("throughput", rounded(had.perSecond()));
    json.put("meanMillis", rounded(had.meanMillis()));
    json.put("p50Millis", rounded(had.p50Millis())).put("p99Millis", rounded(had.p99Millis()));
    json.put("failed", had.failed());
    json.put("longestPauseSeconds", rounded(had.longestPauseSeconds()));
  }

  private static void write(ObjectNode json, Change change) {
    json.put("begunSeconds", rounded(change.begun()));
    change.balanced().ifPresent(at -> json.put("balancedSeconds", rounded(at)));
    change.took().ifPresent(took -> json.put("secondsUntilBalanced", rounded(took)));
    if (change.balanced().isEmpty()) {
      json.put("lacks", change.lacks());
    }
    json.put("copiesMade", change.copies()).put("bytesMoved", change.bytes());
  }

  private static double rounded(double value) {
    return Math.round(value * MILLIS) / MILLIS;
  }
}
