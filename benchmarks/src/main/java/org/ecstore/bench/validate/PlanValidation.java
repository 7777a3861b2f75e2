package org.ecstore.bench.validate;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.ecstore.bench.qos.TableRun;
import org.ecstore.bench.report.HeadedLog;
import org.ecstore.model.control.ActionStage;
import org.ecstore.model.control.ControlAction;
import org.ecstore.server.shutdown.ShutdownHooks;
import org.ecstore.tools.plan.PlanText;
import org.ecstore.tools.quickstart.Progress;

/**
 * Tries plans: for each a cluster of its own, which is loaded, runs until it is steady, is told the
 * objective, and is measured. What was measured before, by this process or one that was killed, is
 * not measured again. Paper: Cassandra QoS §V, "Validation of the methodology".
 */
public final class PlanValidation {
  /** The file that has all runs. */
  public static final String RUNS = "validation.runs.jsonl";

  private final ValidationSettings settings;
  private final Path directory;
  private final Progress progress;
  private final PlannedStore.Starter starter;
  private final Consumer<String> say;

  PlanValidation(
      ValidationSettings settings,
      Path directory,
      Progress progress,
      PlannedStore.Starter starter,
      Consumer<String> say) {
    this.settings = settings;
    this.directory = directory;
    this.progress = progress;
    this.starter = starter;
    this.say = say;
  }

  /**
   * One on node processes of this machine.
   *
   * @param directory where runs are; is there
   * @param progress in milliseconds
   * @param say hears what happens, line by line
   */
  public static PlanValidation onProcesses(
      ValidationSettings settings, Path directory, Progress progress, Consumer<String> say) {
    return new PlanValidation(
        settings,
        directory,
        progress,
        (of, work) -> PlannedCluster.start(settings, of, work, progress::step),
        say);
  }

  /**
   * What is there of a validation.
   *
   * @throws HeadedLog.OtherHeadException if it is of another one
   * @throws IOException if it cannot be read
   */
  public static List<ValidationRun> there(ValidationSettings settings, Path directory)
      throws IOException {
    return HeadedLog.there(directory.resolve(RUNS), settings.head(), ValidationRun::of);
  }

  /** How many runs of a plan are missing. */
  public static int missing(ValidationSettings settings, int plan, List<ValidationRun> there) {
    return Math.max(0, settings.runs() - of(plan, there).size());
  }

  private static List<ValidationRun> of(int plan, List<ValidationRun> all) {
    return all.stream().filter(run -> run.plan() == plan).toList();
  }

  /**
   * Validates, or what is missing of it.
   *
   * @param work where clusters are, one after the other
   * @throws HeadedLog.OtherHeadException if what is there is of another validation
   */
  public ValidationOutcome run(Path work) throws IOException, InterruptedException {
    List<DrawnObjective> drawn = settings.drawn();
    List<ValidationRun> runs = new ArrayList<>(there(settings, directory));
    HeadedLog log = HeadedLog.open(directory.resolve(RUNS), settings.head());
    List<String> failures = new ArrayList<>();
    List<ValidatedPlan> plans = new ArrayList<>();
    for (int plan = 1; plan <= drawn.size(); plan++) {
      DrawnObjective of = drawn.get(plan - 1);
      try {
        measure(plan, of, work.resolve("plan-" + plan), log, runs);
        plans.add(new ValidatedPlan(plan, of, of(plan, runs)));
      } catch (IOException e) {
        if (ShutdownHooks.hasBegun()) {
          // It was interrupted: what fails now says nothing of the plan.
          throw e;
        }
        String failure = "plan %d is not measured: %s".formatted(plan, e.getMessage());
        say.accept(failure);
        failures.add(failure);
      }
    }
    return new ValidationOutcome(settings, plans, failures);
  }

  private void measure(
      int plan, DrawnObjective of, Path work, HeadedLog log, List<ValidationRun> runs)
      throws IOException, InterruptedException {
    int missing = missing(settings, plan, runs);
    if (missing == 0) {
      return;
    }
    progress.phase(
        "plan %d of %d".formatted(plan, settings.plans()),
        settings.estimate(of, missing).toMillis());
    say.accept("plan %d of %d:".formatted(plan, settings.plans()));
    PlanText.lines(of.plan(), List.of()).forEach(say);
    try (PlannedStore store = starter.start(of, work)) {
      store.settle();
      store.promise();
      SortedSet<Long> seen = new TreeSet<>();
      for (int number = settings.runs() - missing + 1; number <= settings.runs(); number++) {
        TableRun run = store.run(number);
        if (number == settings.runs()) {
          // What the last reports lead to is known a check later.
          TimeUnit.MILLISECONDS.sleep(settings.pace().check().toMillis());
        }
        ValidationRun made =
            new ValidationRun(plan, run, news(store.actions(), seen), store.seconds());
        log.add(made.json());
        runs.add(made);
        made.actions().forEach(say);
      }
    }
  }

  /** What was done, or tried, that was not seen before. */
  private static List<String> news(List<ControlAction> actions, SortedSet<Long> seen) {
    List<String> news = new ArrayList<>();
    for (ControlAction action : actions) {
      boolean isOnlySaid =
          action.stage() == ActionStage.PROPOSED || action.stage() == ActionStage.WITHDRAWN;
      if (!isOnlySaid && seen.add(action.number())) {
        news.add("%s: %s; %s".formatted(action.what(), action.why(), action.stage().words()));
      }
    }
    return news;
  }
}
