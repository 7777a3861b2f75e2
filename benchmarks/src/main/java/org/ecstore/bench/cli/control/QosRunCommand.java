package org.ecstore.bench.cli.control;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.ZoneId;
import java.util.concurrent.Callable;
import org.ecstore.bench.cli.options.DurationWords;
import org.ecstore.bench.cli.options.ResultFiles;
import org.ecstore.bench.control.Interference;
import org.ecstore.bench.control.InterferencePlots;
import org.ecstore.bench.control.QosOutcome;
import org.ecstore.bench.control.QosPlots;
import org.ecstore.bench.control.QosPlots.Stored;
import org.ecstore.bench.control.QosRun;
import org.ecstore.bench.control.QosRunSettings;
import org.ecstore.bench.control.QosText;
import org.ecstore.cluster.node.ExitStatus;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code ecstore bench qos}. */
@Command(
    name = "qos",
    description = {
      "Shows on real processes that a cluster keeps an objective by itself.",
      "",
      "Starts nodes that are held to --capacity, loads records, and promises the application shop a"
          + " response time (slo set, qos mode act). Then its load comes in three phases: calm; of"
          + " twice the rate, which is more than the first nodes do within the promised time; and"
          + " gone, a tenth of the rate. The cluster is expected to add nodes in the second phase"
          + " and to take them away in the last one, though the node that leads is killed --kills"
          + " times. Operations begin at their time, whether others are done or not (open loop).",
      "",
      "With --flood the second phase has another application of best effort beside the shop, and"
          + " the cluster is expected to limit that. With --no-control the controller is frozen:"
          + " the same load for comparison.",
      "",
      "With --flood and --rounds all of that is run so often with the controller and as often"
          + " without it, in turns, each of both first every other round. What is claimed is that"
          + " the p99 of all operations of the shop is within its objective with the controller,"
          + " and is not without it: in the second phase after one window of the controller's"
          + " checks, and in the whole of it. With five rounds or more a claim can hold; fewer show"
          + " nothing. Each run has a directory of its own in DIR.",
      "",
      "With --table the nodes at the beginning are those of a plan, made as by qos plan: the fewest"
          + " that --clients have a mean response time of --response-time on. The load is so many"
          + " clients that each wait for an answer, then twice as many, then a tenth. When the"
          + " nodes are steady the cluster is given the table (qos table use) and told the"
          + " objective. What was predicted is held against what clients have in the calm phase.",
      "",
      "Each second it is noted what the cluster is and does, and what clients have. DIR gets that"
          + " (samples.jsonl), the result (result.json), the text (result.txt) and plots of"
          + " response time, throughput and nodes over time. The defaults take about 14 minutes.",
      "",
      "The exit status is 1 if an operation failed, other than refused as too much, or had not"
          + " begun at the end of its phase; if the objective was not kept at the end of the second"
          + " phase; or if the controller did nothing. The last two do not count with --no-control."
          + " With --table it is 1 too if the planned nodes did not keep the objective in the calm"
          + " phase, or if the controller did anything in it; if in the second phase other than as"
          + " many actions were begun as the table asks for nodes more; if no node that was added"
          + " began to be taken away in the last phase; if the objective was not kept at the end of"
          + " that; or if it is not known of an action that is done what was predicted, or what it"
          + " has brought. Without --table the last three are only said, with --flood they are not."
          + " With --rounds it is 1 too if a claim of the time after the window does not hold."
          + " Nodes' logs then stay in DIR/work."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  ecstore bench qos --out run",
      "  ecstore bench qos --nodes 3 --nodes-max 5 --p99 40ms --price 0.02 --out run",
      "  ecstore bench qos --table tables/je-small-zipf-read.csv --clients 16 --response-time 6ms"
          + " \\",
      "      --out planned --dry-run",
      "  ecstore bench qos --no-control --kills 0 --out frozen",
      "  ecstore bench qos --flood --flood-clients 64 --out flooded",
      "  ecstore bench qos --flood --rounds 5 --p99 150ms --rate 200 --kills 0 --out interference",
      "  ecstore bench qos --rate 60 --saturation 0 --calm 60s --doubled 120s --gone 120s --kills 0"
          + " \\",
      "      --check 5s --window 3 --out quick"
    })
public final class QosRunCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;
  @Mixin private QosRunOptions options = new QosRunOptions();

  @Option(names = "--json", description = "Print one JSON object as the last line instead.")
  private boolean json;

  @Option(
      names = "--dry-run",
      description = "Only say how many nodes and what load there would be, and about how long.")
  private boolean dryRun;

  @Override
  public Integer call() throws Exception {
    QosRunSettings settings =
        options.check(
            Runtime.getRuntime().availableProcessors(),
            spec.commandLine().getParseResult()::hasMatchedOption);
    ResultFiles files = new ResultFiles(spec.commandLine(), options.directory());
    options.notes(settings).forEach(files::say);
    if (dryRun) {
      preview(settings);
      return ExitStatus.OK;
    }
    settings.plan().ifPresent(plan -> plan.lines().forEach(files::say));
    return options.rounds() > 0 ? rounds(settings, files) : once(settings, files);
  }

  private void preview(QosRunSettings settings) {
    PrintWriter out = spec.commandLine().getOut();
    settings.plan().ifPresent(plan -> plan.lines().forEach(out::println));
    int runs = Math.max(1, 2 * options.rounds());
    out.println(
        "%s: about %s, and some for the cluster"
            .formatted(settings.words(), DurationWords.of(settings.estimate().multipliedBy(runs))));
    out.flush();
  }

  private int once(QosRunSettings settings, ResultFiles files)
      throws IOException, InterruptedException {
    Path directory = options.directory();
    QosOutcome outcome =
        files.measured((work, bars) -> new QosRun(settings, directory, bars, files::say).run(work));
    return files.end(
        outcome.json(),
        QosPlots.draw(Stored.of(outcome), directory),
        QosText.lines(outcome, ZoneId.systemDefault()),
        outcome.faults().isEmpty(),
        json,
        QosRun.SAMPLES + ", plots");
  }

  private int rounds(QosRunSettings settings, ResultFiles files)
      throws IOException, InterruptedException {
    Path directory = options.directory();
    Interference found =
        files.measured(
            (work, bars) ->
                new FloodRounds(settings, directory, files::say).run(options.rounds(), work, bars));
    ObjectNode result = found.json();
    return files.end(
        result,
        InterferencePlots.draw(result, directory),
        found.lines(),
        found.faults().isEmpty(),
        json,
        "plots, and a directory for each run");
  }
}
