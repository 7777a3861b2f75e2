package org.ecstore.bench.cli.elastic;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.ecstore.bench.cli.options.ResultFiles;
import org.ecstore.bench.elastic.ElasticityOutcome;
import org.ecstore.bench.elastic.ElasticityPlots;
import org.ecstore.bench.elastic.ElasticityRun;
import org.ecstore.bench.elastic.ElasticitySettings;
import org.ecstore.bench.elastic.ElasticityText;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code ecstore bench elasticity}. */
@Command(
    name = "elasticity",
    description = {
      "Measures what clients have while a node is added and drained.",
      "",
      "Starts nodes, loads records, and finds out by a closed loop what the nodes do at most. Then"
          + " clients ask for half of that, in an open loop: operations begin at their time,"
          + " whether others are done or not, and are timed from then. Meanwhile there is a calm"
          + " phase; a node is added (cluster add); a second calm phase; that node is drained"
          + " (cluster drain) and ended; a last calm phase.",
      "",
      "A node counts as added or drained once the cluster is balanced: the steward is at nothing,"
          + " no range is moved or copied, each range has all its copies and they are whole, no"
          + " node holds so much more than its neighbour that the steward would move something,"
          + " and all that stays so for --still. It counts from when that began.",
      "",
      "Of each phase it says requests, throughput, p50, p99, failures, the longest time between two"
          + " answers, and how many times the p99 of the first phase its own is; of a change,"
          + " seconds until balanced and bytes moved. Goals are said to be held or not: p99 at most"
          + " doubled, no failed operation, balanced within a minute for each GB. With"
          + " --records 1000000 there is 1 GB. DIR gets the result (result.json), the text"
          + " (result.txt) and plots of response time and throughput over time. The defaults take"
          + " about 5 minutes.",
      "",
      "The exit status is 1 if a goal is not held: an operation failed, or had not begun at the"
          + " end; the p99 of a phase was more than twice that of the first one; or the cluster was"
          + " not balanced within a minute for each GB. What a run does not show is no reason."
          + " Nodes' logs then stay in DIR/work."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  ecstore bench elasticity --out run",
      "  ecstore bench elasticity --records 1000000 --workload zipf-write-heavy --out gigabyte",
      "  ecstore bench elasticity --records 20000 --rate 500 --saturation 0 --calm 20s --out quick"
    })
public final class ElasticityCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;
  @Mixin private ElasticityOptions options = new ElasticityOptions();

  @Option(names = "--json", description = "Print one JSON object as the last line instead.")
  private boolean json;

  @Override
  public Integer call() throws Exception {
    ElasticitySettings settings = options.check(Runtime.getRuntime().availableProcessors());
    Path directory = options.directory();
    ResultFiles files = new ResultFiles(spec.commandLine(), directory);
    ElasticityOutcome outcome;
    // YCSB says things on standard output, which is for results.
    PrintStream said = System.out;
    System.setOut(new PrintStream(OutputStream.nullOutputStream(), true, StandardCharsets.UTF_8));
    try {
      outcome =
          files.measured(
              (work, bars) ->
                  new ElasticityRun(settings, bars, files::say).run(work.resolve("cluster")));
    } finally {
      System.setOut(said);
    }
    ObjectNode result = outcome.json();
    return files.end(
        result,
        ElasticityPlots.draw(result, directory),
        ElasticityText.lines(outcome),
        outcome.isGood(),
        json,
        ResultFiles.TEXT + ", plots");
  }
}
