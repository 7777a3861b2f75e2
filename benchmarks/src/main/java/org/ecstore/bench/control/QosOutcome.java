package org.ecstore.bench.control;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import org.ecstore.bench.control.ActionLog.Noted;
import org.ecstore.bench.control.LeaderKills.Killed;
import org.ecstore.bench.control.PhaseResult.Figures;
import org.ecstore.bench.report.LoadReport;
import org.ecstore.server.Release;

/**
 * What came of a run.
 *
 * @param saturation what the first nodes did at most, operations a second; empty if that was not
 *     looked for
 * @param rate of the calm phase
 * @param keeper who held nodes to their capacity: a word, or nothing
 */
public record QosOutcome(
    QosRunSettings settings,
    OptionalDouble saturation,
    double rate,
    List<PhaseResult> phases,
    List<ControlSample> samples,
    List<Noted> actions,
    List<Killed> kills,
    String keeper) {
  public QosOutcome {
    phases = List.copyOf(phases);
    samples = List.copyOf(samples);
    actions = List.copyOf(actions);
    kills = List.copyOf(kills);
  }

  /** All that is not as it shall be, a sentence each; none if the cluster has kept its promise. */
  public List<String> faults() {
    List<String> faults = new ArrayList<>();
    for (PhaseResult phase : phases) {
      failures(phase, QosRunSettings.SHOP, phase.shop(), faults);
      phase
          .reports()
          .ifPresent(figures -> failures(phase, QosRunSettings.REPORTS, figures, faults));
    }
    for (Killed kill : kills) {
      kill.trouble()
          .ifPresent(why -> faults.add("a node was not killed and started again: " + why));
    }
    if (settings.promise().acts()) {
      if (phases.size() > 1 && !phases.get(1).isKept()) {
        faults.add("the objective was not kept at the end of " + phases.get(1).phase().name());
      }
      if (actions.stream().noneMatch(Noted::isDone)) {
        faults.add("the controller did nothing");
      }
    }
    return faults;
  }

  private static void failures(
      PhaseResult phase, String application, Figures figures, List<String> faults) {
    if (figures.failed() > 0) {
      faults.add(
          "%d operations of %s failed in %s: %s"
              .formatted(figures.failed(), application, phase.phase().name(), figures.why()));
    }
    if (figures.undone() > 0) {
      faults.add(
          "%d operations of %s that were due in %s had not begun at its end"
              .formatted(figures.undone(), application, phase.phase().name()));
    }
  }

  /** What else should be known of the figures, a sentence each. */
  List<String> remarks() {
    List<String> remarks = new ArrayList<>();
    for (PhaseResult phase : phases) {
      double others = phase.cores().others().orElse(0);
      if (others > LoadReport.BUSY_CORES) {
        remarks.add(
            "in %s others kept %.2f of %d processors busy: measure again when they do not"
                .formatted(phase.phase().name(), others, settings.processors()));
      }
    }
    return remarks;
  }

  /** All of it but the samples. */
  public ObjectNode json() {
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    json.put("benchmark", "qos").put("build", Release.version());
    json.set("settings", settings.json());
    saturation.ifPresent(perSecond -> json.put("saturation", perSecond));
    json.put("rate", rate).put("promisedPerSecond", settings.promised(rate));
    ObjectNode capacity = json.putObject("capacity");
    capacity.put(
        "processors",
        settings.machines().nodeClass().capacity().map(BigDecimal::toPlainString).orElse("all"));
    capacity.put("keptBy", keeper);
    ArrayNode ofPhases = json.putArray("phases");
    phases.forEach(phase -> ofPhases.add(phase.json()));
    ArrayNode ofActions = json.putArray("actions");
    actions.forEach(action -> ofActions.add(action.json()));
    ArrayNode ofKills = json.putArray("kills");
    kills.forEach(kill -> ofKills.add(kill.json()));
    json.set("cores", CoreUse.mean(samples.stream().map(ControlSample::cores).toList()).json());
    ArrayNode faults = json.putArray("faults");
    faults().forEach(faults::add);
    ArrayNode remarks = json.putArray("remarks");
    remarks().forEach(remarks::add);
    return json;
  }
}
