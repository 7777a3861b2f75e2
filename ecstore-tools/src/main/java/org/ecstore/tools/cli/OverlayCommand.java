package org.ecstore.tools.cli;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.PrintWriter;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.ecstore.cluster.node.ExitStatus;
import org.ecstore.core.overlay.OverlayExperiment;
import org.ecstore.core.overlay.OverlayReport;
import org.ecstore.tools.terminal.OptionBounds;
import org.ecstore.tools.terminal.TerminalProgress;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code ecstore overlay}: measures the overlay's tree, without any server. */
@Command(
    name = "overlay",
    description = {
      "Measures the overlay: how far routes are, and what joins and leaves cost.",
      "",
      "Grows a BATON tree to N nodes by random joins and leaves, grows it on by half, shrinks it back "
          + "to N, and routes from every node with that node's own links only. Exit status 1 if a "
          + "route is longer than 1.44 log2 N + 2 hops."
    },
    footerHeading = "%nExamples:%n",
    footer = {"  ecstore overlay --nodes 10000"})
final class OverlayCommand implements Callable<Integer> {
  private static final int NODES_MAX = 100_000;

  @Option(
      names = "--nodes",
      paramLabel = "N",
      defaultValue = "10000",
      description = "Nodes of the tree, 1 to 100000; ${DEFAULT-VALUE} if not given.")
  private int nodes;

  @Option(
      names = "--seed",
      paramLabel = "S",
      defaultValue = "1",
      description = "Seed of what is random; ${DEFAULT-VALUE} if not given.")
  private long seed;

  @Option(names = "--json", description = "Print one JSON object as the last line instead.")
  private boolean json;

  @Spec private CommandSpec spec;

  @Override
  public Integer call() {
    OptionBounds.checkBetween("--nodes", nodes, 1, NODES_MAX);
    OverlayReport report;
    try (TerminalProgress bar = TerminalProgress.start("overlay", OverlayExperiment.steps(nodes))) {
      report = new OverlayExperiment(nodes, seed, bar::step).run();
    }
    PrintWriter out = spec.commandLine().getOut();
    if (json) {
      out.println(toJson(report));
    } else {
      printTable(out, report);
    }
    out.flush();
    return report.withinBound() ? ExitStatus.OK : ExitStatus.CHECK_FAILED;
  }

  private static ObjectNode toJson(OverlayReport report) {
    return JsonNodeFactory.instance
        .objectNode()
        .put("nodes", report.nodes())
        .put("height", report.height())
        .put("maxHops", report.maxHops())
        .put("meanHops", rounded(report.meanHops()))
        .put("bound", rounded(report.bound()))
        .put("joinMessagesMean", rounded(report.joinMessagesMean()))
        .put("leaveMessagesMean", rounded(report.leaveMessagesMean()));
  }

  private static double rounded(double value) {
    return Math.round(value * 1000) / 1000.0;
  }

  private static void printTable(PrintWriter out, OverlayReport report) {
    row(out, "nodes", "%d", report.nodes(), "");
    row(out, "height", "%d", report.height(), "levels");
    String verdict = report.withinBound() ? "within" : "ABOVE";
    String bound =
        String.format(Locale.ROOT, "hops, %s the bound of %.1f", verdict, report.bound());
    row(out, "longest route", "%d", report.maxHops(), bound);
    row(out, "mean route", "%.2f", report.meanHops(), "hops");
    row(out, "a join", "%.1f", report.joinMessagesMean(), "messages on average");
    row(out, "a leave", "%.1f", report.leaveMessagesMean(), "messages on average");
  }

  private static void row(PrintWriter out, String name, String format, Number value, String unit) {
    String number = String.format(Locale.ROOT, format, value);
    out.println(String.format(Locale.ROOT, "%-14s %9s  %s", name, number, unit).stripTrailing());
  }
}
