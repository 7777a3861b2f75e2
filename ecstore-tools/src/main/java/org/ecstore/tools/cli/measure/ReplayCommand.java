package org.ecstore.tools.cli.measure;

import java.io.IOException;
import java.util.concurrent.Callable;
import org.ecstore.cluster.node.ExitStatus;
import org.ecstore.server.ReplicationSettings;
import org.ecstore.tools.terminal.OptionBounds;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
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
          + " cluster of processes; clients write values of 100 bytes under a million keys. One"
          + " node that is not the sequencer gets SIGKILL, the others go on until the ledger has so"
          + " many records that it lacks, the clients rest (--loaded: go on), and it is started.",
      "",
      "startMillis is from there until it answers, replayMillis from then until every copy on it is"
          + " closed where the ledger ended as it was started; waitMillis of that went by before the"
          + " first records were in its window, while it found the other nodes, the map and the end"
          + " of the ledger. By the node's own metric ecstore.replay.time: ledgerMillis it waited"
          + " for the ledger, decodeMillis it decoded records, windowMillis it brought writes into"
          + " the window or waited for room there, beside reading on; parts is how many parts of"
          + " the ledger it read, the same one once for each of the copies that read apart."
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

  @Mixin private ProcessOptions cluster = new ProcessOptions(3);

  @Spec private CommandSpec spec;

  @Override
  public Integer call() throws IOException, InterruptedException {
    int nodes = cluster.nodes();
    OptionBounds.checkBetween("--commits", commits, 1, COMMITS_MAX);
    OptionBounds.checkBetween("--clients", clients, 1, CLIENTS_MAX);
    OptionBounds.checkBetween("--rounds", rounds, 1, ROUNDS_MAX);
    ReplicationSettings replication =
        cluster.replicationOfSeveral(
            "nothing is committed to the only copy of a range while its node is away");
    cluster.measure(
        spec.commandLine().getOut(),
        rounds,
        measurements -> measurements.replay(nodes, replication, commits, clients, loaded, rounds));
    return ExitStatus.OK;
  }
}
