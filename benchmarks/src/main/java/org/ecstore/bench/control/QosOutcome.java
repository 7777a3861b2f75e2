package org.ecstore.bench.control;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import org.ecstore.bench.control.ActionLog.Noted;
import org.ecstore.bench.control.LeaderKills.Killed;
import org.ecstore.bench.control.PhaseResult.Figures;
import org.ecstore.bench.load.CoreUse;
import org.ecstore.bench.qos.MeasuredTable;
import org.ecstore.bench.qos.TableWorkload;
import org.ecstore.bench.report.LoadReport;
import org.ecstore.bench.validate.TriedPlan;
import org.ecstore.id.NodeId;
import org.ecstore.model.control.ActionKind;
import org.ecstore.model.control.ActionStage;
import org.ecstore.model.control.ControlAction;
import org.ecstore.server.Release;

/**
 * What came of a run.
 *
 * @param start what is known from before the first phase
 * @param keeper who held nodes to their capacity: a word, or nothing
 */
public record QosOutcome(
    QosRunSettings settings,
    Start start,
    List<PhaseResult> phases,
    List<ControlSample> samples,
    List<Noted> actions,
    List<Killed> kills,
    String keeper) {
  private static final double MEGA = 1e6;
  private static final double PERCENT = 100;

  /** The number of the last phase. */
  private static final int GONE = 2;

  public QosOutcome {
    phases = List.copyOf(phases);
    samples = List.copyOf(samples);
    actions = List.copyOf(actions);
    kills = List.copyOf(kills);
  }

  /**
   * What is known before the first phase.
   *
   * @param saturation what the first nodes did at most, operations a second; empty if that was not
   *     looked for
   * @param rate of the calm phase; 0 with a plan, which has clients
   * @param steady whether the nodes had become steady; absent if that was not looked for
   */
  record Start(OptionalDouble saturation, double rate, Optional<Boolean> steady) {}

  /** The plan beside what clients had in the calm phase; absent without a plan, or answers. */
  Optional<TriedPlan> tried() {
    return settings
        .plan()
        .filter(_ -> !phases.isEmpty() && phases.getFirst().shop().operations() > 0)
        .map(
            plan -> {
              Figures calm = phases.getFirst().shop();
              return new TriedPlan(
                  plan.plan(),
                  plan.found(),
                  calm.meanMillis(),
                  calm.perSecond() * TableWorkload.RECORD_BYTES / MEGA);
            });
  }

  /** All that is not as it shall be, a sentence each; none if the cluster has kept its promise. */
  public List<String> faults() {
    List<String> faults = new ArrayList<>();
    for (PhaseResult phase : phases) {
      failures(phase, QosRunSettings.SHOP, phase.shop(), faults);
      if (phase.phase().isAnythingDue() && phase.shop().operations() == 0) {
        faults.add("no operation of shop was done in " + phase.phase().name());
      }
      phase
          .reports()
          .ifPresent(
              figures -> {
                failures(phase, QosRunSettings.REPORTS, figures, faults);
                if (figures.operations() + figures.refused() == 0) {
                  faults.add("nothing flooded in " + phase.phase().name());
                }
              });
    }
    if (kills.size() < settings.course().kills()) {
      faults.add(
          "only %d of %d kills of the node that leads were made"
              .formatted(kills.size(), settings.course().kills()));
    }
    for (Killed kill : kills) {
      kill.trouble()
          .ifPresent(why -> faults.add("a node was not killed and started again: " + why));
    }
    if (settings.promise().acts()) {
      plan(faults);
      if (phases.size() > 1 && !phases.get(1).isKept()) {
        faults.add("the objective was not kept at the end of " + phases.get(1).phase().name());
      }
      if (actions.stream().noneMatch(Noted::isDone)) {
        faults.add("the controller did nothing");
      }
      if (settings.plan().isPresent()) {
        faults.addAll(notShown());
      }
    }
    return faults;
  }

  /**
   * What a run is made to show and does not, a sentence each: that a doubled load calls for as much
   * as the table asks for, what that has brought beside what was predicted, and that it is taken
   * back, and the objective kept, when the load has gone. A flood calls for other actions.
   */
  private List<String> notShown() {
    List<String> lacking = new ArrayList<>();
    if (!settings.promise().acts()
        || phases.size() <= GONE
        || settings.course().floodClients() > 0) {
      return lacking;
    }
    settings
        .plan()
        .ifPresent(plan -> called(plan.moreNodes(settings.machines().nodesMax()), lacking));
    for (Noted action : actions) {
      if (action.action().stage() == ActionStage.DONE) {
        effect(action.action(), lacking);
      }
    }
    PhaseResult gone = phases.get(GONE);
    if (!isTakenBack()) {
      lacking.add("no node that was added was taken away in " + gone.phase().name());
    }
    if (!gone.isKept()) {
      lacking.add("the objective was not kept at the end of " + gone.phase().name());
    }
    return lacking;
  }

  /** Whether as many actions were begun in the doubled phase as nodes more are asked for. */
  private void called(OptionalInt moreNodes, List<String> lacking) {
    double from = phases.getFirst().toSeconds();
    PhaseResult doubled = phases.get(GONE - 1);
    List<String> begun =
        actions.stream()
            .filter(action -> isBegun(action.action().stage()))
            .filter(action -> action.seconds() >= from && action.seconds() < doubled.toSeconds())
            .map(action -> action.action().what())
            .toList();
    if (moreNodes.orElse(0) > 0 && begun.size() != moreNodes.getAsInt()) {
      lacking.add(
          "by the table %s calls for %s more; begun was %s"
              .formatted(
                  doubled.phase().name(),
                  RunPlan.counted(moreNodes.getAsInt()),
                  begun.isEmpty() ? "nothing" : String.join(", ", begun)));
    }
  }

  private static boolean isBegun(ActionStage stage) {
    return ActionLog.isDone(stage) || stage == ActionStage.FAILED;
  }

  private static void effect(ControlAction action, List<String> lacking) {
    if (action.predictedMicros() == 0) {
      lacking.add("of %s nothing was predicted".formatted(action.what()));
    }
    if (action.afterMicros() == 0) {
      lacking.add("of %s it was not measured what it has brought".formatted(action.what()));
    }
  }

  /** Whether a node that was added began to be taken away when the load had gone, if one was. */
  private boolean isTakenBack() {
    List<NodeId> added =
        actions.stream()
            .filter(Noted::isDone)
            .filter(action -> action.action().kind() == ActionKind.ADD_NODE)
            .flatMap(action -> action.action().node().stream())
            .toList();
    double from = phases.get(GONE - 1).toSeconds();
    return added.isEmpty()
        || actions.stream()
            .filter(action -> action.isDone() && action.seconds() >= from)
            .filter(action -> action.action().kind() == ActionKind.REMOVE_NODE)
            .anyMatch(action -> action.action().node().filter(added::contains).isPresent());
  }

  /** A plan is for the calm phase, in which there is nothing to do. */
  private void plan(List<String> faults) {
    if (settings.plan().isEmpty() || phases.isEmpty()) {
      return;
    }
    PhaseResult calm = phases.getFirst();
    if (!tried().map(TriedPlan::isKept).orElse(false)) {
      faults.add("the planned nodes did not keep the objective in " + calm.phase().name());
    }
    for (Noted action : actions) {
      if (action.isDone() && action.seconds() < calm.toSeconds()) {
        faults.add(
            "the planned nodes were not left alone in %s: %s"
                .formatted(calm.phase().name(), action.action().what()));
      }
    }
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
    if (!start.steady().orElse(true)) {
      remarks.add("the nodes were NOT STEADY when the first phase began");
    }
    settings.plan().ifPresent(plan -> differences(plan, remarks));
    for (PhaseResult phase : phases) {
      double share = phase.cores().share(settings.processors());
      if (share > MeasuredTable.LOAD_MAX) {
        remarks.add(
            "in %s nodes and clients kept %.0f %% of the processors busy: TOO MUCH, they waited for each other"
                .formatted(phase.phase().name(), PERCENT * share));
      }
      double others = phase.cores().others().orElse(0);
      if (others > LoadReport.BUSY_CORES) {
        remarks.add(
            "in %s others kept %.2f of %d processors busy: measure again when they do not"
                .formatted(phase.phase().name(), others, settings.processors()));
      }
    }
    if (settings.plan().isEmpty()) {
      remarks.addAll(notShown());
    }
    return remarks;
  }

  /** What is not as the table was measured. */
  private void differences(RunPlan plan, List<String> remarks) {
    int copies = plan.source().subject().copies();
    if (copies != settings.store().copies()) {
      remarks.add(
          "the table was measured with %d copies of each range, the cluster has %d"
              .formatted(copies, settings.store().copies()));
    }
  }

  private ObjectNode json(RunPlan plan) {
    ObjectNode json = tried().map(TriedPlan::json).orElseGet(() -> RunPlan.json(plan.plan()));
    json.put("settledUnderClients", plan.settleClients());
    json.put("tableCopies", plan.source().subject().copies());
    json.set("doubled", RunPlan.json(plan.doubled()));
    return json;
  }

  /** All of it but the samples. */
  public ObjectNode json() {
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    json.put("benchmark", "qos").put("build", Release.version());
    json.set("settings", settings.json());
    start.saturation().ifPresent(perSecond -> json.put("saturation", perSecond));
    if (settings.plan().isEmpty()) {
      json.put("rate", start.rate()).put("promisedPerSecond", settings.promised(start.rate()));
    }
    settings.plan().ifPresent(plan -> json.set("plan", json(plan)));
    start.steady().ifPresent(isSteady -> json.put("steady", isSteady));
    ObjectNode capacity = json.putObject("capacity");
    capacity.put(
        "processors",
        settings.machines().nodeClass().capacity().map(BigDecimal::toPlainString).orElse("all"));
    capacity.put("keptBy", keeper);
    ArrayNode ofPhases = json.putArray("phases");
    phases.forEach(phase -> ofPhases.add(phase.json(settings.statistic())));
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
