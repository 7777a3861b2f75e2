package org.ecstore.tools.cli;

import java.io.Console;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import org.ecstore.cluster.layout.EngineMix;
import org.ecstore.cluster.node.ExitStatus;
import org.ecstore.model.Isolation;
import org.ecstore.model.ReadLevel;
import org.ecstore.server.file.FileErrors;
import org.ecstore.server.file.TemporaryDirectory;
import org.ecstore.server.print.LogText;
import org.ecstore.server.shutdown.ShutdownHooks;
import org.ecstore.tools.attack.Intruders;
import org.ecstore.tools.cli.measure.MixOptions;
import org.ecstore.tools.terminal.BadInputException;
import org.ecstore.tools.terminal.Copies;
import org.ecstore.tools.terminal.OptionBounds;
import org.ecstore.tools.terminal.OwnDirectory;
import org.ecstore.tools.torture.FaultKind;
import org.ecstore.tools.torture.Start;
import org.ecstore.tools.torture.Torture;
import org.ecstore.tools.torture.TortureReport;
import org.ecstore.tools.torture.TortureSettings;
import org.ecstore.tools.torture.workload.WorkloadKind;
import org.ecstore.verify.check.HistoryChecker;
import org.ecstore.verify.check.Promise;
import org.ecstore.verify.check.Report;
import org.ecstore.verify.history.History;
import org.ecstore.verify.history.MalformedHistoryException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code ecstore torture}: nodes are killed under load, and what clients saw is checked. */
@Command(
    name = "torture",
    description = {
      "Kills and pauses the nodes of a cluster while clients work, and checks what they saw.",
      "",
      "Clients run transactions against a cluster of its own, one at a time each; every attempt is"
          + " written into a history before it begins and when its answer is there. Meanwhile"
          + " random nodes, the sequencer more often than others, are killed (kill), frozen (stop),"
          + " ended in good order (restart) or added (join), and each comes back after a while; and"
          + " the steward is asked for ranges to be split, merged and moved (split, merge, move),"
          + " for secondary copies to be moved (move-copy) and for nodes to hand over all they have"
          + " (leave), which then join anew. With --engines the database servers under living"
          + " nodes are killed and frozen too (kill-database, stop-database), and none is added."
          + " What it refuses or puts off is counted, and no"
          + " failure. Beside them clients add to counters, write and read by quorums, and a program"
          + " follows every commit. When all are back, every key is read once more, and the history is checked:"
          + " nothing acknowledged is lost or there twice, or told twice or not at all, nothing aborted is seen, and all"
          + " transactions have an order as promised.",
      "",
      "Workloads: append (transactions of a few steps that append to lists or read them), register"
          + " (that write values or read them), bank (that move amounts between accounts or read"
          + " all of them).",
      "",
      "Exit status 0 only if the verdict is clean and something was committed. Where faults were"
          + " to be done and none was, nothing is known: the verdict is not clean."
    },
    footer = {
      "",
      "Examples:",
      "  ecstore torture --nodes 5 --seconds 120 --history h.jsonl",
      "  ecstore torture --workload bank --isolation snapshot --faults kill,stop",
      "  ecstore torture --nodes 5 --seconds 300 --forger --glutton",
      "  ecstore torture --engines je,mysql,redis --seconds 300",
      "  ecstore torture --check h.jsonl"
    })
final class TortureCommand implements Callable<Integer> {
  private static final int NODES_MAX = 32;
  private static final int CLIENTS_MAX = 1_000;
  private static final int SECONDS_MAX = 86_400;
  private static final int INTERVAL_MAX = 600_000;
  private static final String NO_FAULTS = "none";
  private static final String ALL_FAULTS =
      "kill,stop,restart,join,split,merge,move,move-copy,leave,kill-database,stop-database";

  /** Kinds of engines with a database server under each node. */
  private static final Set<String> WITH_SERVERS = Set.of("mysql", "redis");

  private static final int NODES_AT_FIRST = 5;
  private static final long SEED_MASK = 0xff_ffff;

  @Option(names = "--nodes", paramLabel = "N", description = "Nodes to begin with; 5 if not given.")
  private @Nullable Integer nodes;

  @Mixin private MixOptions engines = new MixOptions(1);

  @Option(
      names = "--copies",
      paramLabel = "K",
      description =
          "Copies of each range; 3, or as many as there are nodes if these are fewer, if not"
              + " given.")
  private @Nullable Integer copies;

  @Option(
      names = "--seconds",
      paramLabel = "S",
      defaultValue = "30",
      description = "How long; ${DEFAULT-VALUE} if not given. Starting and ending come on top.")
  private int seconds;

  @Option(
      names = "--clients",
      paramLabel = "N",
      defaultValue = "16",
      description = "Clients that work at the same time; ${DEFAULT-VALUE} if not given.")
  private int clients;

  @Option(
      names = "--workload",
      paramLabel = "W",
      defaultValue = "append",
      description = "append, register or bank; ${DEFAULT-VALUE} if not given.")
  private WorkloadKind workload = WorkloadKind.APPEND;

  @Option(
      names = "--faults",
      paramLabel = "F,...",
      defaultValue = ALL_FAULTS,
      description =
          "Of "
              + ALL_FAULTS
              + "; or none. If not given, all that there can be; of those named here each must be"
              + " possible.")
  private String faults = "";

  @Option(
      names = "--interval",
      paramLabel = "MS",
      defaultValue = "2000",
      description =
          "Milliseconds from one fault to the next, on average; ${DEFAULT-VALUE} if not given.")
  private int interval;

  @Option(
      names = "--lose-quorum",
      description = "Let more nodes be away at a time than the cluster can do without.")
  private boolean loseQuorum;

  @Option(
      names = "--guarded",
      description =
          "Let each node have a guard, as cluster up does, that starts it again when it has ended"
              + " by itself. Such an end is a finding all the same.")
  private boolean guarded;

  @Option(
      names = "--forger",
      description =
          "Let a forger among the clients: it greets as a node, requests as an operator, claims"
              + " positions far beyond the ledger, with the secret and without it, replays and"
              + " mutates.")
  private boolean forger;

  @Option(
      names = "--glutton",
      description =
          "Let a glutton among the clients: the largest transactions, answers and greetings, and"
              + " floods of requests and connections.")
  private boolean glutton;

  @Option(
      names = "--isolation",
      paramLabel = "I",
      defaultValue = "serializable",
      description = "serializable or snapshot; ${DEFAULT-VALUE} if not given.")
  private Isolation isolation = Isolation.SERIALIZABLE;

  @Option(
      names = "--start",
      paramLabel = "L",
      defaultValue = "mixed",
      description =
          "How fresh snapshots are: strong, every commit acknowledged before; bounded, all but"
              + " those of the last 0.3 s; session, those the client has seen; local, whatever the"
              + " node asked has; or mixed, each transaction at one of them. ${DEFAULT-VALUE} if"
              + " not given. To --check: strong, session or local, for transactions of which the"
              + " history does not say it.")
  private Start start = Start.MIXED;

  @Option(
      names = "--seed",
      paramLabel = "S",
      description = "Seed of what is random; another one each time if not given.")
  private @Nullable Long seed;

  @Option(
      names = "--history",
      paramLabel = "FILE",
      description =
          "Where to write the history, JSON lines: a file that is not there. In the directory if"
              + " not given.")
  private @Nullable Path history;

  @Option(
      names = "--dir",
      paramLabel = "DIR",
      description =
          "Where the cluster keeps its data and logs: empty or not there; kept. If not given, a"
              + " temporary one, kept only if the verdict is not clean.")
  private @Nullable Path directory;

  @Option(
      names = "--check",
      paramLabel = "FILE",
      description =
          "Run nothing; check a history as --isolation and --start say, and give the verdict.")
  private @Nullable Path check;

  @Option(
      names = "--in-process",
      description =
          "Run the nodes within this process: quick, but none can be paused, and a kill is only a"
              + " call.")
  private boolean inProcess;

  @Option(names = "--json", description = "Print one JSON object as the last line instead.")
  private boolean json;

  @Spec private CommandSpec spec;

  @Override
  public Integer call() throws IOException, InterruptedException {
    Path toCheck = check;
    return toCheck == null ? torture() : check(toCheck);
  }

  private int check(Path file) throws IOException {
    Report report;
    History read;
    try {
      FileErrors.mustBeFile(file);
      read = History.read(file);
      report = HistoryChecker.check(read, new Promise(isolation, promised()));
    } catch (MalformedHistoryException e) {
      throw new BadInputException(
          "--check " + file + ": " + LogText.of(String.valueOf(e.getMessage())));
    }
    PrintWriter out = spec.commandLine().getOut();
    TortureOutput.Checked checked = new TortureOutput.Checked(file, read, isolation, start, report);
    if (json) {
      out.println(TortureOutput.json(checked));
    } else {
      TortureOutput.print(out, checked);
    }
    out.flush();
    return report.verdict() == Report.Verdict.CLEAN ? ExitStatus.OK : ExitStatus.CHECK_FAILED;
  }

  private ReadLevel promised() {
    return switch (start) {
      case STRONG, MIXED -> ReadLevel.STRONG;
      case SESSION, BOUNDED -> ReadLevel.SESSION;
      case LOCAL -> ReadLevel.LOCAL;
    };
  }

  private int torture() throws IOException, InterruptedException {
    Optional<EngineMix> mix = mix();
    int count = mix.map(EngineMix::nodes).orElse(nodes == null ? NODES_AT_FIRST : nodes);
    OptionBounds.checkBetween("--nodes", count, 1, NODES_MAX);
    OptionBounds.checkBetween("--clients", clients, 1, CLIENTS_MAX);
    OptionBounds.checkBetween("--seconds", seconds, 1, SECONDS_MAX);
    OptionBounds.checkBetween("--interval", interval, 1, INTERVAL_MAX);
    Set<FaultKind> kinds = kinds();
    if (!faults.equals(ALL_FAULTS)) {
      kinds.forEach(kind -> mustBePossible(kind, mix));
    }
    Path file = history;
    if (file != null && Files.exists(file, LinkOption.NOFOLLOW_LINKS)) {
      throw isThere(file);
    }
    Path given = directory;
    if (given != null) {
      OwnDirectory.checkEmpty(given);
      return torture(given, count, mix, kinds);
    }
    try (TemporaryDirectory temporary = TemporaryDirectory.create("ecstore-torture-")) {
      boolean clean = false;
      try {
        int status = torture(temporary.path(), count, mix, kinds);
        clean = status == ExitStatus.OK;
        return status;
      } finally {
        if (!clean && !ShutdownHooks.hasBegun()) {
          temporary.keep();
          PrintWriter err = spec.commandLine().getErr();
          err.println("kept: " + temporary.path());
          err.flush();
        }
      }
    }
  }

  private static BadInputException isThere(Path file) {
    return new BadInputException(
        "--history " + file + " is there, maybe with what an earlier run has found: name another");
  }

  private int torture(Path root, int count, Optional<EngineMix> mix, Set<FaultKind> kinds)
      throws IOException, InterruptedException {
    Path file = history;
    Long wanted = seed;
    TortureSettings settings =
        new TortureSettings(
            count,
            mix,
            Copies.of(mix.map(EngineMix::hosts).orElse(count), copies)
                .withRelaxed(engines.isRelaxed()),
            clients,
            Duration.ofSeconds(seconds),
            workload,
            kinds,
            Duration.ofMillis(interval),
            loseQuorum,
            intruders(),
            guarded,
            isolation,
            start,
            wanted == null ? System.nanoTime() & SEED_MASK : wanted,
            root.resolve("cluster"),
            file == null ? root.resolve("history.jsonl") : file);
    Consumer<Torture.Status> progress = progress(spec.commandLine().getErr());
    TortureReport report;
    try {
      report =
          inProcess
              ? Torture.inProcess(settings, progress)
              : Torture.onProcesses(settings, progress);
    } catch (FileAlreadyExistsException e) {
      if (settings.history().toString().equals(e.getFile())) {
        // Another run has made it since it was looked for.
        throw isThere(settings.history());
      }
      throw e;
    }
    PrintWriter out = spec.commandLine().getOut();
    if (json) {
      out.println(TortureOutput.json(report));
    } else {
      TortureOutput.print(out, report);
    }
    out.flush();
    return report.verdict() == Report.Verdict.CLEAN && report.ok() > 0
        ? ExitStatus.OK
        : ExitStatus.CHECK_FAILED;
  }

  private Optional<EngineMix> mix() {
    Optional<EngineMix> mix = engines.mix(nodes != null);
    if (mix.isPresent() && inProcess) {
      throw new BadInputException(
          "--engines makes processes, with their database servers: leave --in-process out");
    }
    return mix;
  }

  private Set<Intruders.Role> intruders() {
    Set<Intruders.Role> roles = EnumSet.noneOf(Intruders.Role.class);
    if (forger) {
      roles.add(Intruders.Role.FORGER);
    }
    if (glutton) {
      roles.add(Intruders.Role.GLUTTON);
    }
    return roles;
  }

  private Set<FaultKind> kinds() {
    Set<FaultKind> kinds = EnumSet.noneOf(FaultKind.class);
    if (faults.equals(NO_FAULTS)) {
      return kinds;
    }
    for (String name : faults.split(",", -1)) {
      kinds.add(
          Arrays.stream(FaultKind.values())
              .filter(kind -> kind.word().equals(name.strip().toLowerCase(Locale.ROOT)))
              .findFirst()
              .orElseThrow(
                  () ->
                      new BadInputException(
                          "--faults has \""
                              + LogText.of(name)
                              + "\": give some of "
                              + ALL_FAULTS
                              + ", or none")));
    }
    return kinds;
  }

  /** What was asked for by name, and cannot be done, would be missed by none. */
  private void mustBePossible(FaultKind kind, Optional<EngineMix> mix) {
    Optional<String> lack =
        switch (kind) {
          case STOP -> inProcess ? Optional.of("without --in-process") : Optional.empty();
          case JOIN -> mix.isPresent() ? Optional.of("without --engines") : Optional.empty();
          case KILL_DATABASE, STOP_DATABASE ->
              mix.stream().flatMap(each -> each.kinds().stream()).noneMatch(WITH_SERVERS::contains)
                  ? Optional.of("with --engines of which one is mysql or redis")
                  : Optional.empty();
          case KILL, RESTART, SPLIT, MERGE, MOVE, MOVE_COPY, LEAVE -> Optional.empty();
        };
    if (lack.isPresent()) {
      throw new BadInputException(
          "--faults has %s, which is done %s only: leave it out"
              .formatted(kind.word(), lack.get()));
    }
  }

  /** A line that is written over again and again, for a user at a terminal. */
  private static Consumer<Torture.Status> progress(PrintWriter err) {
    if (!Optional.ofNullable(System.console()).map(Console::isTerminal).orElse(false)) {
      return _ -> {};
    }
    return status -> {
      err.printf(
          Locale.ROOT,
          "\r\033[K%d s left, %,d ok, %,d fail, %,d info, %d faults, away %s",
          status.secondsLeft(),
          status.ok(),
          status.fail(),
          status.info(),
          status.faults(),
          status.away());
      err.flush();
    };
  }
}
