package org.ecstore.bench.control;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.ecstore.bench.control.LeaderKills.Killed;
import org.ecstore.bench.control.PhaseLoads.Said;
import org.ecstore.bench.control.QosOutcome.Start;
import org.ecstore.model.objective.Objective;
import org.ecstore.tools.quickstart.Progress;

/**
 * The course of a run: a cluster of node processes, its records, the objective, and one phase of
 * load after the other, while a thread looks on and another one kills the node that leads.
 */
public final class QosRun {
  /** The file with a line for each second. */
  public static final String SAMPLES = "samples.jsonl";

  /** The end of a phase that is looked at is a quarter of it at most. */
  private static final double END_PART = 0.25;

  /** It has some reports of clients, which come each few seconds. */
  private static final double END_MIN = 15;

  private static final double MILLIS = 1e3;

  private final QosRunSettings settings;
  private final Path directory;
  private final Progress progress;
  private final Consumer<String> say;

  /**
   * A run that has not begun.
   *
   * @param directory for what is seen each second, and for the cluster meanwhile; is there
   * @param progress in milliseconds
   * @param say hears what happens
   */
  public QosRun(QosRunSettings settings, Path directory, Progress progress, Consumer<String> say) {
    this.settings = settings;
    this.directory = directory;
    this.progress = progress;
    this.say = say;
  }

  /**
   * Runs it. The cluster is ended when this returns, and stays in the directory.
   *
   * @param work where the cluster is, and what clients print; is there
   * @throws IOException if nodes do not start, an objective is refused or clients cannot run; says
   *     why
   */
  public QosOutcome run(Path work) throws IOException, InterruptedException {
    progress.phase("starting", settings.machines().nodes());
    try (ProcessRunCluster cluster =
        ProcessRunCluster.start(settings, work.resolve("cluster"), () -> progress.step(1), say)) {
      return run(cluster, new PhaseLoads(settings, work, progress::step));
    }
  }

  private QosOutcome run(RunCluster cluster, PhaseLoads loads)
      throws IOException, InterruptedException {
    progress.phase("loading", Duration.ofSeconds(20).toMillis());
    loads.load(cluster.addresses());
    Start start =
        settings.plan().isPresent()
            ? settled(settings.plan().get(), cluster, loads)
            : saturated(cluster, loads);
    // First, as what can be promised goes by the nodes that there may be, and by the table.
    cluster.allow(settings.control());
    if (settings.plan().isPresent()) {
      cluster.use(settings.plan().get().source());
    }
    for (Objective objective : objectives(start.rate())) {
      cluster.state(objective);
    }
    return phases(cluster, loads, start);
  }

  /** Of a plan: as before the cells of its table. */
  private Start settled(RunPlan plan, RunCluster cluster, PhaseLoads loads)
      throws IOException, InterruptedException {
    Duration window = plan.settleWindow();
    progress.phase("settling", plan.settle().plus(window).toMillis());
    boolean isSteady = cluster.settle(() -> loads.window(plan, cluster.addresses()), plan.settle());
    say.accept(
        "%d nodes are %s under %d clients"
            .formatted(plan.nodes(), isSteady ? "steady" : "NOT steady", plan.settleClients()));
    return new Start(OptionalDouble.empty(), 0, Optional.of(isSteady));
  }

  private Start saturated(RunCluster cluster, PhaseLoads loads)
      throws IOException, InterruptedException {
    OptionalDouble saturation = OptionalDouble.empty();
    if (!settings.course().saturation().isZero()) {
      progress.phase("saturation", settings.course().saturation().toMillis());
      saturation = OptionalDouble.of(loads.saturate(cluster.addresses()));
    }
    double rate = rate(saturation);
    say.accept(
        "%s%.0f/s in the calm phase"
            .formatted(
                saturation.isPresent()
                    ? "the first nodes do %.0f/s at most: ".formatted(saturation.getAsDouble())
                    : "",
                rate));
    return new Start(saturation, rate, Optional.empty());
  }

  private List<Objective> objectives(double rate) {
    List<Objective> objectives = new ArrayList<>(List.of(settings.shop(rate)));
    settings.reports().ifPresent(objectives::add);
    return objectives;
  }

  private double rate(OptionalDouble saturation) throws IOException {
    if (settings.course().rate() > 0) {
      return settings.course().rate();
    }
    double rate = Math.rint(saturation.orElse(0) * QosRunSettings.CALM_PART);
    if (rate < 1) {
      throw new IOException("the first nodes did nothing: give --rate, or more --saturation");
    }
    return rate;
  }

  private QosOutcome phases(RunCluster cluster, PhaseLoads loads, Start start)
      throws IOException, InterruptedException {
    List<QosPhase> phases = settings.phases(start.rate());
    List<List<Duration>> plan = KillPlan.of(phases, settings.course().kills());
    List<PhaseResult> results = new ArrayList<>();
    List<Killed> kills = new ArrayList<>();
    try (ControlSampler sampler =
        ControlSampler.begin(
            cluster, settings.promise().check(), directory.resolve(SAMPLES), say)) {
      for (int i = 0; i < phases.size(); i++) {
        QosPhase phase = phases.get(i);
        progress.phase(phase.name(), phase.lasts().toMillis());
        double from = sampler.seconds();
        int seen = sampler.samples().size();
        sampler.phase(phase.name());
        Said said;
        LeaderKills killing = LeaderKills.begin(cluster, plan.get(i), sampler::seconds, say);
        try (killing) {
          said = loads.run(phase, cluster.addresses());
        }
        kills.addAll(killing.kills());
        List<ControlSample> samples = sampler.samples();
        results.add(
            PhaseResult.of(
                phase,
                from,
                sampler.seconds(),
                said,
                samples.subList(seen, samples.size()),
                end(phase)));
        say.accept(results.getLast().line());
      }
      sampler.phase("");
      // What an action has brought is known a check later.
      TimeUnit.MILLISECONDS.sleep(settings.promise().check().toMillis());
      return new QosOutcome(
          settings, start, results, sampler.samples(), sampler.actions(), kills, sampler.keeper());
    }
  }

  /** A window of checks at the end of a phase, or a quarter of the phase if that is less. */
  private double end(QosPhase phase) {
    double window = settings.promise().check().toMillis() / MILLIS * settings.promise().window();
    return Math.min(Math.max(END_MIN, window), phase.seconds() * END_PART);
  }
}
