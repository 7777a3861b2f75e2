package org.ecstore.tools.cli;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.ecstore.cluster.node.ExitStatus;
import org.ecstore.server.file.DirectoryInUseException;
import org.ecstore.server.file.FileErrors;
import org.ecstore.server.file.TemporaryDirectory;
import org.ecstore.tools.cli.cluster.RangeTable;
import org.ecstore.tools.quickstart.MalformedGraphException;
import org.ecstore.tools.quickstart.Quickstart;
import org.ecstore.tools.quickstart.Quickstart.Outcome;
import org.ecstore.tools.quickstart.SocialGraph;
import org.ecstore.tools.terminal.BadInputException;
import org.ecstore.tools.terminal.OptionBounds;
import org.ecstore.tools.terminal.PhaseBars;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code ecstore quickstart}: the first run, on a cluster in this process. */
@Command(
    name = "quickstart",
    description = {
      "Starts a cluster in this process and shows what it does.",
      "",
      "Loads the users of a social graph, makes their friendships by transactions of several"
          + " clients over TCP, scans all users forward and backward meanwhile, adds a node while"
          + " the work goes on, and checks that every friendship is symmetric and none is lost."
          + " Exit status 1 if one is not."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  ecstore quickstart",
      "  ecstore quickstart --edges friends.txt --clients 16 --dir data"
    })
final class QuickstartCommand implements Callable<Integer> {
  private static final int NODES_MAX = 32;
  private static final int CLIENTS_MAX = 1_000;

  @Option(
      names = "--edges",
      paramLabel = "FILE",
      description =
          "The graph: two user ids a line. If not given, the one that comes with ecStore: "
              + "Zachary's karate club.")
  private @Nullable Path edges;

  @Option(
      names = "--dir",
      paramLabel = "DIR",
      description =
          "Where the cluster keeps its data; kept afterwards, and opened again if it is there. If "
              + "not given, a temporary directory, removed afterwards.")
  private @Nullable Path directory;

  @Option(
      names = "--nodes",
      paramLabel = "N",
      defaultValue = "3",
      description = "Nodes to begin with; ${DEFAULT-VALUE} if not given.")
  private int nodes;

  @Option(
      names = "--clients",
      paramLabel = "N",
      description =
          "Clients that befriend at the same time; if not given one for 16 friendships, up to 16. More"
              + " of them on a small graph want the same users at once, and conflict.")
  private @Nullable Integer wanted;

  /** As many as wanted, or as the graph has work for. */
  private int clients;

  @Option(names = "--json", description = "Print one JSON object as the last line instead.")
  private boolean json;

  @Spec private CommandSpec spec;

  @Override
  public Integer call() throws IOException, InterruptedException {
    OptionBounds.checkBetween("--nodes", nodes, 1, NODES_MAX);
    if (wanted != null) {
      OptionBounds.checkBetween("--clients", wanted, 1, CLIENTS_MAX);
    }
    SocialGraph graph = graph();
    clients = wanted == null ? Quickstart.clientsFor(graph) : wanted;
    PrintWriter out = spec.commandLine().getOut();
    PrintWriter err = spec.commandLine().getErr();
    if (graph.duplicates() + graph.selfEdges() > 0) {
      err.printf(
          Locale.ROOT,
          "%s: left out %,d repeated edges and %,d from a user to himself%n",
          graph.name(),
          graph.duplicates(),
          graph.selfEdges());
      err.flush();
    }
    Outcome outcome = run(graph);
    if (json) {
      out.println(toJson(outcome));
    } else {
      print(out, graph, outcome);
    }
    out.flush();
    return outcome.passed() ? ExitStatus.OK : ExitStatus.CHECK_FAILED;
  }

  private SocialGraph graph() throws IOException {
    try {
      return edges == null ? SocialGraph.karateClub() : SocialGraph.read(edges);
    } catch (MalformedGraphException e) {
      throw new BadInputException(String.valueOf(e.getMessage()));
    }
  }

  private Outcome run(SocialGraph graph) throws IOException, InterruptedException {
    Path given = directory;
    if (given != null) {
      checkWritable(given);
      return runIn(given, graph);
    }
    try (TemporaryDirectory temporary = TemporaryDirectory.create("ecstore-quickstart-")) {
      return runIn(temporary.path(), graph);
    }
  }

  private Outcome runIn(Path where, SocialGraph graph) throws IOException, InterruptedException {
    try (PhaseBars bars = new PhaseBars()) {
      return new Quickstart(graph, where, nodes, clients, bars).run();
    } catch (DirectoryInUseException e) {
      throw new BadInputException(String.valueOf(e.getMessage()));
    }
  }

  private static void checkWritable(Path given) {
    if (given.toString().isEmpty()) {
      throw new BadInputException("--dir is empty: give a directory, or leave it out");
    }
    try {
      Files.createDirectories(given);
      Files.delete(Files.createTempFile(given, "write-", ".probe"));
    } catch (FileSystemException e) {
      throw new BadInputException(
          "--dir " + given + " cannot be written to: " + FileErrors.reason(e));
    } catch (IOException e) {
      throw new BadInputException("--dir " + given + " cannot be written to: " + e.getMessage());
    }
  }

  private static ObjectNode toJson(Outcome outcome) {
    return JsonNodeFactory.instance
        .objectNode()
        .put("nodes", outcome.nodes())
        .put("users", outcome.users())
        .put("friendships", outcome.friendships())
        .put("committed", outcome.committed())
        .put("aborted", outcome.aborted())
        .put("retried", outcome.retried())
        .put("scannedRecords", outcome.scannedRecords())
        .put("asymmetric", outcome.asymmetric())
        .put("lost", outcome.lost())
        .put("seconds", rounded(seconds(outcome.total()), 1))
        .put("commitsPerSecond", rounded(rate(outcome), 1))
        .put("p50Millis", rounded(millis(outcome, 50), 3))
        .put("p99Millis", rounded(millis(outcome, 99), 3));
  }

  private static double rounded(double value, int digits) {
    double unit = Math.pow(10, digits);
    return Math.round(value * unit) / unit;
  }

  private static double seconds(Duration duration) {
    return duration.toNanos() / 1e9;
  }

  private static double rate(Outcome outcome) {
    return outcome.committed() / Math.max(1e-9, seconds(outcome.befriending()));
  }

  private static double millis(Outcome outcome, double percentile) {
    return outcome.micros().getValueAtPercentile(percentile) / 1e3;
  }

  private void print(PrintWriter out, SocialGraph graph, Outcome outcome) {
    line(
        out,
        "graph",
        "%s: %,d users, %,d friendships",
        graph.name(),
        outcome.users(),
        outcome.friendships());
    line(out, "loaded", "all users in %.1f s", seconds(outcome.loading()));
    line(
        out,
        "befriended",
        "%,d pairs in %.1f s by %d clients: %,.0f a second, half within %.1f ms, 99%% within %.1f"
            + " ms",
        outcome.committed(),
        seconds(outcome.befriending()),
        clients,
        rate(outcome),
        millis(outcome, 50),
        millis(outcome, 99));
    if (outcome.foundThere() > 0) {
      line(out, "", "%,d were friends already", outcome.foundThere());
    }
    line(
        out,
        "conflicts",
        "%,d commits aborted, %,d tries repeated",
        outcome.aborted(),
        outcome.retried());
    line(
        out,
        "scanned",
        "%,d records in %,d snapshots of all users, forward and backward",
        outcome.scannedRecords(),
        outcome.scans());
    outcome
        .newcomer()
        .ifPresent(
            newcomer ->
                line(
                    out,
                    "joined",
                    "%s while the work went on, and served after %.1f s",
                    newcomer.node(),
                    seconds(newcomer.took())));
    line(
        out,
        outcome.passed() ? "checked" : "FAILED",
        "%,d friendships asymmetric, %,d lost",
        outcome.asymmetric(),
        outcome.lost());
    out.println();
    out.println("where the users live");
    List<String> table = RangeTable.lines(outcome.status());
    table.forEach(out::println);
    if (directory != null) {
      out.println();
      out.println("kept in " + directory);
    }
  }

  private static void line(PrintWriter out, String head, String format, Object... values) {
    out.printf(Locale.ROOT, "%-11s ", head);
    out.printf(Locale.ROOT, format + "%n", values);
  }
}
