package org.ecstore.tools.cli.measure;

import java.io.IOException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.ecstore.cluster.node.ExitStatus;
import org.ecstore.core.port.OperatorLog;
import org.ecstore.server.LocalCluster;
import org.ecstore.server.ReplicationSettings;
import org.ecstore.server.file.TemporaryDirectory;
import org.ecstore.tools.measure.HostedBookies;
import org.ecstore.tools.measure.MeasurementReport;
import org.ecstore.tools.measure.Measurements;
import org.ecstore.tools.terminal.BadInputException;
import org.ecstore.tools.terminal.Copies;
import org.ecstore.tools.terminal.OptionBounds;
import org.ecstore.tools.terminal.TerminalProgress;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code ecstore measure}: what the report on commits and recovery is made of. */
@Command(
    name = "measure",
    subcommands = {ReplayCommand.class, LivenessCommand.class},
    description = {
      "Measures commits, take-overs, restarts, replay, recovery and liveness on this machine.",
      "",
      "For commits and recovery, clusters of several nodes run in this process, on the kinds of "
          + "ledger asked for, and are measured in turn, so that what else the machine does falls "
          + "on all of them. For the others the nodes are processes, which are killed or frozen."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  ecstore measure commits --clients 1,16",
      "  ecstore measure takeover --kills 20",
      "  ecstore measure failover --kills 10",
      "  ecstore measure restart --kills 10",
      "  ecstore measure replay --commits 300000",
      "  ecstore measure liveness --seconds 600",
      "  ecstore measure liveness --engines je,redis --stop-database",
      "  ecstore measure recovery --records 1000,50000"
    })
public final class MeasureCommand implements Runnable {
  private static final int KILLS_MAX = 10_000;
  private static final int CLIENTS_MAX = 10_000;
  private static final int ROUNDS_MAX = 1_000;
  private static final int SECONDS_MAX = 86_400;
  private static final long RECORDS_MAX = 100_000_000;

  @Spec private CommandSpec spec;

  @Override
  public void run() {
    throw new picocli.CommandLine.ParameterException(
        spec.commandLine(),
        "measure what: commits, takeover, failover, restart, replay, recovery or liveness?");
  }

  /** How processes are killed. */
  static final class Killing {
    @Mixin private ProcessOptions cluster = new ProcessOptions(5);

    @Option(
        names = "--kills",
        paramLabel = "N",
        defaultValue = "20",
        description = "How often; ${DEFAULT-VALUE} if not given.")
    private int kills;
  }

  /** A kind of ledger, as a user names it. */
  enum Kind {
    local,
    bookkeeper
  }

  @Command(
      name = "commits",
      description = {
        "Latency and throughput of commits against the number of clients.",
        "",
        "Each client writes one value of 100 bytes per transaction, one transaction after the"
            + " other, over TCP; latencies are those of the call to commit."
      },
      footerHeading = "%nExamples:%n",
      footer = {"  ecstore measure commits --ledger bookkeeper --clients 1,16 --rounds 5"})
  int commits(
      @Option(
              names = "--ledger",
              split = ",",
              paramLabel = "KIND",
              defaultValue = "local,bookkeeper",
              description = "local, bookkeeper, or both; both if not given.")
          List<Kind> ledgers,
      @Option(
              names = "--copies",
              paramLabel = "K",
              description = "Copies of each range, of three nodes; 3 if not given.")
          @Nullable Integer copies,
      @Option(
              names = "--clients",
              split = ",",
              paramLabel = "N",
              defaultValue = "1,4,16,64,256",
              description = "Numbers of clients; ${DEFAULT-VALUE} if not given.")
          List<Integer> clients,
      @Option(
              names = "--rounds",
              paramLabel = "R",
              defaultValue = "3",
              description = "How often each is measured; ${DEFAULT-VALUE} if not given.")
          int rounds,
      @Option(
              names = "--seconds",
              paramLabel = "S",
              defaultValue = "5",
              description = "How long each time; ${DEFAULT-VALUE} if not given.")
          int seconds,
      @Mixin ReportOptions report)
      throws Exception {
    for (int count : clients) {
      OptionBounds.checkBetween("--clients", count, 1, CLIENTS_MAX);
    }
    OptionBounds.checkBetween("--rounds", rounds, 1, ROUNDS_MAX);
    OptionBounds.checkBetween("--seconds", seconds, 1, SECONDS_MAX);
    int each = Copies.of(Measurements.NODES, copies).copiesOf(Measurements.NODES);
    long steps = (long) ledgers.size() * clients.size() * rounds;
    return measured(
        ledgers,
        steps,
        report,
        (measurements, openings) ->
            measurements.commits(openings, each, clients, rounds, Duration.ofSeconds(seconds)));
  }

  @Command(
      name = "recovery",
      description = {
        "How long recovery takes against the length of the ledger.",
        "",
        "One of four nodes is down while so many transactions are committed. Then the sequencer"
            + " ends and a standby takes over, the node comes back, and the whole cluster is opened"
            + " again. All in one process: the time until a failure is noticed is not part of it."
      },
      footerHeading = "%nExamples:%n",
      footer = {"  ecstore measure recovery --records 1000,50000"})
  int recovery(
      @Option(
              names = "--ledger",
              split = ",",
              paramLabel = "KIND",
              defaultValue = "local,bookkeeper",
              description = "local, bookkeeper, or both; both if not given.")
          List<Kind> ledgers,
      @Option(
              names = "--records",
              split = ",",
              paramLabel = "N",
              defaultValue = "1000,10000,50000,200000",
              description = "Lengths of the ledger; ${DEFAULT-VALUE} if not given.")
          List<Long> records,
      @Mixin ReportOptions report)
      throws Exception {
    for (long length : records) {
      OptionBounds.checkBetween("--records", length, 1, RECORDS_MAX);
    }
    if (records.stream().distinct().count() < records.size()) {
      throw new BadInputException(
          "--records has a length twice, and each has a cluster of its own: name it once");
    }
    return measured(
        ledgers,
        (long) ledgers.size() * records.size(),
        report,
        (measurements, openings) -> measurements.recovery(openings, records));
  }

  @Command(
      name = "takeover",
      description = {
        "How long writes wait when the sequencer's process is killed or frozen.",
        "",
        "A cluster of processes; the sequencer's gets SIGKILL and is started again, or SIGSTOP and"
            + " SIGCONT, in turns; when all nodes serve the next one's does. Clients that write"
            + " single keys all over the table see when writes go on: the time is from the signal"
            + " to the first acknowledgement of a write that began after the process was gone."
            + " Others read snapshots meanwhile: the longest time for which one of those on nodes"
            + " that live got none is the gap."
      },
      footerHeading = "%nExamples:%n",
      footer = {
        "  ecstore measure takeover --kills 20 --freezes 5",
        "  ecstore measure takeover --nodes 3 --kills 3 --json"
      })
  int takeover(
      @Mixin Killing killing,
      @Option(
              names = "--freezes",
              paramLabel = "N",
              defaultValue = "0",
              description = "How often it is frozen as well; ${DEFAULT-VALUE} if not given.")
          int freezes)
      throws Exception {
    OptionBounds.checkBetween("--kills", killing.kills, 0, KILLS_MAX);
    OptionBounds.checkBetween("--freezes", freezes, 0, KILLS_MAX);
    OptionBounds.checkAtLeast("--kills and --freezes together", killing.kills + freezes, 1);
    int nodes = killing.cluster.nodes();
    ReplicationSettings replication = killing.cluster.replication();
    return onProcesses(
        killing,
        killing.kills + freezes,
        measurements -> measurements.takeOver(nodes, replication, killing.kills, freezes));
  }

  @Command(
      name = "failover",
      description = {
        "How long writes to a node's ranges wait when its process is killed.",
        "",
        "A cluster of processes. In turn the process of a primary that is not the sequencer and"
            + " that of the sequencer gets SIGKILL; it is started again, and the next goes when"
            + " every range has all its copies. Clients write single keys all over the table: the"
            + " time is from the signal to the first acknowledgement of a write that began after"
            + " the process was gone, for the first and for the last of the ranges that it served."
            + " followsAgain is from the start of the process until it has copies of all of them."
      },
      footerHeading = "%nExamples:%n",
      footer = {"  ecstore measure failover --kills 10"})
  int failover(@Mixin Killing killing) throws Exception {
    OptionBounds.checkBetween("--kills", killing.kills, 1, KILLS_MAX);
    int nodes = killing.cluster.nodes();
    ReplicationSettings replication =
        killing.cluster.replicationOfSeveral("the only copy of a range waits for its node");
    return onProcesses(
        killing,
        killing.kills,
        measurements -> measurements.failOver(nodes, replication, killing.kills));
  }

  @Command(
      name = "restart",
      description = {
        "How long writes wait when every process was killed and all are started again.",
        "",
        "A cluster of processes; all get SIGKILL, and when none is left all are started. Clients"
            + " that write single keys all over the table see when writes go on: times are from the"
            + " command that starts them to the first acknowledgement, to that of the last of the"
            + " keys, and until every node serves."
      },
      footerHeading = "%nExamples:%n",
      footer = {"  ecstore measure restart --nodes 5 --kills 10"})
  int restart(@Mixin Killing killing) throws Exception {
    OptionBounds.checkBetween("--kills", killing.kills, 1, KILLS_MAX);
    int nodes = killing.cluster.nodes();
    ReplicationSettings replication = killing.cluster.replication();
    return onProcesses(
        killing,
        killing.kills,
        measurements -> measurements.restart(nodes, replication, killing.kills));
  }

  private int onProcesses(Killing killing, long steps, ProcessOptions.Work work)
      throws IOException, InterruptedException {
    killing.cluster.measure(spec.commandLine().getOut(), steps, work);
    return ExitStatus.OK;
  }

  private interface Measuring {
    MeasurementReport run(
        Measurements measurements, Map<String, LocalCluster.LedgerOpening> openings)
        throws IOException, InterruptedException;
  }

  private int measured(List<Kind> ledgers, long steps, ReportOptions report, Measuring measuring)
      throws Exception {
    MeasurementReport measured;
    try (TemporaryDirectory directory = TemporaryDirectory.create("ecstore-measure");
        TerminalProgress bar = TerminalProgress.start("measure", steps);
        HostedBookies bookies = HostedBookies.start(directory.path(), new Log())) {
      Map<String, LocalCluster.LedgerOpening> openings = new LinkedHashMap<>();
      for (Kind kind : ledgers) {
        openings.put(
            kind.name(),
            switch (kind) {
              case local -> LocalCluster::openLocalLedger;
              case bookkeeper -> bookies::open;
            });
      }
      measured = measuring.run(new Measurements(directory.path(), bar::step), openings);
    }
    report.print(spec.commandLine().getOut(), measured);
    return ExitStatus.OK;
  }

  private static final class Log implements OperatorLog {
    private static final Logger LOG = LoggerFactory.getLogger(MeasureCommand.class);

    @Override
    public void info(String text) {
      LOG.debug("{}", text);
    }

    @Override
    public void warn(String text) {
      LOG.warn("{}", text);
    }
  }
}
