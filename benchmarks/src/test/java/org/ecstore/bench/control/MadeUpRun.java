package org.ecstore.bench.control;

import java.math.BigDecimal;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.ecstore.bench.control.ControlSample.Had;
import org.ecstore.bench.control.ControlSample.Steering;
import org.ecstore.bench.control.PhaseResult.Figures;
import org.ecstore.bench.load.CoreUse;
import org.ecstore.bench.qos.MeasuredSubject;
import org.ecstore.bench.qos.TableWorkload;
import org.ecstore.bench.report.EachSecond;
import org.ecstore.bench.validate.MeasuredSource;
import org.ecstore.bench.validate.Validating;
import org.ecstore.cluster.layout.NodeClass;
import org.ecstore.id.NodeId;
import org.ecstore.model.control.ActionKind;
import org.ecstore.model.control.ActionStage;
import org.ecstore.model.control.ControlAction;
import org.ecstore.model.control.ControlMode;
import org.ecstore.model.control.ServiceLimit;
import org.ecstore.model.objective.ResponseTarget;
import org.ecstore.model.objective.ServiceFigures;
import org.ecstore.model.objective.ServiceVerdict;
import org.ecstore.model.objective.Statistic;

/** A run that never was: 40 s calm, 100 s doubled, 100 s gone, each a sample a second. */
final class MadeUpRun {
  static final double RATE = 50;
  static final ControlAction ADD =
      new ControlAction(
          7,
          ActionKind.ADD_NODE,
          QosRunSettings.SHOP,
          "",
          Optional.of(new NodeId(4)),
          0,
          "shop violated in 4 of 6 checks: p99 80 ms of 60 ms; nodes use 72 % of their capacity",
          80_000,
          31_000,
          ActionStage.UNDER_WAY,
          0,
          "");

  static final ControlAction REMOVE =
      new ControlAction(
          8,
          ActionKind.REMOVE_NODE,
          QosRunSettings.SHOP,
          "",
          Optional.of(new NodeId(4)),
          0,
          "all that is promised is kept; 4 nodes use 12 % of their capacity",
          5_000,
          6_000,
          ActionStage.UNDER_WAY,
          0,
          "");

  private static final long AT_MILLIS = 1_800_000_000_000L;
  private static final CoreUse CORES = new CoreUse(1, 0.6, 0.2, 0.1, OptionalDouble.of(0.05));

  private MadeUpRun() {}

  static QosRunSettings settings(int floodClients, int kills, boolean acts) {
    return new QosRunSettings(
        new QosRunSettings.Machines(
            3,
            5,
            new NodeClass(
                "small", Optional.of(new BigDecimal("0.02")), Optional.of(new BigDecimal("0.22"))),
            384,
            48),
        new QosRunSettings.Store(TableWorkload.of("zipf-read-heavy").orElseThrow(), 20_000, 2),
        new QosRunSettings.Promise(
            new ResponseTarget(Statistic.P99, Duration.ofMillis(60)),
            OptionalLong.empty(),
            Duration.ofSeconds(5),
            6,
            acts),
        new QosRunSettings.Course(
            0,
            64,
            floodClients,
            Duration.ofSeconds(30),
            Duration.ofSeconds(40),
            Duration.ofSeconds(100),
            Duration.ofSeconds(100),
            kills),
        2,
        Optional.empty());
  }

  /** By a table that plans two nodes for 8 clients, and three for twice as many. */
  static QosRunSettings planned() {
    MeasuredSubject subject = Validating.subject("0.23.0", 2);
    RunPlan plan =
        RunPlan.of(
            new MeasuredSource(Path.of("je.csv"), Validating.table(subject), subject),
            8,
            4.2,
            Duration.ofSeconds(60));
    return new QosRunSettings(
        new QosRunSettings.Machines(2, 3, plan.nodeClass(), 384, 48),
        new QosRunSettings.Store(subject.workload(), subject.records(), subject.copies()),
        new QosRunSettings.Promise(
            new ResponseTarget(Statistic.MEAN, Duration.ofNanos(4_200_000)),
            OptionalLong.empty(),
            Duration.ofSeconds(5),
            6,
            true),
        new QosRunSettings.Course(
            0,
            8,
            0,
            Duration.ZERO,
            Duration.ofSeconds(40),
            Duration.ofSeconds(100),
            Duration.ofSeconds(100),
            0),
        2,
        Optional.of(plan));
  }

  static Had had(double p99Millis, double perSecond) {
    ServiceFigures figures =
        new ServiceFigures(
            100,
            1_000,
            Math.round(perSecond),
            0,
            0,
            Math.round(p99Millis * 300),
            Math.round(p99Millis * 700),
            Math.round(p99Millis * 1_000));
    return new Had(figures, p99Millis > 60 ? ServiceVerdict.VIOLATED : ServiceVerdict.KEPT);
  }

  static ControlSample sample(double seconds, String phase, int nodes, Had had) {
    return sample(seconds, phase, nodes, OptionalInt.of(0), had);
  }

  /** With so many copies being made, or no node that says so. */
  static ControlSample sample(
      double seconds, String phase, int nodes, OptionalInt making, Had had) {
    return new ControlSample(
        AT_MILLIS + Math.round(seconds * 1_000),
        seconds,
        phase,
        nodes,
        OptionalInt.of(nodes),
        OptionalInt.of(nodes),
        making,
        Optional.of(had),
        Optional.empty(),
        Optional.of(
            new Steering(
                new NodeId(1),
                ControlMode.ACT,
                "a program",
                Optional.of(ADD),
                List.of(new ServiceLimit(QosRunSettings.REPORTS, List.of(), 200, 0)),
                List.of())),
        CORES);
  }

  /**
   * In the second phase 80 ms until a node has come at 100 s, 28 ms from then on; copies are made
   * from 90 s to 100 s, of which no node says anything at 95 s.
   */
  static List<ControlSample> samples() {
    List<ControlSample> samples = new ArrayList<>();
    for (int second = 0; second < 240; second++) {
      boolean isSlow = second >= 40 && second < 100;
      String phase = second < 40 ? QosPhase.CALM : second < 140 ? QosPhase.DOUBLED : QosPhase.GONE;
      samples.add(
          sample(
              second,
              phase,
              second < 100 ? 3 : 4,
              second == 95
                  ? OptionalInt.empty()
                  : OptionalInt.of(second >= 90 && second < 100 ? 2 : 0),
              had(isSlow ? 80 : 28, second < 40 ? 50 : second < 140 ? 100 : 5)));
    }
    return samples;
  }

  static Figures figures(double perSecond, long refused, long failed, long undone) {
    String why = failed == 0 ? "" : "{\"read: UNAVAILABLE\":" + failed + "}";
    return new Figures(
        perSecond,
        1_000,
        12,
        10,
        28,
        refused,
        failed,
        undone,
        why,
        OptionalDouble.of(27),
        EachSecond.NONE);
  }

  static List<PhaseResult> phases(QosRunSettings settings, Figures ofSecond) {
    List<QosPhase> phases = settings.phases(RATE);
    List<ControlSample> samples = samples();
    double[] from = {0, 40, 140, 240};
    List<PhaseResult> results = new ArrayList<>();
    for (int i = 0; i < phases.size(); i++) {
      results.add(
          new PhaseResult(
              phases.get(i),
              from[i],
              from[i + 1],
              i == 1 ? ofSecond : figures(10.0 * phases.get(i).load().clients(), 0, 0, 0),
              Optional.empty(),
              samples.subList((int) from[i], (int) from[i + 1]),
              25));
    }
    return results;
  }

  /** All of it, with one node added and one leader killed. */
  static QosOutcome outcome(boolean acts, Figures ofSecond) {
    QosRunSettings settings = settings(0, 1, acts);
    ActionLog actions = new ActionLog();
    actions.see(AT_MILLIS + 75_000, 75, List.of(ADD));
    actions.see(AT_MILLIS + 100_000, 100, List.of(ADD.at(ActionStage.MEASURING, "n4 is there")));
    actions.see(
        AT_MILLIS + 131_000, 131, List.of(ADD.measured(28_000, "kept: 28 ms, predicted 31 ms")));
    return new QosOutcome(
        settings,
        new QosOutcome.Start(OptionalDouble.of(143), RATE, Optional.empty()),
        phases(settings, ofSecond),
        samples(),
        actions.all(),
        List.of(new LeaderKills.Killed(AT_MILLIS + 90_000, 90, 2, Optional.empty())),
        "node");
  }

  /**
   * By a plan, with one node added, which is taken away when the load has gone.
   *
   * @param calmMillis the mean that clients had in the calm phase
   * @param seconds when the action began
   */
  static QosOutcome planned(double calmMillis, double seconds) {
    ActionLog actions = new ActionLog();
    see(actions, seconds, ADD.measured(28_000, "kept: 28 ms, predicted 31 ms"));
    see(actions, 180, REMOVE.measured(5_500, "kept: 5.5 ms, predicted 6 ms"));
    return planned(calmMillis, actions);
  }

  /** An action was begun then, and became this. */
  static void see(ActionLog actions, double seconds, ControlAction action) {
    actions.see(AT_MILLIS + Math.round(seconds * 1_000), seconds, List.of(action));
  }

  /** As above, with these actions. */
  static QosOutcome planned(double calmMillis, ActionLog actions) {
    QosRunSettings settings = planned();
    List<PhaseResult> phases = new ArrayList<>(phases(settings, figures(100, 0, 0, 0)));
    PhaseResult calm = phases.getFirst();
    phases.set(
        0,
        new PhaseResult(
            calm.phase(),
            calm.fromSeconds(),
            calm.toSeconds(),
            new Figures(
                2_200,
                88_000,
                calmMillis,
                calmMillis,
                20,
                0,
                0,
                0,
                "",
                OptionalDouble.empty(),
                EachSecond.NONE),
            Optional.empty(),
            calm.samples(),
            calm.end()));
    return new QosOutcome(
        settings,
        new QosOutcome.Start(OptionalDouble.empty(), 0, Optional.of(true)),
        phases,
        samples(),
        actions.all(),
        List.of(),
        "node");
  }

  static QosOutcome outcome() {
    return outcome(true, figures(100, 0, 0, 0));
  }
}
