package org.ecstore.tools.cli;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.ecstore.cluster.node.ExitStatus;
import org.ecstore.server.file.TemporaryDirectory;
import org.ecstore.server.print.Columns;
import org.ecstore.server.shutdown.ShutdownHooks;
import org.ecstore.tools.attack.Attack;
import org.ecstore.tools.attack.AttackKind;
import org.ecstore.tools.attack.AttackReport;
import org.ecstore.tools.attack.AttackSettings;
import org.ecstore.tools.terminal.BadInputException;
import org.ecstore.tools.terminal.OptionBounds;
import org.ecstore.tools.terminal.OwnDirectory;
import org.ecstore.tools.terminal.PhaseBars;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code ecstore attack}: a forger, a glutton and fuzzers at every port of a cluster. */
@Command(
    name = "attack",
    description = {
      "Attacks every port of a cluster of its own, and looks whether the nodes bear it.",
      "",
      "Starts a cluster of processes with the heap that nodes have, lets honest clients move amounts"
          + " between accounts, and attacks with one kind after the other: random (random bytes"
          + " before, in and after the greeting), partial (real requests cut short, some held"
          + " open; lengths announced at the other ports, and nothing sent), mutated (requests of every type that the codec knows, with bits changed),"
          + " forged (greetings of nodes, requests of operators and positions far beyond, of one"
          + " without the secret), holder (a node with the secret that claims positions far beyond"
          + " the ledger), replayed (what a node said, said again), greedy (the largest"
          + " transactions, answers and greetings, repeated keys, intervals that overlap, floods of"
          + " requests and connections). After each kind every node must be the process it was, and"
          + " its heap after a collection, its direct memory and its open files as before.",
      "",
      "Exit status 0 only if no node ended, none kept what it was sent, no forgery was believed, and"
          + " honest clients saw nothing wrong and were not kept waiting."
    },
    footer = {
      "",
      "Examples:",
      "  ecstore attack                                   all kinds, some minutes",
      "  ecstore attack --kind forged,replayed --seed 7   two of them",
      "  ecstore attack --frames 1000000 --json           as every night"
    })
final class AttackCommand implements Callable<Integer> {
  private static final int NODES_MAX = 16;
  private static final int ATTACKERS_MAX = 256;
  private static final long FRAMES_MAX = 1_000_000_000;
  private static final int SECONDS_MAX = 86_400;
  private static final long SEED_MASK = 0xff_ffff;
  private static final double MEBI = 1 << 20;

  @Option(
      names = "--nodes",
      paramLabel = "N",
      defaultValue = "3",
      description = "Nodes, from 2 on; ${DEFAULT-VALUE} if not given.")
  private int nodes;

  @Option(
      names = "--kind",
      paramLabel = "K,...",
      description = "Which kinds, in this order; all if not given.")
  private @Nullable String kinds;

  @Option(
      names = "--frames",
      paramLabel = "N",
      defaultValue = "20000",
      description = "Frames of each kind; ${DEFAULT-VALUE} if not given, 1000000 every night.")
  private long frames;

  @Option(
      names = "--seconds",
      paramLabel = "S",
      description = "The longest time for each kind; only the frames count if not given.")
  private @Nullable Integer seconds;

  @Option(
      names = "--attackers",
      paramLabel = "N",
      defaultValue = "8",
      description = "Attackers at a time; ${DEFAULT-VALUE} if not given.")
  private int attackers;

  @Option(
      names = "--only-listen",
      description = "Attack listen.port only, and not what nodes host of ZooKeeper and BookKeeper.")
  private boolean onlyListen;

  @Option(
      names = "--pause",
      paramLabel = "S",
      defaultValue = "15",
      description =
          "Seconds for which an honest client may get nothing done; ${DEFAULT-VALUE} if not"
              + " given.")
  private int pause;

  @Option(
      names = "--seed",
      paramLabel = "S",
      description = "Seed of what is random; another one each time if not given.")
  private @Nullable Long seed;

  @Option(
      names = "--dir",
      paramLabel = "DIR",
      description =
          "Where the cluster keeps its data and logs: empty or not there; kept. If not given, a"
              + " temporary one, kept only if something was found.")
  private @Nullable Path directory;

  @Option(names = "--json", description = "Print one JSON object as the last line instead.")
  private boolean json;

  @Spec private CommandSpec spec;

  @Override
  public Integer call() throws IOException, InterruptedException {
    OptionBounds.checkBetween("--nodes", nodes, 2, NODES_MAX);
    OptionBounds.checkBetween("--frames", frames, 1, FRAMES_MAX);
    OptionBounds.checkBetween("--attackers", attackers, 1, ATTACKERS_MAX);
    OptionBounds.checkBetween("--pause", pause, 1, SECONDS_MAX);
    if (seconds != null) {
      OptionBounds.checkBetween("--seconds", seconds, 1, SECONDS_MAX);
    }
    List<AttackKind> wanted = wanted();
    Path given = directory;
    if (given != null) {
      OwnDirectory.checkEmpty(given);
      return attack(given, wanted);
    }
    try (TemporaryDirectory temporary = TemporaryDirectory.create("ecstore-attack-")) {
      int status = ExitStatus.BROKEN;
      try {
        status = attack(temporary.path(), wanted);
        return status;
      } finally {
        if (status != ExitStatus.OK && !ShutdownHooks.hasBegun()) {
          temporary.keep();
          PrintWriter err = spec.commandLine().getErr();
          err.println("kept: " + temporary.path());
          err.flush();
        }
      }
    }
  }

  private List<AttackKind> wanted() {
    String given = kinds;
    if (given == null) {
      return List.of(AttackKind.values());
    }
    List<AttackKind> wanted = new ArrayList<>();
    for (String name : given.split(",", -1)) {
      wanted.add(
          Arrays.stream(AttackKind.values())
              .filter(kind -> kind.word().equals(name.strip().toLowerCase(Locale.ROOT)))
              .findFirst()
              .orElseThrow(
                  () ->
                      new BadInputException(
                          "--kind has \"" + name + "\": give some of " + words())));
    }
    return wanted;
  }

  private static String words() {
    return Arrays.stream(AttackKind.values())
        .map(AttackKind::word)
        .collect(Collectors.joining(","));
  }

  private int attack(Path root, List<AttackKind> wanted) throws IOException, InterruptedException {
    Integer most = seconds;
    Long drawn = seed;
    AttackSettings settings =
        new AttackSettings(
            nodes,
            wanted,
            frames,
            most == null ? Optional.empty() : Optional.of(Duration.ofSeconds(most)),
            attackers,
            !onlyListen,
            Duration.ofSeconds(pause),
            drawn == null ? System.nanoTime() & SEED_MASK : drawn,
            AttackSettings.WARM,
            AttackSettings.CALM,
            root.resolve("cluster"));
    AttackReport report;
    try (PhaseBars bars = new PhaseBars()) {
      report = Attack.run(settings, onBars(bars));
    }
    PrintWriter out = spec.commandLine().getOut();
    if (json) {
      out.println(toJson(report));
    } else {
      print(out, report);
    }
    out.flush();
    return report.violations().isEmpty() ? ExitStatus.OK : ExitStatus.CHECK_FAILED;
  }

  /** A bar for each kind. */
  private static Consumer<Attack.Status> onBars(PhaseBars bars) {
    return new Consumer<>() {
      private @Nullable AttackKind current;
      private long shown;

      @Override
      public void accept(Attack.Status status) {
        if (status.kind() != current) {
          current = status.kind();
          shown = 0;
          bars.phase(status.kind().word(), status.of());
        }
        bars.step(status.frames() - shown);
        shown = status.frames();
      }
    };
  }

  private static void print(PrintWriter out, AttackReport report) {
    AttackSettings settings = report.settings();
    out.printf(
        Locale.ROOT,
        "%d nodes, %d attackers, seed %d, %s, %d s%n%n",
        settings.nodes(),
        settings.attackers(),
        settings.seed(),
        settings.otherPorts() ? "every port" : "listen.port",
        report.took().toSeconds());
    List<String[]> rows = new ArrayList<>();
    rows.add(
        new String[] {
          "kind",
          "frames",
          "a second",
          "bursts",
          "cut",
          "honest tx/s",
          "pause",
          "heap",
          "direct",
          "resident",
          "files"
        });
    for (AttackReport.Round round : report.rounds()) {
      rows.add(row(round));
    }
    Columns.align(rows).forEach(out::println);
    out.printf(
        Locale.ROOT,
        "%nhonest      %,d transactions done, %,d refused (tx/s are before, during, after; pause is"
            + " the longest of a client)%n",
        report.honest(),
        report.refused());
    report.violations().forEach(text -> out.println("VIOLATION   " + text));
    out.println("verdict     " + verdict(report));
  }

  private static String[] row(AttackReport.Round round) {
    return new String[] {
      round.kind().word(),
      "%,d".formatted(round.frames()),
      "%,.0f".formatted(round.rate()),
      "%,d".formatted(round.bursts()),
      "%,d".formatted(round.cut()),
      "%.0f, %.0f, %.0f".formatted(round.before(), round.during(), round.after()),
      "%,d ms".formatted(round.longestPauseMillis()),
      mebi(round.heapGrowth()),
      mebi(round.directGrowth()),
      round.residentMax() < 0 ? "-" : "%.0f MiB".formatted(round.residentMax() / MEBI),
      "%+d".formatted(round.filesGrowth())
    };
  }

  private static String mebi(long growth) {
    return "%+.1f MiB".formatted(growth / MEBI);
  }

  private static String verdict(AttackReport report) {
    return report.violations().isEmpty() ? "clean" : "violated";
  }

  private static ObjectNode toJson(AttackReport report) {
    AttackSettings settings = report.settings();
    ObjectNode node =
        JsonNodeFactory.instance
            .objectNode()
            .put("nodes", settings.nodes())
            .put("attackers", settings.attackers())
            .put("frames", settings.frames())
            .put("otherPorts", settings.otherPorts())
            .put("seed", settings.seed())
            .put("seconds", report.took().toSeconds())
            .put("honest", report.honest())
            .put("refused", report.refused());
    ArrayNode rounds = node.putArray("kinds");
    for (AttackReport.Round round : report.rounds()) {
      rounds
          .addObject()
          .put("kind", round.kind().word())
          .put("frames", round.frames())
          .put("seconds", round.took().toMillis() / 1e3)
          .put("framesPerSecond", Math.round(round.rate()))
          .put("bursts", round.bursts())
          .put("cut", round.cut())
          .put("honestBefore", Math.round(round.before()))
          .put("honestDuring", Math.round(round.during()))
          .put("honestAfter", Math.round(round.after()))
          .put("longestPauseMillis", round.longestPauseMillis())
          .put("heapGrowthBytes", round.heapGrowth())
          .put("directGrowthBytes", round.directGrowth())
          .put("residentBytes", round.residentMax())
          .put("filesGrowth", round.filesGrowth());
    }
    ArrayNode violations = node.putArray("violations");
    report.violations().forEach(violations::add);
    return node.put("verdict", verdict(report));
  }
}
