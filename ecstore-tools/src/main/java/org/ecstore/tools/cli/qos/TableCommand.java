package org.ecstore.tools.cli.qos;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.ecstore.cluster.node.ExitStatus;
import org.ecstore.model.objective.Statistic;
import org.ecstore.txn.qos.predict.PredictionErrors;
import org.ecstore.txn.qos.predict.PredictorComparison;
import org.ecstore.txn.qos.predict.PredictorComparison.HeldOut;
import org.ecstore.txn.qos.table.PerformanceTable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code ecstore qos table}: shows a table, and which way of prediction errs less on it. */
@Command(
    name = "table",
    description = {
      "Shows a performance table, and how well its cells are predicted by the others.",
      "",
      "A cell is response time in ms, throughput in MB/s. Rows, and then single cells, are held"
          + " out one after the other, and predicted by interpolation and by a queueing curve that"
          + " is fitted to what is left: the mean error and, in brackets, the largest. Plans use"
          + " the way that errs less on the rows."
    },
    footerHeading = "%nExamples:%n",
    footer = {"  ecstore qos table FILE"})
final class TableCommand implements Callable<Integer> {
  @Parameters(paramLabel = "FILE", description = "The file of the table.")
  private Path file = Path.of("");

  @Spec private CommandSpec spec;

  @Override
  public Integer call() throws IOException {
    PerformanceTable table = TableFiles.read(file);
    PrintWriter out = spec.commandLine().getOut();
    TableText.lines(table).forEach(out::println);
    for (Statistic statistic : Statistic.values()) {
      if (table.has(statistic)) {
        errors(table, statistic).forEach(out::println);
      }
    }
    out.flush();
    return ExitStatus.OK;
  }

  private static List<String> errors(PerformanceTable table, Statistic statistic) {
    List<String> lines = new ArrayList<>();
    for (HeldOut heldOut : HeldOut.values()) {
      PredictorComparison.of(table, statistic, heldOut)
          .ifPresent(
              comparison ->
                  lines.add(
                      "%s response time of %d cells, %s held out: interpolation off by %s, the curve by %s"
                          .formatted(
                              statistic.word(),
                              comparison.curve().cells(),
                              heldOut == HeldOut.ROW ? "their rows" : "each",
                              words(comparison.interpolation()),
                              words(comparison.curve()))));
    }
    if (lines.isEmpty()) {
      lines.add(
          statistic.word() + ": no cell has neighbours enough to be held out and be predicted");
    }
    return lines;
  }

  private static String words(PredictionErrors errors) {
    return String.format(
        Locale.ROOT, "%s (%s)", Figures.percent(errors.mean()), Figures.percent(errors.largest()));
  }
}
