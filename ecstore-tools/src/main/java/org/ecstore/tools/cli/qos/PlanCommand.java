package org.ecstore.tools.cli.qos;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.PrintWriter;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.Callable;
import org.ecstore.check.PlainText;
import org.ecstore.cluster.node.ExitStatus;
import org.ecstore.cluster.node.Machine;
import org.ecstore.engines.kind.EngineKinds;
import org.ecstore.server.Release;
import org.ecstore.server.print.LogText;
import org.ecstore.tools.cli.cluster.ClusterAccess;
import org.ecstore.tools.cli.cluster.ClusterOptions;
import org.ecstore.tools.plan.PlanJson;
import org.ecstore.tools.plan.PlanTables;
import org.ecstore.tools.plan.PlanText;
import org.ecstore.tools.plan.PlannedNodes;
import org.ecstore.tools.plan.PlannedObjective;
import org.ecstore.tools.plan.TablePlan;
import org.ecstore.tools.plan.TablePlanner;
import org.ecstore.tools.plan.TablePlanner.Weighed;
import org.ecstore.tools.terminal.BadInputException;
import org.ecstore.tools.terminal.EngineNames;
import org.ecstore.tools.terminal.OptionBounds;
import org.ecstore.txn.qos.predict.Forecast.Way;
import org.ecstore.txn.qos.table.SubjectText;
import org.ecstore.txn.qos.table.TableSetting;
import org.ecstore.txn.qos.table.TableSubject;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
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
          + " build, node class, engine, workload or number of copies than wanted is refused, and"
          + " one of a machine with more or fewer processors than this one; one of a directory, or"
          + " of a cluster, is left out. Nodes of --at may be on other machines: their tables may"
          + " be of any.",
      "",
      "Without --table those are weighed that the cluster of --dir or --at keeps (qos table use);"
          + " where it keeps none, or no cluster is named, those of ./tables, where qos measure"
          + " --out tables writes them."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  ecstore qos plan --table FILE --clients 384 --response-time 40ms",
      "  ecstore qos plan --table FILE --rate 4000 --record-size 1KB --p99 20ms --json",
      "  ecstore qos plan --table FILE --slo slo.toml --application shop",
      "  ecstore qos plan --slo shop.toml                 by the tables of ./tables",
      "  ecstore qos plan --slo shop.toml --dir data      by those that a cluster keeps"
    })
final class PlanCommand implements Callable<Integer> {
  /** Of nodes whose engine nothing is said of. */
  private static final String USUAL_ENGINE = "je";

  @Option(
      names = "--table",
      paramLabel = "FILE|DIR",
      description =
          "A performance table: CSV of clients, servers, ms, MB/s; or a directory, of which all"
              + " are weighed that fit. May be repeated.")
  private List<Path> given = List.of();

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
  private @Nullable BigDecimal rate;

  @Option(
      names = "--record-size",
      paramLabel = "SIZE",
      description =
          "One record: 1KB. A table of records more than twice as large, or less than half, is"
              + " refused. What an operation of --rate moves, if the table does not say.")
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

  @Option(
      names = "--engine",
      paramLabel = "KIND",
      completionCandidates = EngineNames.class,
      description = "The engine that is wanted: ${COMPLETION-CANDIDATES}.")
  private @Nullable String engine;

  @Option(names = "--class", paramLabel = "NAME", description = "The node.class that is wanted.")
  private @Nullable String nodeClass;

  @Option(names = "--workload", paramLabel = "NAME", description = "The workload that is meant.")
  private @Nullable String workload;

  @Option(
      names = "--copies",
      paramLabel = "K",
      description = "The copies of each range that are wanted.")
  private @Nullable Integer copies;

  @Option(
      names = "--any-machine",
      description = "Use tables of machines with more or fewer processors too.")
  private boolean anyMachine;

  @Option(
      names = "--any-build",
      description = "Use tables of other builds too: what they say may no longer be so.")
  private boolean anyBuild;

  @Option(names = "--json", description = "Print one JSON object as the last line instead.")
  private boolean json;

  /** Whether tables are those that a cluster keeps, which have no files. */
  private boolean isOfCluster;

  @Mixin private ClusterOptions cluster = new ClusterOptions();
  @Spec private CommandSpec spec;

  @Override
  public Integer call() throws IOException, InterruptedException {
    if (copies != null) {
      OptionBounds.checkAtLeast("--copies", copies, 1);
    }
    PlannedObjective wanted = wanted();
    Weighed weighed = new TablePlanner(wanted, subject(), way).weigh(tables());
    print(weighed);
    return weighed.best().isFound() ? ExitStatus.OK : ExitStatus.CHECK_FAILED;
  }

  /** Those given, else those that the cluster keeps, else those where they are measured to. */
  private PlanTables tables() throws IOException, InterruptedException {
    ClusterAccess access = cluster.access();
    boolean isCluster = access.directory().isPresent() || access.nodes().isPresent();
    if (!given.isEmpty()) {
      if (isCluster) {
        throw new BadInputException(
            "--table has the tables, and so has the cluster of --dir or --at: give one of these");
      }
      return PlanTables.of(given);
    }
    Optional<PlanTables> found = isCluster ? KeptTables.of(access) : Optional.empty();
    isOfCluster = found.isPresent();
    if (found.isEmpty()) {
      found = PlanTables.usual(Path.of(""));
    }
    return found.orElseThrow(
        () ->
            new BadInputException(
                "there is no table to plan by%s, and none in ./%s: measure some, by \"ecstore qos measure --out %s\", or give one by --table FILE"
                    .formatted(
                        isCluster ? ": the cluster keeps none (qos table use)" : "",
                        PlanTables.USUAL,
                        PlanTables.USUAL)));
  }

  /** What tables have to be of. */
  private TableSubject subject() {
    if (engine != null && !EngineKinds.names().contains(engine)) {
      throw new BadInputException(
          "--engine is one of %s, not \"%s\""
              .formatted(String.join(", ", EngineKinds.names()), LogText.of(engine)));
    }
    return TableSubject.UNKNOWN
        .with(SubjectText.ENGINE, Optional.ofNullable(engine))
        .with(SubjectText.NODE_CLASS, Optional.ofNullable(nodeClass))
        .with(SubjectText.WORKLOAD, Optional.ofNullable(workload))
        .with(SubjectText.BUILD, anyBuild ? Optional.empty() : Optional.of(Release.version()))
        .by(
            new TableSetting(
                copies == null ? OptionalInt.empty() : OptionalInt.of(copies),
                processors(),
                List.of()));
  }

  /** Of this machine, unless nodes are elsewhere. */
  private OptionalInt processors() {
    return anyMachine || cluster.access().nodes().isPresent()
        ? OptionalInt.empty()
        : OptionalInt.of(Machine.here().processors());
  }

  private void print(Weighed weighed) {
    PrintWriter out = spec.commandLine().getOut();
    if (json) {
      ObjectNode object = PlanJson.of(weighed.best(), weighed.others());
      ArrayNode leftOut = object.putArray("leftOut");
      for (String why : weighed.leftOut()) {
        leftOut.add(why);
      }
      out.println(object);
    } else {
      List<String> lines = new ArrayList<>(PlanText.lines(weighed.best(), weighed.others()));
      weighed.leftOut().forEach(why -> lines.add("  left out: " + why));
      provisioning(weighed.best()).ifPresent(lines::add);
      lines.forEach(line -> out.println(PlainText.escaped(line)));
    }
    out.flush();
  }

  /** What makes such a cluster here, of a plan that was found for objectives of a file. */
  private Optional<String> provisioning(TablePlan plan) {
    Path file = slo;
    if (file == null || !plan.isFound()) {
      return Optional.empty();
    }
    StringBuilder made = new StringBuilder("  make it by            ecstore cluster up --slo ");
    made.append(quoted(file.toString()));
    if (isPlannedAgain(plan)) {
      made.append(" --table ").append(quoted(plan.file()));
      if (application != null) {
        made.append(" --application ").append(quoted(application));
      }
    } else {
      likeNodes(made, plan);
    }
    if (copies != null) {
      made.append(" --copies ").append(Math.min(copies, plan.nodes()));
    }
    return Optional.of(made.append(" --dir DIR").toString());
  }

  /** Whether {@code cluster up} would make the same plan by the table, on this machine. */
  private boolean isPlannedAgain(TablePlan plan) {
    TableSubject here =
        TableSubject.UNKNOWN
            .ofBuild(Release.version())
            .by(
                new TableSetting(
                    OptionalInt.empty(), OptionalInt.of(Machine.here().processors()), List.of()));
    return !isOfCluster && way == Way.BETTER && plan.subject().differencesFrom(here).isEmpty();
  }

  /** The options of nodes like those of the plan. */
  private static void likeNodes(StringBuilder made, TablePlan plan) {
    TableSubject of = plan.subject();
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
    PlannedNodes.price(of)
        .ifPresent(price -> made.append(" --price ").append(price.toPlainString()));
  }

  /** As a shell takes it. */
  private static String quoted(String word) {
    return word.matches("[A-Za-z0-9._/+-]+") ? word : "'" + word.replace("'", "'\\''") + "'";
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
}
