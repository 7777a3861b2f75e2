package org.ecstore.tools.cli;

import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.ecstore.cluster.node.ExitStatus;
import org.ecstore.server.ReplicationSettings;
import org.ecstore.server.file.TemporaryDirectory;
import org.ecstore.tools.measure.MeasurementReport;
import org.ecstore.tools.measure.Measurements;
import org.ecstore.tools.terminal.BadInputException;
import org.ecstore.tools.terminal.Copies;
import org.ecstore.tools.terminal.TerminalProgress;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code ecstore measure replay}: what a restart reads of the ledger again. */
@Command(
    name = "replay",
    description = {
      "How long a node that is started again replays its window of versions.",
      "",
      "What a node has applied and not yet folded into its store is in memory and in the ledger. A"
          + " cluster of processes; clients write values of 100 bytes under a million keys. One node"
          + " that is not the sequencer gets SIGKILL, the others go on until the ledger has so many"
          + " records that it lacks, the clients rest (--loaded: go on), and it is started.",
      "",
      "startMillis is from there until it answers, replayMillis from then until every copy on it is"
          + " closed where the ledger ended as it was started. By the node's own metric"
          + " ecstore.replay.time: ledgerMillis it waited for the ledger, decodeMillis it decoded"
          + " records, windowMillis it brought writes into the window or waited for room there."
          + " records are those above what it had folded. Nodes get memory as cluster up gives it"
          + " them: with less a replay folds as it goes, which takes longer."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  ecstore measure replay --commits 300000 --rounds 5 --json",
      "  ecstore measure replay --commits 20000 --loaded"
    })
final class ReplayCommand implements Callable<Integer> {
  private static final long COMMITS_MAX = 4_000_000;
  private static final int CLIENTS_MAX = 10_000;
  private static final int ROUNDS_MAX = 1_000;

  @Option(
      names = "--commits",
      paramLabel = "N",
      defaultValue = "300000",
      description = "Records that the node lacks; ${DEFAULT-VALUE} if not given.")
  private long commits;

  @Option(
      names = "--nodes",
      paramLabel = "N",
      defaultValue = "3",
      description = "Nodes, from 3 on; ${DEFAULT-VALUE} if not given.")
  private int nodes;

  @Option(
      names = "--copies",
      paramLabel = "K",
      description = "Copies of each range, from 2 on; 3 if not given.")
  private @Nullable Integer copies;

  @Option(
      names = "--clients",
      paramLabel = "N",
      defaultValue = "128",
      description = "Clients that commit at a time; ${DEFAULT-VALUE} if not given.")
  private int clients;

  @Option(
      names = "--rounds",
      paramLabel = "R",
      defaultValue = "3",
      description = "How often; ${DEFAULT-VALUE} if not given.")
  private int rounds;

  @Option(names = "--loaded", description = "Clients go on while the node replays.")
  private boolean loaded;

  @Option(
      names = "--dir",
      paramLabel = "DIR",
      description =
          "Where the cluster keeps its data and logs: empty or not there; kept. If not given, a"
              + " temporary one.")
  private @Nullable Path dir;

  @Option(names = "--json", description = "Print one JSON object as the last line instead.")
  private boolean json;

  @Spec private CommandSpec spec;

  @Override
  public Integer call() throws IOException, InterruptedException {
    checkBetween("--nodes", nodes, 3, 32);
    checkBetween("--commits", commits, 1, COMMITS_MAX);
    checkBetween("--clients", clients, 1, CLIENTS_MAX);
    checkBetween("--rounds", rounds, 1, ROUNDS_MAX);
    ReplicationSettings replication = Copies.of(nodes, copies);
    if (replication.copiesOf(nodes) < 2) {
      throw new BadInputException(
          "--copies must be at least 2: nothing is committed to the only copy of a range while its"
              + " node is away");
    }
    try (TemporaryDirectory directory = TemporaryDirectory.create("ecstore-measure");
        TerminalProgress bar = TerminalProgress.start("measure", rounds)) {
      Path home = dir == null ? directory.path() : dir;
      print(
          spec,
          new Measurements(home, bar::step)
              .replay(nodes, replication, commits, clients, loaded, rounds),
          json);
    }
    return ExitStatus.OK;
  }

  static void print(CommandSpec spec, MeasurementReport report, boolean json) {
    if (json) {
      spec.commandLine().getOut().println(report.json());
    } else {
      spec.commandLine().getOut().print(report.table());
    }
    spec.commandLine().getOut().flush();
  }

  static void checkBetween(String option, long value, long least, long most) {
    if (value < least || value > most) {
      throw new BadInputException(
          "%s must be from %d to %d, not %d".formatted(option, least, most, value));
    }
  }
}
