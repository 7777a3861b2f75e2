package org.ecstore.tools.cli.measure;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicBoolean;
import org.ecstore.cluster.node.ExitStatus;
import org.ecstore.server.ReplicationSettings;
import org.ecstore.tools.measure.Measurements;
import org.ecstore.tools.terminal.OptionBounds;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code ecstore measure liveness}: a lease is held and a member is frozen under full load. */
@Command(
    name = "liveness",
    description = {
      "Whether a cluster goes on while a snapshot is held open and a member is frozen.",
      "",
      "A cluster of processes; clients write values of 100 bytes under a million keys as fast as"
          + " they can. One node that is not the sequencer gets SIGSTOP: its process is there, and"
          + " answers nothing. One snapshot is kept open and read from; where a node has no room"
          + " any more for what it reads it ends (leasesTooOld), and another one is begun."
          + " longestLeaseSeconds is how long one of them answered. After --long-failure the copies"
          + " of the frozen member are given up, and the ledger is trimmed again.",
      "",
      "Some 60 times the run takes down commits, the position below which the ledger is trimmed,"
          + " and of the nodes that live the largest window of versions, lag of folds and heap"
          + " after a collection. It is judged by its second half: commitsGoOn if each sample has"
          + " commits, at least half as many a second as in the quarter before; trimMovesOn if the"
          + " ledger is trimmed further at the end; memoryFlat if a line of least squares through"
          + " the heap rises by no more than 3 %% of its mean a minute, and no window is larger"
          + " than the eighth of the heap that it has. leaseHeld: a snapshot has answered; without"
          + " one the run shows nothing of it.",
      "",
      "Exit status 0 only if all four are so. Runs below some minutes say little of memory."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  ecstore measure liveness --seconds 600 --json",
      "  ecstore measure liveness --seconds 120 --long-failure 20"
    })
final class LivenessCommand implements Callable<Integer> {
  private static final int SECONDS_MIN = 8;
  private static final int SECONDS_MAX = 86_400;
  private static final int CLIENTS_MAX = 10_000;

  @Option(
      names = "--seconds",
      paramLabel = "S",
      defaultValue = "600",
      description = "How long the member is frozen; ${DEFAULT-VALUE} if not given.")
  private int seconds;

  @Option(
      names = "--long-failure",
      paramLabel = "S",
      description =
          "Seconds after which its copies are given up, as replication.long-failure; a tenth of"
              + " --seconds if not given.")
  private @Nullable Integer longFailure;

  @Option(
      names = "--clients",
      paramLabel = "N",
      defaultValue = "64",
      description = "Clients that commit at a time; ${DEFAULT-VALUE} if not given.")
  private int clients;

  @Mixin private ProcessOptions cluster = new ProcessOptions(3);

  @Spec private CommandSpec spec;

  @Override
  public Integer call() throws IOException, InterruptedException {
    int nodes = cluster.nodes();
    OptionBounds.checkBetween("--seconds", seconds, SECONDS_MIN, SECONDS_MAX);
    OptionBounds.checkBetween("--clients", clients, 1, CLIENTS_MAX);
    int away = longFailure == null ? Math.max(1, seconds / 10) : longFailure;
    OptionBounds.checkBetween("--long-failure", away, 1, SECONDS_MAX);
    ReplicationSettings replication =
        cluster.replicationOfSeveral(
            "nothing is committed to the only copy of a range while its node is frozen");
    AtomicBoolean kept = new AtomicBoolean();
    cluster.measure(
        spec.commandLine().getOut(),
        Measurements.livenessSteps(seconds),
        measurements ->
            measurements.liveness(
                nodes, replication, clients, seconds, Duration.ofSeconds(away), kept::set));
    return kept.get() ? ExitStatus.OK : ExitStatus.CHECK_FAILED;
  }
}
