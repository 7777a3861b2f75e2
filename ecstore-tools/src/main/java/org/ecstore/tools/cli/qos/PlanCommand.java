package org.ecstore.tools.cli.qos;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.concurrent.Callable;
import org.ecstore.cluster.node.ExitStatus;
import org.ecstore.model.objective.Statistic;
import org.ecstore.server.Release;
import org.ecstore.tools.terminal.BadInputException;
import org.ecstore.txn.qos.plan.Demand;
import org.ecstore.txn.qos.plan.Demand.Clients;
import org.ecstore.txn.qos.plan.Demand.Load;
import org.ecstore.txn.qos.plan.Demand.Throughput;
import org.ecstore.txn.qos.predict.Forecast;
import org.ecstore.txn.qos.predict.Forecast.Way;
import org.ecstore.txn.qos.table.PerformanceTable;
import org.ecstore.txn.qos.table.TableReader;
import org.ecstore.txn.qos.table.TableSubject;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code ecstore qos plan}: how many nodes a load needs. */
@Command(
    name = "plan",
    description = {
      "Says how many nodes hold a response time under a load, by what clusters were measured to"
          + " do.",
      "",
      "It is the fewest whose predicted response time is at or below the target. What was not"
          + " measured is predicted by the weighted average of the neighbouring cells, or by a"
          + " queueing curve fitted to all, whichever errs less on rows held out of the table;"
          + " intervals are what nine of ten held out cells were off at most. Exit status 1 if no"
          + " number of nodes of the table will do: then it says what comes nearest.",
      "",
      "Of several tables the cheapest plan is taken, by the prices that they name, or the one of"
          + " fewest nodes, and the others are shown. A table that says it was measured on another"
          + " build, node class, engine or workload than wanted is refused."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  ecstore qos plan --table FILE --clients 384 --response-time 40ms",
      "  ecstore qos plan --table FILE --rate 4000 --record-size 1KB --p99 20ms --json"
    })
final class PlanCommand implements Callable<Integer> {
  private static final int TABLES_MAX = 64;
  private static final double RATE_MAX = 1e9;
  private static final double BYTES_PER_MEGABYTE = 1e6;

  @Option(
      names = "--table",
      paramLabel = "FILE",
      required = true,
      description = "A performance table: CSV of clients, servers, ms, MB/s. May be repeated.")
  private List<Path> tables = List.of();

  @Option(
      names = "--clients",
      paramLabel = "N",
      description = "The load: so many clients that each wait for an answer.")
  private @Nullable Integer clients;

  @Option(
      names = "--rate",
      paramLabel = "N",
      description =
          "The load instead: so many operations per second, by as many clients as needed.")
  private @Nullable Double rate;

  @Option(
      names = "--record-size",
      paramLabel = "SIZE",
      description = "What an operation of --rate moves: 1KB; as the table says if not given.")
  private @Nullable String recordSize;

  @Option(
      names = "--response-time",
      paramLabel = "TIME",
      description = "The mean response time, at most: 40ms.")
  private @Nullable String mean;

  @Option(names = "--p95", paramLabel = "TIME", description = "What 95 of 100 requests may take.")
  private @Nullable String p95;

  @Option(names = "--p99", paramLabel = "TIME", description = "What 99 of 100 requests may take.")
  private @Nullable String p99;

  @Option(
      names = "--predict",
      paramLabel = "WAY",
      defaultValue = "BETTER",
      description = "By interpolation, curve, or the better one; ${DEFAULT-VALUE} if not given.")
  private Way way = Way.BETTER;

  @Option(names = "--engine", paramLabel = "KIND", description = "The engine that is wanted.")
  private @Nullable String engine;

  @Option(names = "--class", paramLabel = "NAME", description = "The node.class that is wanted.")
  private @Nullable String nodeClass;

  @Option(names = "--workload", paramLabel = "NAME", description = "The workload that is meant.")
  private @Nullable String workload;

  @Option(
      names = "--any-build",
      description = "Use tables of other builds too: what they say may no longer be so.")
  private boolean anyBuild;

  @Option(names = "--json", description = "Print one JSON object as the last line instead.")
  private boolean json;

  @Spec private CommandSpec spec;

  @Override
  public Integer call() throws IOException {
    if (tables.size() > TABLES_MAX) {
      throw new BadInputException("--table may be given " + TABLES_MAX + " times at most");
    }
    Target target = target();
    List<TablePlan> plans = new ArrayList<>();
    for (Path file : tables) {
      PerformanceTable table = wanted(file);
      Forecast forecast = forecast(file, table, target.statistic);
      plans.add(
          TablePlan.of(
              file.toString(),
              forecast,
              new Demand(load(file, table), target.statistic, target.millis)));
    }
    List<TablePlan> sorted = plans.stream().sorted(TablePlan.CHEAPEST).toList();
    TablePlan plan = sorted.getFirst();
    print(plan, sorted.subList(1, sorted.size()));
    return plan.isFound() ? ExitStatus.OK : ExitStatus.CHECK_FAILED;
  }

  private void print(TablePlan plan, List<TablePlan> others) {
    PrintWriter out = spec.commandLine().getOut();
    if (json) {
      out.println(PlanJson.of(plan, others));
    } else {
      PlanText.lines(plan, others).forEach(out::println);
    }
    out.flush();
  }

  private record Target(Statistic statistic, double millis) {}

  private Target target() {
    List<Target> targets = new ArrayList<>();
    add(targets, Statistic.MEAN, "--response-time", mean);
    add(targets, Statistic.P95, "--p95", p95);
    add(targets, Statistic.P99, "--p99", p99);
    if (targets.size() != 1) {
      throw new BadInputException(
          "give one of --response-time, --p95 and --p99: --response-time 40ms");
    }
    return targets.getFirst();
  }

  private static void add(
      List<Target> targets, Statistic statistic, String option, @Nullable String text) {
    if (text != null) {
      targets.add(new Target(statistic, Amount.millis(option, text)));
    }
  }

  /** A table that is of what is wanted. */
  private PerformanceTable wanted(Path file) throws IOException {
    PerformanceTable table = TableFiles.read(file);
    TableSubject wanted =
        new TableSubject(
            Optional.ofNullable(engine),
            Optional.ofNullable(nodeClass),
            Optional.ofNullable(workload),
            anyBuild ? Optional.empty() : Optional.of(Release.version()),
            OptionalDouble.empty(),
            OptionalLong.empty(),
            OptionalLong.empty(),
            OptionalDouble.empty());
    List<String> differences = table.subject().differencesFrom(wanted);
    if (!differences.isEmpty()) {
      String hint =
          differences.getFirst().startsWith("it was measured on build")
              ? ": measure it anew, or give --any-build"
              : "";
      throw new BadInputException(file + " does not fit: " + String.join("; ", differences) + hint);
    }
    return table;
  }

  private Forecast forecast(Path file, PerformanceTable table, Statistic statistic) {
    if (!table.has(statistic)) {
      throw new BadInputException(
          "%s does not have the %s of each cell, only means: give --response-time, or a table with them"
              .formatted(file, statistic.word()));
    }
    Forecast forecast = new Forecast(table, statistic, way);
    if (way == Way.CURVE && !forecast.byCurve()) {
      throw new BadInputException(
          file + " has too few cells for a curve: four, of two numbers of clients, are needed");
    }
    return forecast;
  }

  private Load load(Path file, PerformanceTable table) {
    Integer count = clients;
    Double perSecond = rate;
    if ((count == null) == (perSecond == null)) {
      throw new BadInputException("give the load, by either --clients or --rate: --clients 384");
    }
    if (count != null) {
      if (count < 1 || count > TableReader.CLIENTS_MAX) {
        throw new BadInputException(
            "--clients must be from 1 to %d, not %d".formatted(TableReader.CLIENTS_MAX, count));
      }
      return new Clients(count);
    }
    double operations = perSecond == null ? 0 : perSecond;
    if (!(operations > 0) || operations > RATE_MAX) {
      throw new BadInputException(
          "--rate must be above 0 and %.0f at most, not %s".formatted(RATE_MAX, operations));
    }
    return new Throughput(operations * recordBytes(file, table) / BYTES_PER_MEGABYTE);
  }

  private double recordBytes(Path file, PerformanceTable table) {
    String given = recordSize;
    if (given != null) {
      return Amount.bytes("--record-size", given);
    }
    OptionalLong measured = table.subject().recordBytes();
    if (measured.isEmpty()) {
      throw new BadInputException(
          file + " does not say how large its records are: give --record-size, as 1KB");
    }
    return measured.getAsLong();
  }
}
