package org.ecstore.bench.cli;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.ecstore.bench.cli.ComparisonRun.Entrant;
import org.ecstore.bench.compare.Cell;
import org.ecstore.bench.compare.Comparison;
import org.ecstore.bench.compare.ComparisonTable;
import org.ecstore.bench.figure.Claim;
import org.ecstore.bench.figure.FigureReport;
import org.ecstore.bench.mycassandra.Mix;
import org.ecstore.bench.mycassandra.MyCassandraClaims;
import org.ecstore.bench.plot.Plots;
import org.ecstore.bench.store.EcStoreTarget;
import org.ecstore.cluster.node.ExitStatus;
import org.ecstore.tools.terminal.Engines;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code ecstore bench mycassandra}. */
@Command(
    name = "mycassandra",
    description = {
      "Runs the experiment of MyCassandra (SYSTOR 2012).",
      "",
      "Clusters of one kind of engine, rocksdb, mysql and redis, one in which each host has a node"
          + " of every kind, and three nodes of Cassandra, in turns: the mixes write-only,"
          + " write-heavy (half reads), read-heavy (95 %% reads) and read-only, of records of 1000"
          + " bytes, throughput with all clients, latency at a fixed rate. Says which claims of the"
          + " papers hold here. A claim that does not is a result, not a failure. It takes five"
          + " rounds to show one, about an hour; 16 GiB of memory, with the heap that nodes have if"
          + " none is given."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  ecstore bench mycassandra --out mycassandra",
      "  ecstore bench mycassandra --rounds 1 --records 5000 --seconds 3 --warm-up 2    a look"
    })
final class MyCassandraCommand implements Callable<Integer> {
  private static final String WRITING = "rocksdb";
  private static final String READING = "mysql";
  private static final String MEMORY = "redis";
  private static final String PEER = "cassandra3";
  private static final int RATE_MAX = 1_000_000;
  private static final int HOSTS_MAX = 32;

  /** All clusters are there at once, and the paper reads and writes by quorums. */
  private static final Map<String, String> DEFAULTS =
      Map.of(
          "--heap", "512",
          "--cache", "64",
          "--records", "20000",
          "--rounds", "5",
          "--seconds", "8",
          "--warm-up", "6",
          "--prepare", "8",
          "--level", "quorum-3-2-2");

  @Spec private CommandSpec spec;
  @Mixin private NodeOptions nodes = new NodeOptions();
  @Mixin private ComparisonOptions options = new ComparisonOptions();

  @Option(
      names = "--hosts",
      paramLabel = "H",
      defaultValue = "3",
      description = "Hosts of each cluster of ecStore. ${DEFAULT-VALUE}.")
  private int hosts;

  @Option(
      names = "--rate",
      paramLabel = "R",
      defaultValue = "200",
      description =
          "Operations that begin each second where latency is measured. ${DEFAULT-VALUE}.")
  private int rate;

  @Option(names = "--no-cassandra", description = "Leave Cassandra out, and what is said of it.")
  private boolean isWithoutPeer;

  @Option(
      names = "--out",
      paramLabel = "DIR",
      description = "Where plots and all numbers (JSON) go; made if it is not there.")
  private @Nullable Path directory;

  /** Gives it its own values where none is given. */
  static void adjust(CommandSpec spec) {
    spec.defaultValueProvider(
        argument ->
            argument instanceof OptionSpec option ? DEFAULTS.get(option.longestName()) : null);
  }

  @Override
  public Integer call() throws IOException, InterruptedException {
    String wrong = options.wrong().isEmpty() ? nodes.wrong() : options.wrong();
    if (hosts < 1 || hosts > HOSTS_MAX) {
      wrong = "--hosts is from 1 to " + HOSTS_MAX + ", not " + hosts;
    }
    if (rate < 1 || rate > RATE_MAX) {
      wrong = "--rate is from 1 to " + RATE_MAX + " a second, not " + rate;
    }
    if (!wrong.isEmpty()) {
      throw new ParameterException(spec.commandLine(), wrong);
    }
    if (directory != null) {
      Files.createDirectories(directory);
    }
    Comparison comparison = new ComparisonRun(spec, nodes, hosts, options).run(entrants(), cells());
    ObjectNode json = comparison.json();
    List<FigureReport> reports =
        MyCassandraClaims.reports(
            json,
            new MyCassandraClaims.Clusters(
                EcStoreTarget.nameOn(List.of(WRITING)),
                EcStoreTarget.nameOn(List.of(READING)),
                EcStoreTarget.nameOn(List.of(MEMORY)),
                EcStoreTarget.nameOn(List.of(WRITING, READING, MEMORY)),
                PEER),
            rate);
    json.set("claims", claims(reports));
    PrintWriter out = spec.commandLine().getOut();
    if (options.json) {
      out.println(json);
    } else {
      new ComparisonTable(out).print(json);
      print(out, reports);
    }
    out.flush();
    keep(json, reports);
    return comparison.isClean() ? ExitStatus.OK : ExitStatus.CHECK_FAILED;
  }

  private List<Entrant> entrants() {
    List<Entrant> entrants = new ArrayList<>();
    for (List<String> kinds :
        List.of(
            List.of(WRITING, READING, MEMORY),
            List.of(WRITING),
            List.of(READING),
            List.of(MEMORY))) {
      entrants.add(Entrant.of(EcStoreTarget.nameOn(kinds), Engines.of(hosts, kinds, true)));
    }
    if (!isWithoutPeer) {
      entrants.add(Entrant.of(PEER, Optional.empty()));
    }
    return entrants;
  }

  private List<Cell> cells() {
    List<Cell> cells = new ArrayList<>();
    for (Mix mix : Mix.values()) {
      Cell cell = Cell.of(mix.workload(), options.clients);
      cells.add(cell);
      cells.add(cell.at(rate));
    }
    return cells;
  }

  private void keep(ObjectNode json, List<FigureReport> reports) throws IOException {
    if (directory == null) {
      return;
    }
    Files.writeString(directory.resolve("mycassandra.json"), json.toPrettyString() + "\n");
    for (FigureReport report : reports) {
      Plots.draw(report, directory);
    }
  }

  private static ArrayNode claims(List<FigureReport> reports) {
    ArrayNode all = new com.fasterxml.jackson.databind.ObjectMapper().createArrayNode();
    for (FigureReport report : reports) {
      for (Claim claim : report.claims()) {
        all.addObject()
            .put("about", report.title())
            .put("paper", claim.paper())
            .put("verdict", claim.verdict().words())
            .put("found", claim.found())
            .put("decided", claim.decided());
      }
    }
    return all;
  }

  private static void print(PrintWriter out, List<FigureReport> reports) {
    for (FigureReport report : reports) {
      out.printf("%n%s%n", report.title());
      for (Claim claim : report.claims()) {
        out.printf("  %-14s  %s%n", claim.verdict().words(), claim.paper());
        out.printf("                  medians: %s%n", claim.found());
        out.printf("                  decided at %s%n", claim.decided());
      }
    }
  }
}
