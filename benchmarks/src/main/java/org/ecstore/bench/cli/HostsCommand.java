package org.ecstore.bench.cli;

import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.management.OperatingSystemMXBean;
import java.io.IOException;
import java.io.PrintWriter;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import org.ecstore.bench.cli.options.OptionFaults;
import org.ecstore.bench.figure.Verdict;
import org.ecstore.bench.hosts.HostResult;
import org.ecstore.bench.hosts.HostShare;
import org.ecstore.bench.hosts.HostTable;
import org.ecstore.bench.hosts.ResponseModel;
import org.ecstore.bench.hosts.ResponseProbe;
import org.ecstore.bench.hosts.SessionLoad;
import org.ecstore.bench.load.CountedRun;
import org.ecstore.bench.load.Measured;
import org.ecstore.bench.load.Pace;
import org.ecstore.bench.report.LoadReport;
import org.ecstore.bench.store.EcStoreTarget;
import org.ecstore.bench.ycsb.YcsbLoad;
import org.ecstore.cluster.node.ExitStatus;
import org.ecstore.server.file.DirectoryLock;
import org.ecstore.server.file.TemporaryDirectory;
import org.ecstore.tools.terminal.TerminalProgress;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code ecstore bench hosts}. */
@Command(
    name = "hosts",
    description = {
      "Measures sessions of inserts and reads on more and more hosts.",
      "",
      "For each number of hosts a cluster of so many node processes is made; then for each number"
          + " of records a session inserts those, and another reads as many of them. Printed are"
          + " the average latency in seconds and the elapsed time in seconds, as latency,elapsed,"
          + " in the rows and columns of Table 1 of Guster and O'Brien's paper on Cassandra. The"
          + " hosts share this machine and its processors with the clients: more of them are more"
          + " work on the same machine.",
      "",
      "Below it stand the twelve components of a response, measured for the most hosts and records,"
          + " and what is found of the paper's claims. With five rounds or more a claim can hold;"
          + " fewer show nothing. With --out the table is kept, as text and as JSON, after each"
          + " round: what was measured by then stays if it is ended.",
      "",
      "The exit status is 1 if an operation failed, or a claim does not hold."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  ecstore bench hosts --hosts 1,2,4,8,16 --records 5000,10000,50000,100000,1000000 --json",
      "  ecstore bench hosts --hosts 2,4,8 --records 5000,50000 --rounds 5 --out grid"
    })
final class HostsCommand implements Callable<Integer> {
  private static final Logger LOG = LoggerFactory.getLogger(HostsCommand.class);
  private static final long MEBI = 1 << 20;
  private static final long MEMORY_DEFAULT = 16_384;
  private static final double SECOND = 1e9;
  private static final double MILLI = 1e3;
  private static final int HOSTS_MAX = 99;
  private static final int ROUNDS_MAX = 100;
  private static final int NETWORK_MILLIS_MAX = 60_000;
  private static final long RECORDS_MAX = 1_000_000_000L;

  @Spec private CommandSpec spec;

  @Option(
      names = "--hosts",
      split = ",",
      paramLabel = "N",
      defaultValue = "1,2,4",
      description = "Numbers of node processes, one after the other. ${DEFAULT-VALUE}.")
  private List<Integer> hosts = List.of();

  @Option(
      names = "--records",
      split = ",",
      paramLabel = "N",
      defaultValue = "5000,10000",
      description =
          "How many records of 10 fields of 100 bytes the sessions have. ${DEFAULT-VALUE}; the"
              + " paper has 5000, 10000, 50000, 100000 and 1000000.")
  private List<Long> records = List.of();

  @Option(
      names = "--clients",
      paramLabel = "C",
      defaultValue = "50",
      description =
          "Threads that each do one operation at a time. ${DEFAULT-VALUE}, as in the paper.")
  private int clients;

  @Option(
      names = "--copies",
      paramLabel = "K",
      defaultValue = "2",
      description =
          "Copies of each range, as far as there are hosts. ${DEFAULT-VALUE}: the paper has each"
              + " record in a primary and one replica.")
  private int copies;

  @Option(
      names = "--memory",
      paramLabel = "MIB",
      defaultValue = "0",
      description =
          "For all hosts together, which share it. 16384 if not given, or two thirds of a machine"
              + " that has less than that.")
  private long memory;

  @Option(
      names = "--warm-up",
      paramLabel = "N",
      defaultValue = "2000",
      description =
          "Records inserted and read in each cluster before anything counts. ${DEFAULT-VALUE}.")
  private long warmUp;

  @Option(
      names = "--rounds",
      paramLabel = "N",
      defaultValue = "1",
      description =
          "How often all of it is measured, in turns, each time with new clusters; the table has"
              + " medians. ${DEFAULT-VALUE}.")
  private int rounds;

  @Option(
      names = "--network-ms",
      paramLabel = "MS",
      defaultValue = "0",
      description =
          "One way from a user to the shop, for the response's components: the paper has 500 on the"
              + " Internet. ${DEFAULT-VALUE}.")
  private double networkMillis;

  @Option(
      names = "--out",
      paramLabel = "DIR",
      description =
          "Where hosts.json and hosts.txt are kept, neither of which may be there; made if it is not"
              + " there.")
  private @Nullable Path out;

  @Option(names = "--json", description = "Print one JSON object a session instead.")
  private boolean json;

  /** Operations of all sessions. */
  private long failed;

  /** Of the most hosts and records, in the last round. */
  private final List<ResponseModel> models = new ArrayList<>();

  @Override
  public Integer call() throws Exception {
    TreeSet<Integer> sizes = new TreeSet<>(hosts);
    TreeSet<Long> sessions = new TreeSet<>(records);
    check(sizes, sessions);
    HostShare share = share(sizes, sessions);
    Path directory = out;
    if (directory == null) {
      return measure(sizes, sessions, share);
    }
    try (DirectoryLock _ = DirectoryLock.acquireForOnce(directory)) {
      // Another run may have ended there meanwhile.
      checkOut(directory);
      return measure(sizes, sessions, share);
    }
  }

  private int measure(TreeSet<Integer> sizes, TreeSet<Long> sessions, HostShare share)
      throws IOException, InterruptedException {
    long perRound =
        2 * (warmUp + sessions.stream().mapToLong(Long::longValue).sum()) * sizes.size();
    HostTable table = new HostTable(List.copyOf(sessions));
    HostResult result = new HostResult(table, copies, clients, models);
    Path directory = out;
    try (TerminalProgress bar = TerminalProgress.start("sessions", perRound * rounds)) {
      for (int round = 0; round < rounds; round++) {
        models.clear();
        for (int size : sizes) {
          measure(size, sessions, share, table, bar);
        }
        if (directory != null) {
          result.write(directory);
        }
      }
    }
    PrintWriter printed = spec.commandLine().getOut();
    if (!json) {
      result.lines().forEach(printed::println);
    }
    printed.flush();
    if (directory != null) {
      HostResult.FILES.forEach(file -> LOG.info("kept {}", directory.resolve(file)));
    }
    return failed == 0 && result.verdict() != Verdict.DOES_NOT_HOLD
        ? ExitStatus.OK
        : ExitStatus.CHECK_FAILED;
  }

  private ParameterException wrong(String what) {
    return new ParameterException(spec.commandLine(), what);
  }

  private void check(TreeSet<Integer> sizes, TreeSet<Long> sessions) throws IOException {
    if (sizes.isEmpty() || sizes.first() < 1 || sizes.last() > HOSTS_MAX) {
      throw wrong("--hosts are from 1 to " + HOSTS_MAX + ", not " + hosts);
    }
    if (sessions.isEmpty() || sessions.first() < 1 || sessions.last() > RECORDS_MAX) {
      throw wrong("--records are from 1 to " + RECORDS_MAX + ", not " + records);
    }
    if (clients < 1 || clients > 10_000) {
      throw wrong("--clients is from 1 to 10000, not " + clients);
    }
    if (rounds < 1 || rounds > ROUNDS_MAX) {
      throw wrong("--rounds is from 1 to " + ROUNDS_MAX + ", not " + rounds);
    }
    if (!(networkMillis >= 0 && networkMillis <= NETWORK_MILLIS_MAX)) {
      throw wrong("--network-ms is from 0 to " + NETWORK_MILLIS_MAX + ", not " + networkMillis);
    }
    if (copies < 1 || warmUp < 0 || memory < 0) {
      throw wrong("--copies is at least 1, --warm-up and --memory are not below 0");
    }
    Path directory = out;
    if (directory != null) {
      checkOut(directory);
    }
  }

  private void checkOut(Path directory) throws IOException {
    OptionFaults faults = new OptionFaults();
    faults.mayBeDirectory("--out", directory);
    faults.mustNotBeThere("--out", directory, HostResult.FILES);
    if (!faults.isEmpty()) {
      throw wrong(String.valueOf(faults.exception().getMessage()));
    }
  }

  /** What there is to share, if all that is wanted fits. */
  private HostShare share(TreeSet<Integer> sizes, TreeSet<Long> sessions) throws IOException {
    long physical =
        ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class).getTotalMemorySize()
            / MEBI;
    // In MiB: any number may be given, and not every one has so many bytes.
    if (memory > physical) {
      throw wrong("--memory %d is more than this machine has: %d MiB".formatted(memory, physical));
    }
    long shared = MEBI * (memory > 0 ? memory : Math.min(MEMORY_DEFAULT, physical / 3 * 2));
    try (TemporaryDirectory directory = TemporaryDirectory.create("ecstore-bench")) {
      HostShare share =
          new HostShare(shared, Files.getFileStore(directory.path()).getUsableSpace());
      long all = warmUp + sessions.stream().mapToLong(Long::longValue).sum();
      for (int size : sizes) {
        share
            .wrong(size, copies, all)
            .ifPresent(
                what -> {
                  throw wrong(what);
                });
      }
      return share;
    }
  }

  private void measure(
      int size, TreeSet<Long> sessions, HostShare share, HostTable table, TerminalProgress bar)
      throws IOException, InterruptedException {
    EcStoreTarget.Shape shape =
        new EcStoreTarget.Shape(
            size,
            Math.min(copies, size),
            share.of(size),
            size == 1 ? List.of() : YcsbLoad.splitHints());
    EcStoreTarget.Reads reads = new EcStoreTarget.Reads("session", "serializable");
    try (TemporaryDirectory directory = TemporaryDirectory.create("ecstore-bench");
        EcStoreTarget target =
            EcStoreTarget.make(
                directory.path().resolve("cluster"), shape, reads, line -> LOG.info("{}", line))) {
      long first = 0;
      if (warmUp > 0) {
        session(target, SessionLoad.Kind.INSERT, first, warmUp, bar);
        session(target, SessionLoad.Kind.READ, first, warmUp, bar);
        first = warmUp;
      }
      for (long count : sessions) {
        // What is read must have been inserted.
        for (SessionLoad.Kind kind : List.of(SessionLoad.Kind.INSERT, SessionLoad.Kind.READ)) {
          Measured measured = session(target, kind, first, count, bar);
          double latency = measured.latency().getMean() / SECOND;
          double elapsed = measured.nanos() / SECOND;
          table.add(size, count, kind, new HostTable.Cell(latency, elapsed));
          if (json) {
            print(target, size, kind, count, measured);
          }
          // In ascending order: the last ones of the table are those of the most.
          if (count == sessions.last()) {
            models.removeIf(model -> model.what().startsWith(kind.title()));
            models.add(model(directory.path(), size, kind, count, measured));
          }
        }
        first += count;
      }
    }
  }

  private ResponseModel model(
      Path directory, int size, SessionLoad.Kind kind, long count, Measured measured)
      throws IOException {
    return ResponseModel.of(
        "%s of %,d records, %d host%s".formatted(kind.title(), count, size, size == 1 ? "" : "s"),
        new ResponseProbe(directory).of(kind, measured),
        networkMillis / MILLI,
        measured.latency().getMean() / SECOND);
  }

  private Measured session(
      EcStoreTarget target, SessionLoad.Kind kind, long first, long count, TerminalProgress bar)
      throws InterruptedException {
    Measured measured =
        new CountedRun(
                new SessionLoad(target, kind, first, count),
                clients,
                count,
                target.processes(),
                bar::step)
            .run();
    if (measured.failed() > 0) {
      failed += measured.failed();
      LOG.warn("{} of {} failed: {}", measured.failed(), kind.title(), measured.errors());
    }
    return measured;
  }

  private void print(
      EcStoreTarget target, int size, SessionLoad.Kind kind, long count, Measured measured) {
    Pace pace = new Pace(clients, 0, Duration.ZERO, Duration.ofNanos(measured.nanos()));
    ObjectNode result =
        LoadReport.json(target, new LoadReport.Work(kind.title(), count, Map.of()), pace, measured);
    result.put("benchmark", spec.name()).put("hosts", size);
    result.put("processors", Runtime.getRuntime().availableProcessors());
    result.put("averageLatencySeconds", measured.latency().getMean() / SECOND);
    result.put("elapsedSeconds", measured.nanos() / SECOND);
    spec.commandLine().getOut().println(result);
    spec.commandLine().getOut().flush();
  }
}
