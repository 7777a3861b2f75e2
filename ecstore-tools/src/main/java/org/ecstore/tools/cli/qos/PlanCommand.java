package org.ecstore.tools.cli.qos;

import java.io.IOException;
import java.io.PrintWriter;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.concurrent.Callable;
import org.ecstore.cluster.node.ExitStatus;
import org.ecstore.model.objective.OfferedLoad.ClientCount;
import org.ecstore.model.objective.OfferedLoad.OperationRate;
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
      "  ecstore qos plan --table FILE --rate 4000 --record-size 1KB --p99 20ms --json",
      "  ecstore qos plan --table FILE --slo slo.toml --application shop"
    })
final class PlanCommand implements Callable<Integer> {
  private static final int TABLES_MAX = 64;

  /** Of nodes whose engine nothing is said of. */
  private static final String USUAL_ENGINE = "je";

  private static final double BYTES_PER_MEGABYTE = 1e6;

  @Option(
      names = "--table",
      paramLabel = "FILE",
      required = true,
      description = "A performance table: CSV of clients, servers, ms, MB/s. May be repeated.")
  private List<Path> tables = List.of();

  @Option(
      names = "--slo",
      paramLabel = "FILE",
      description =
          "The load and the response times of an objective of this file instead: see slo set"
              + " --help.")
  private @Nullable Path slo;

  @Option(
      names = "--application",
      paramLabel = "NAME",
      description = "Which objective, if there are several in the file.")
  private @Nullable String application;

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
    PlannedObjective wanted = wanted();
    List<TablePlan> plans = new ArrayList<>();
    for (Path file : tables) {
      plans.add(hardest(file, fitting(file, wanted), wanted));
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
      provisioning(plan).ifPresent(out::println);
    }
    out.flush();
  }

  /** What makes such a cluster here, of a plan that was found for objectives of a file. */
  private Optional<String> provisioning(TablePlan plan) {
    Path file = slo;
    if (file == null || !plan.isFound()) {
      return Optional.empty();
    }
    TableSubject of = plan.subject();
    StringBuilder made = new StringBuilder("  make it by            ecstore cluster up --slo ");
    made.append(quoted(file.toString()));
    boolean isUsual = of.engine().filter(kind -> !kind.equals(USUAL_ENGINE)).isEmpty();
    made.append(
        isUsual
            ? " --nodes " + plan.nodes()
            : " --hosts %d --engines %s --relaxed"
                .formatted(plan.nodes(), of.engine().orElseThrow()));
    of.nodeClass().ifPresent(name -> made.append(" --class ").append(quoted(name)));
    of.capacity()
        .filter(capacity -> !capacity.equals(TableSubject.WHOLE))
        .ifPresent(capacity -> made.append(" --capacity ").append(capacity));
    if (of.nodePrice().isPresent()) {
      made.append(" --price ")
          .append(BigDecimal.valueOf(of.nodePrice().getAsDouble()).toPlainString());
    }
    return Optional.of(made.append(" --dir DIR").toString());
  }

  /** As a shell takes it. */
  private static String quoted(String word) {
    return word.matches("[A-Za-z0-9._/+-]+") ? word : "'" + word.replace("'", "'\\''") + "'";
  }

  /** Of several response times, the plan of the one that needs most nodes. */
  private TablePlan hardest(Path file, PerformanceTable table, PlannedObjective wanted) {
    return wanted.targets().stream()
        .map(
            target ->
                TablePlan.of(
                    file.toString(),
                    forecast(file, table, target.statistic()),
                    new Demand(load(file, table, wanted), target.statistic(), target.millis())))
        .max(Comparator.comparingInt(TablePlan::nodes))
        .orElseThrow();
  }

  private PlannedObjective wanted() throws IOException {
    Path file = slo;
    if (file == null) {
      if (application != null) {
        throw new BadInputException("--application is one of --slo FILE: give that");
      }
      return PlannedObjective.ofOptions(clients, rate, recordSize, mean, p95, p99);
    }
    boolean isOwn =
        clients != null
            || rate != null
            || recordSize != null
            || mean != null
            || p95 != null
            || p99 != null;
    if (isOwn) {
      throw new BadInputException("--slo has load and response times: give them there alone");
    }
    return PlannedObjective.ofFile(file, application);
  }

  /** A table that is of what is wanted. */
  private PerformanceTable fitting(Path file, PlannedObjective of) throws IOException {
    PerformanceTable table = TableFiles.read(file);
    TableSubject wanted =
        new TableSubject(
            Optional.ofNullable(engine),
            Optional.ofNullable(nodeClass),
            Optional.ofNullable(workload),
            anyBuild ? Optional.empty() : Optional.of(Release.version()),
            Optional.empty(),
            OptionalDouble.empty(),
            OptionalLong.empty(),
            OptionalLong.empty(),
            OptionalDouble.empty());
    List<String> differences = new ArrayList<>(table.subject().differencesFrom(wanted));
    differences.addAll(of.differences(table.subject()));
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

  private static Load load(Path file, PerformanceTable table, PlannedObjective wanted) {
    return switch (wanted.load()) {
      case ClientCount(var count) -> {
        if (count > TableReader.CLIENTS_MAX) {
          throw new BadInputException(
              "clients are from 1 to %d, not %d".formatted(TableReader.CLIENTS_MAX, count));
        }
        yield new Clients(count);
      }
      case OperationRate(var perSecond) ->
          new Throughput(perSecond * recordBytes(file, table, wanted) / BYTES_PER_MEGABYTE);
    };
  }

  private static double recordBytes(Path file, PerformanceTable table, PlannedObjective wanted) {
    if (wanted.recordBytes().isPresent()) {
      return wanted.recordBytes().getAsLong();
    }
    OptionalLong measured = table.subject().recordBytes();
    if (measured.isEmpty()) {
      throw new BadInputException(
          file + " does not say how large its records are: give --record-size, as 1KB");
    }
    return measured.getAsLong();
  }
}
