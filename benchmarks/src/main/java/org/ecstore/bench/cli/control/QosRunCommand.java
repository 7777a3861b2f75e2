package org.ecstore.bench.cli.control;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.ZoneId;
import java.util.List;
import java.util.concurrent.Callable;
import org.ecstore.bench.control.QosOutcome;
import org.ecstore.bench.control.QosPlots;
import org.ecstore.bench.control.QosRun;
import org.ecstore.bench.control.QosRunSettings;
import org.ecstore.bench.control.QosText;
import org.ecstore.cluster.node.ExitStatus;
import org.ecstore.server.file.DirectoryLock;
import org.ecstore.server.file.TemporaryDirectory;
import org.ecstore.tools.terminal.PhaseBars;
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
      "Each second it is noted what the cluster is and does, and what clients have. DIR gets that"
          + " (samples.jsonl), the result (result.json), the text (result.txt) and plots of"
          + " response time, throughput and nodes over time. The defaults take about 14 minutes.",
      "",
      "The exit status is 1 if an operation failed, other than refused as too much, or had not"
          + " begun at the end of its phase; if the objective was not kept at the end of the second"
          + " phase; or if the controller did nothing. The last two do not count with --no-control."
          + " Nodes' logs then stay in DIR/work."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  ecstore bench qos --out run",
      "  ecstore bench qos --nodes 3 --nodes-max 5 --p99 40ms --price 0.02 --out run",
      "  ecstore bench qos --no-control --kills 0 --out frozen",
      "  ecstore bench qos --flood --flood-clients 64 --out flooded",
      "  ecstore bench qos --rate 60 --saturation 0 --calm 60s --doubled 120s --gone 120s --kills 0"
          + " \\",
      "      --check 5s --window 3 --out quick"
    })
public final class QosRunCommand implements Callable<Integer> {
  private static final String RESULT = "result.json";
  private static final String TEXT = "result.txt";

  @Spec private CommandSpec spec;
  @Mixin private QosRunOptions options = new QosRunOptions();

  @Option(names = "--json", description = "Print one JSON object as the last line instead.")
  private boolean json;

  @Override
  public Integer call() throws Exception {
    QosRunSettings settings = options.check(Runtime.getRuntime().availableProcessors());
    options.notes(settings).forEach(this::say);
    Path directory = options.directory();
    Path work = directory.resolve("work");
    QosOutcome outcome;
    try (DirectoryLock _ = DirectoryLock.acquire(directory);
        PhaseBars bars = new PhaseBars()) {
      Files.createDirectories(work);
      outcome = new QosRun(settings, directory, bars, this::say).run(work);
    } finally {
      Files.deleteIfExists(directory.resolve("lock"));
    }
    ObjectNode result = outcome.json();
    ArrayNode plots = result.putArray("plots");
    QosPlots.draw(outcome, directory).forEach(plots::add);
    List<String> lines = QosText.lines(outcome, ZoneId.systemDefault());
    write(directory, result, lines);
    boolean isGood = outcome.faults().isEmpty();
    if (isGood) {
      TemporaryDirectory.delete(work);
    }
    PrintWriter out = spec.commandLine().getOut();
    if (json) {
      out.println(result);
    } else {
      lines.forEach(out::println);
      out.println("  in " + directory + ": " + RESULT + ", " + QosRun.SAMPLES + ", plots");
    }
    out.flush();
    return isGood ? ExitStatus.OK : ExitStatus.CHECK_FAILED;
  }

  private static void write(Path directory, ObjectNode result, List<String> lines)
      throws IOException {
    Files.writeString(directory.resolve(RESULT), result.toPrettyString() + "\n");
    Files.writeString(directory.resolve(TEXT), String.join("\n", lines) + "\n");
  }

  private void say(String line) {
    spec.commandLine().getErr().println(line);
    spec.commandLine().getErr().flush();
  }
}
