package org.ecstore.bench.cli.tables;

import java.io.IOException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.ecstore.bench.qos.modelled.ModelReport;
import org.ecstore.bench.qos.modelled.ModelSubject;
import org.ecstore.bench.qos.modelled.ModelledTable;
import org.ecstore.bench.qos.modelled.TableModel;
import org.ecstore.cluster.node.ExitStatus;
import org.ecstore.server.file.DirectoryLock;
import org.ecstore.tools.cli.qos.TableText;
import org.ecstore.tools.terminal.TerminalProgress;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code ecstore qos model}. */
@Command(
    name = "model",
    description = {
      "Makes performance tables by a cost model, as Tables II to V of the Cassandra QoS paper.",
      "",
      "Clients that wait for an answer before they ask again are simulated over nodes that do one"
          + " thing after the other, for the costs of this repository's cost model, made slower for"
          + " the paper's two classes of servers, with row caches as large as the paper's. The same"
          + " seed makes the same tables on any machine. docs/planning.md says where each constant comes"
          + " from.",
      "",
      "Each table is printed, and goes to DIR with its plots. Below it is by how much response"
          + " times of cells that are held out are mispredicted by the others, and how far it is"
          + " from the paper's own. A table that is modelled says so: qos table use refuses it, and"
          + " qos plan takes it with --any-build alone.",
      "",
      "The exit status is 1 if the median error of a table is above 10 %%."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  ecstore qos model --out tables",
      "  ecstore qos model --workload zipf-read --class small --nodes 2..7 --out tables --json",
      "  ecstore qos plan --any-build --table tables/model-small-zipf-read.csv \\",
      "      --clients 384 --response-time 40ms"
    })
final class ModelTablesCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;
  @Mixin private ModelOptions options = new ModelOptions();

  @Option(names = "--json", description = "Print one JSON object as the last line instead.")
  private boolean json;

  @Override
  public Integer call() throws IOException {
    ModelOptions.Checked checked = options.check();
    List<ModelledTable> tables = new ArrayList<>();
    try (DirectoryLock _ = DirectoryLock.acquire(checked.directory());
        TerminalProgress bar = TerminalProgress.start("requests", checked.work())) {
      for (ModelSubject subject : checked.subjects()) {
        ModelledTable table = TableModel.of(subject, checked.course(), bar::step);
        table.write(checked.directory());
        tables.add(table);
      }
    }
    ModelReport report = new ModelReport(tables);
    PrintWriter out = spec.commandLine().getOut();
    if (json) {
      out.println(report.json());
    } else {
      print(out, tables, report);
    }
    out.flush();
    return report.isGood() ? ExitStatus.OK : ExitStatus.CHECK_FAILED;
  }

  private static void print(PrintWriter out, List<ModelledTable> tables, ModelReport report) {
    for (ModelledTable table : tables) {
      TableText.lines(table.table()).forEach(out::println);
      ModelReport.lines(table).forEach(line -> out.println("  " + line));
      out.println("  " + table.subject().name() + ".csv");
    }
    out.println("of what the paper says");
    report.claimLines().forEach(line -> out.println("  " + line));
  }
}
