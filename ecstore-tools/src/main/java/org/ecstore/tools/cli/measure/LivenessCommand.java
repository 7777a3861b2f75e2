package org.ecstore.tools.cli.measure;

import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicBoolean;
import org.ecstore.cluster.layout.EngineMix;
import org.ecstore.cluster.node.ExitStatus;
import org.ecstore.server.ReplicationSettings;
import org.ecstore.tools.measure.Measurements;
import org.ecstore.tools.measure.Measurements.LivenessFault;
import org.ecstore.tools.measure.Measurements.LivenessSettings;
import org.ecstore.tools.terminal.BadInputException;
import org.ecstore.tools.terminal.OptionBounds;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/**
 * {@code ecstore measure liveness}: a lease is held and a member, or its database server, is frozen
 * under full load.
 */
@Command(
    name = "liveness",
    description = {
      "Whether a cluster goes on while a snapshot is held open and a member is frozen, or has no"
          + " database.",
      "",
      "A cluster of processes; clients write values of 100 bytes under a million keys as fast as"
          + " they can. One node that is not the sequencer gets SIGSTOP: its process is there, and"
          + " answers nothing. One snapshot is kept open and read from; where a node has no room"
          + " any more for what it reads it ends (leasesTooOld), and another one is begun."
          + " longestLeaseSeconds is how long one of them answered. After --long-failure the copies"
          + " of the frozen member are given up, and the ledger is trimmed again.",
      "",
      "With --stop-database or --kill-database the node lives, and its database server is frozen"
          + " or ended: of the nodes that have one and are not the sequencer, below the one that"
          + " serves most ranges. Memory is that of all nodes then. takenOverSeconds is after what"
          + " time no range had that node as its primary (rangesOfNode had before),"
          + " copiesGivenUpSeconds the same of all its copies. At the end the server goes on, or is"
          + " started again, under the same load: wholeAgainSeconds is from there until every range"
          + " has all its copies and the node's engine takes writes; copiesOfNode are on the node"
          + " then, none where others have them all. Two more must hold then: takenOver, and"
          + " wholeAgain, for which as long is waited as the run took, and two minutes at least."
          + " Where no other copy persists the ledger is kept whole.",
      "",
      "Some 60 times the run takes down commits, the position below which the ledger is trimmed,"
          + " and of the nodes that live the largest window of versions, lag of folds and heap"
          + " after a collection. It is judged by its second half: commitsGoOn if each sample has"
          + " commits, at least half as many a second as in the quarter before; trimMovesOn if the"
          + " ledger is trimmed further at the end, and of the last quarter it keeps (ledgerKept)"
          + " no more than 1.1 times what it kept of the quarter before (ledgerKeptBefore), and"
          + " what is committed in 10 s; memoryFlat if the heap rises in this half by no more than"
          + " 5 %% of its mean (heapRisePercent), by least squares through the least sample of each"
          + " fifth of it, and no window is larger than the eighth of the heap that it has."
          + " leaseHeld: one snapshot has answered for leaseMinSeconds, a minute or in a short run"
          + " a quarter of it; after half a minute folds go ahead of it.",
      "",
      "Exit status 0 only if all of these are so. Runs below some minutes say little of memory."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  ecstore measure liveness --seconds 600 --json",
      "  ecstore measure liveness --seconds 120 --long-failure 20",
      "  ecstore measure liveness --engines je,redis --stop-database",
      "  ecstore measure liveness --engines mysql --relaxed --kill-database"
    })
final class LivenessCommand implements Callable<Integer> {
  private static final int SECONDS_MIN = 8;
  private static final int SECONDS_MAX = 86_400;
  private static final int CLIENTS_MAX = 10_000;

  @Option(
      names = "--seconds",
      paramLabel = "S",
      defaultValue = "600",
      description = "How long the member is frozen, or its server; ${DEFAULT-VALUE} if not given.")
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

  @Option(
      names = "--stop-database",
      description = "Freeze the database server below a node (SIGSTOP) in place of a node.")
  private boolean stopsDatabase;

  @Option(
      names = "--kill-database",
      description = "End the database server below a node (SIGKILL) in place of freezing a node.")
  private boolean killsDatabase;

  @Mixin private MixOptions engines = new MixOptions(3);

  @Mixin private ProcessOptions cluster = new ProcessOptions(3);

  @Spec private CommandSpec spec;

  @Override
  public Integer call() throws IOException, InterruptedException {
    LivenessFault fault = fault();
    Optional<EngineMix> mix =
        engines.mix(spec.commandLine().getParseResult().hasMatchedOption("--nodes"));
    if (fault != LivenessFault.FREEZE_NODE) {
      MixOptions.mustHaveServer(option(fault), mix);
    }
    int nodes = mix.map(EngineMix::nodes).orElseGet(cluster::nodes);
    OptionBounds.checkBetween("--seconds", seconds, SECONDS_MIN, SECONDS_MAX);
    OptionBounds.checkBetween("--clients", clients, 1, CLIENTS_MAX);
    int away = longFailure == null ? Math.max(1, seconds / 10) : longFailure;
    OptionBounds.checkBetween("--long-failure", away, 1, SECONDS_MAX);
    String alone = "nothing is committed to the only copy of a range while its node is frozen";
    ReplicationSettings replication =
        mix.map(all -> cluster.replicationOfSeveral(all.hosts(), alone))
            .orElseGet(() -> cluster.replicationOfSeveral(alone))
            .withRelaxed(engines.isRelaxed());
    LivenessSettings settings =
        new LivenessSettings(
            nodes, mix, replication, clients, seconds, Duration.ofSeconds(away), fault);
    AtomicBoolean kept = new AtomicBoolean();
    cluster.measure(
        spec.commandLine().getOut(),
        Measurements.livenessSteps(seconds),
        measurements -> measurements.liveness(settings, kept::set));
    return kept.get() ? ExitStatus.OK : ExitStatus.CHECK_FAILED;
  }

  private LivenessFault fault() {
    if (stopsDatabase && killsDatabase) {
      throw new BadInputException(
          "--stop-database and --kill-database: a run has one of them, leave the other out");
    }
    if (stopsDatabase) {
      return LivenessFault.STOP_DATABASE;
    }
    return killsDatabase ? LivenessFault.KILL_DATABASE : LivenessFault.FREEZE_NODE;
  }

  private static String option(LivenessFault fault) {
    return fault == LivenessFault.STOP_DATABASE ? "--stop-database" : "--kill-database";
  }
}
