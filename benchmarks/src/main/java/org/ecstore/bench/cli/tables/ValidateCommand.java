package org.ecstore.bench.cli.tables;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import org.ecstore.bench.cli.options.DurationWords;
import org.ecstore.bench.cli.options.ResultFiles;
import org.ecstore.bench.report.HeadedLog;
import org.ecstore.bench.validate.DrawnObjective;
import org.ecstore.bench.validate.PlanValidation;
import org.ecstore.bench.validate.ValidationOutcome;
import org.ecstore.bench.validate.ValidationPlots;
import org.ecstore.bench.validate.ValidationRun;
import org.ecstore.bench.validate.ValidationSettings;
import org.ecstore.bench.validate.ValidationText;
import org.ecstore.cluster.node.ExitStatus;
import org.ecstore.tools.plan.PlanText;
import org.ecstore.tools.terminal.BadInputException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code ecstore qos validate}. */
@Command(
    name = "validate",
    description = {
      "Tries plans of a performance table: what they predict is held against what clusters do.",
      "",
      "Objectives are drawn by --seed: so many clients as the table has no row of, and a mean"
          + " response time, such that each number of nodes of the table has its turn. For each a"
          + " cluster of as many node processes as are planned is made on this machine, with all"
          + " that the table was measured with. When it is steady it is told the objective and the"
          + " table, and its controller may act, with one node more at most (slo set, qos table"
          + " use, qos mode act): of a good plan it has nothing to do. Then the load is measured,"
          + " so often as --runs says.",
      "",
      "DIR gets each run as soon as it is made (validation.runs.jsonl), the result (result.json),"
          + " the text (result.txt) and plots: of all plans by what was predicted, and of each plan"
          + " over time. A validation that ended before its time, however"
          + " it ended, goes on with what is missing, and more plans or runs may be added later. Any"
          + " other DIR has to be empty, or is made.",
      "",
      "The goal is a median error of response times of at most 25 %%, over five plans or more. The"
          + " exit status is 1 if it is not held, if the controller has done anything, or if a plan"
          + " could not be measured; nodes' logs then stay in DIR/work."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  ecstore qos validate --table tables/je-small-zipf-read.csv --out validation --dry-run",
      "  ecstore qos validate --table tables/je-small-zipf-read.csv --plans 5 --seed 1 --out"
          + " validation"
    })
final class ValidateCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;
  @Mixin private ValidateOptions options = new ValidateOptions();

  @Option(names = "--json", description = "Print one JSON object as the last line instead.")
  private boolean json;

  @Option(
      names = "--dry-run",
      description = "Only say what was drawn and planned, and about how long all takes.")
  private boolean dryRun;

  @Override
  public Integer call() throws Exception {
    ValidationSettings settings = options.check(Runtime.getRuntime().availableProcessors());
    Path directory = options.directory();
    List<ValidationRun> there = there(settings, directory);
    if (dryRun) {
      preview(settings, there);
      return ExitStatus.OK;
    }
    ResultFiles files = new ResultFiles(spec.commandLine(), directory, "the same command goes on");
    ValidationOutcome outcome =
        files.measured(
            (work, bars) ->
                PlanValidation.onProcesses(settings, directory, bars, files::say).run(work));
    ObjectNode result = outcome.json();
    return files.end(
        result,
        ValidationPlots.draw(result, directory),
        ValidationText.lines(outcome),
        outcome.faults().isEmpty(),
        json,
        PlanValidation.RUNS + ", plots");
  }

  private static List<ValidationRun> there(ValidationSettings settings, Path directory)
      throws IOException {
    try {
      return PlanValidation.there(settings, directory);
    } catch (HeadedLog.OtherHeadException e) {
      throw new BadInputException(String.valueOf(e.getMessage()));
    }
  }

  private void preview(ValidationSettings settings, List<ValidationRun> there) {
    PrintWriter out = spec.commandLine().getOut();
    Duration all = Duration.ZERO;
    List<DrawnObjective> drawn = settings.drawn();
    for (int plan = 1; plan <= drawn.size(); plan++) {
      DrawnObjective of = drawn.get(plan - 1);
      int missing = PlanValidation.missing(settings, plan, there);
      Duration takes = settings.estimate(of, missing);
      all = all.plus(takes);
      PlanText.lines(of.plan(), List.of()).forEach(out::println);
      out.printf(
          "  plan %d: %d runs are missing of %d, about %s%n",
          plan, missing, settings.runs(), DurationWords.of(takes));
    }
    out.printf(
        "together about %s, or more where a cluster is long in becoming steady%n",
        DurationWords.of(all));
    out.flush();
  }
}
