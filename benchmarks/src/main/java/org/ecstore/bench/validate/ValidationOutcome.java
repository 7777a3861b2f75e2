package org.ecstore.bench.validate;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;
import java.util.function.ToDoubleFunction;
import org.ecstore.bench.qos.MeasuredTable;
import org.ecstore.bench.qos.TableRun;
import org.ecstore.bench.report.LoadReport;

/**
 * What came of a validation.
 *
 * @param plans those that were measured as often as they should be
 * @param failures what could not be measured, and why
 */
public record ValidationOutcome(
    ValidationSettings settings, List<ValidatedPlan> plans, List<String> failures) {
  /** What the median error of response times may be. */
  static final double ERROR_MAX = 0.25;

  /** Of fewer plans a median shows nothing. */
  static final int PLANS_MIN = 5;

  private static final double PERCENT = 100;

  public ValidationOutcome {
    plans = List.copyOf(plans);
    failures = List.copyOf(failures);
  }

  /** Whether predictions are as near as they shall be. */
  enum Goal {
    HELD("held"),
    NOT_HELD("NOT HELD"),
    /** They are, as far as is known; but there are too few. */
    NOT_SHOWN("not shown");

    private final String words;

    Goal(String words) {
      this.words = words;
    }

    String words() {
      return words;
    }
  }

  Goal goal() {
    OptionalDouble median = medianError(ValidatedPlan::millisError);
    if (median.isPresent() && median.getAsDouble() > ERROR_MAX) {
      return Goal.NOT_HELD;
    }
    return plans.size() >= PLANS_MIN ? Goal.HELD : Goal.NOT_SHOWN;
  }

  /** Of all plans; empty if there are none. */
  OptionalDouble medianError(ToDoubleFunction<ValidatedPlan> error) {
    List<Double> sorted = plans.stream().mapToDouble(error).sorted().boxed().toList();
    int count = sorted.size();
    return count == 0
        ? OptionalDouble.empty()
        : OptionalDouble.of((sorted.get((count - 1) / 2) + sorted.get(count / 2)) / 2);
  }

  /** All that is not as it shall be, a sentence each. */
  public List<String> faults() {
    List<String> faults = new ArrayList<>();
    if (goal() == Goal.NOT_HELD) {
      faults.add("the median error of response times is above " + percent(ERROR_MAX));
    }
    for (ValidatedPlan plan : plans) {
      plan.actions()
          .forEach(action -> faults.add("plan %d, an action: %s".formatted(plan.number(), action)));
    }
    faults.addAll(failures);
    return faults;
  }

  /** What else should be known of the figures, a sentence each. */
  List<String> remarks() {
    List<String> remarks = new ArrayList<>();
    if (!settings.isWatched()) {
      remarks.add(
          "runs of a plan are shorter together than the controller's window: that it did nothing shows nothing");
    }
    int processors = settings.source().subject().processors();
    for (ValidatedPlan plan : plans) {
      double load = plan.mean(run -> run.load(processors));
      if (load > MeasuredTable.LOAD_MAX) {
        remarks.add(
            "plan %d: nodes and clients kept %s of the processors busy: TOO MUCH, they waited for each other"
                .formatted(plan.number(), percent(load)));
      }
      double others = plan.mean(run -> run.otherCores().orElse(0));
      if (others > LoadReport.BUSY_CORES) {
        remarks.add(
            String.format(
                Locale.ROOT,
                "plan %d: others kept %.2f processors busy: TOO MUCH, figures are doubtful",
                plan.number(),
                others));
      }
      if (plan.runs().stream().anyMatch(run -> !run.run().steady())) {
        remarks.add("plan %d: NOT STEADY when it was measured".formatted(plan.number()));
      }
    }
    return remarks;
  }

  /** Who held nodes to their capacity: words, or nothing. */
  String keeper() {
    return String.join(
        " and ",
        plans.stream()
            .flatMap(plan -> plan.runs().stream())
            .map(ValidationRun::run)
            .map(TableRun::keeper)
            .filter(keeper -> !keeper.isEmpty())
            .distinct()
            .sorted()
            .toList());
  }

  static String percent(double share) {
    return String.format(Locale.ROOT, "%.1f %%", PERCENT * share);
  }

  /** All of it. */
  public ObjectNode json() {
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    json.put("benchmark", "qos validate");
    json.set("settings", settings.head());
    json.put("file", settings.source().file().toString());
    json.put("capacityKeptBy", keeper());
    ArrayNode all = json.putArray("plans");
    plans.forEach(plan -> all.add(plan.json()));
    medianError(ValidatedPlan::millisError)
        .ifPresent(error -> json.put("medianMillisError", error));
    medianError(ValidatedPlan::megabytesError)
        .ifPresent(error -> json.put("medianMegabytesPerSecondError", error));
    json.put("goal", goal().words().toLowerCase(Locale.ROOT));
    ArrayNode faults = json.putArray("faults");
    faults().forEach(faults::add);
    ArrayNode remarks = json.putArray("remarks");
    remarks().forEach(remarks::add);
    return json;
  }
}
