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
import org.ecstore.tools.plan.Figures;
import org.ecstore.tools.plan.TableFiles;
import org.ecstore.tools.terminal.BadInputException;
import org.ecstore.txn.qos.predict.PredictionErrors;
import org.ecstore.txn.qos.predict.PredictorComparison;
import org.ecstore.txn.qos.predict.PredictorComparison.HeldOut;
import org.ecstore.txn.qos.table.PerformanceTable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/**
 * {@code ecstore qos table}: shows a table, and which way of prediction errs less on it; below it
 * what a cluster does with tables.
 */
@Command(
    name = "table",
    subcommands = {
      KeptTableCommands.Use.class,
      KeptTableCommands.Show.class,
      KeptTableCommands.Remove.class
    },
    description = {
      "Shows a performance table, and how well its cells are predicted by the others; or gives one"
          + " to a cluster, whose controller then goes by it.",
      "",
      "A cell is response time in ms, throughput in MB/s. Rows, and then single cells, are held"
          + " out one after the other, and predicted by interpolation and by a queueing curve that"
          + " is fitted to what is left: the mean error and, in brackets, the median and the"
          + " largest. Plans use the way that errs less on the rows."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  ecstore qos table FILE",
      "  ecstore qos table ./list                      a file of the name of a command",
      "  ecstore qos table use tables/je-small-zipf-read.csv --dir data",
      "  ecstore qos table list --dir data"
    })
final class TableCommand implements Callable<Integer> {
  @Parameters(paramLabel = "FILE", arity = "0..1", description = "The file of the table.")
  private @Nullable Path file;

  @Spec private CommandSpec spec;

  @Override
  public Integer call() throws IOException {
    Path shown = file;
    if (shown == null) {
      throw new BadInputException(
          "which table? give its file, or say use, list or remove: qos table --help");
    }
    PerformanceTable table = TableFiles.read(shown);
    PrintWriter out = spec.commandLine().getOut();
    TableText.lines(table).forEach(out::println);
    String unsteady = table.subject().setting().unsteadyWords();
    if (!unsteady.isEmpty()) {
      out.println("not steady when measured: " + unsteady);
    }
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
        Locale.ROOT,
        "%s (median %s, largest %s)",
        Figures.percent(errors.mean()),
        Figures.percent(errors.median()),
        Figures.percent(errors.largest()));
  }
}
