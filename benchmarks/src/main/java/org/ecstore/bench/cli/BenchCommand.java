package org.ecstore.bench.cli;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.Closeable;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.ecstore.bench.cli.control.QosRunCommand;
import org.ecstore.bench.cli.elastic.ElasticityCommand;
import org.ecstore.bench.cli.offline.MicroCommand;
import org.ecstore.bench.cli.offline.PlotCommand;
import org.ecstore.bench.cli.offline.ReportCommand;
import org.ecstore.bench.cli.options.OptionFaults;
import org.ecstore.bench.cost.Calibration;
import org.ecstore.bench.cost.CostModel;
import org.ecstore.bench.figure.Claim;
import org.ecstore.bench.figure.FigureReport;
import org.ecstore.bench.figure.FigureRun;
import org.ecstore.bench.figure.PaperFigures;
import org.ecstore.bench.plot.Plots;
import org.ecstore.bench.process.ProcessFigures;
import org.ecstore.bench.report.BenchReport;
import org.ecstore.server.file.DirectoryLock;
import org.ecstore.server.file.TemporaryDirectory;
import org.ecstore.tools.terminal.TerminalProgress;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code ecstore bench}: the paper's figures, and the costs they rest on. */
@Command(
    name = "bench",
    subcommands = {
      YcsbCommand.class,
      SocialCommand.class,
      PhotosCommand.class,
      SmallBankCommand.class,
      IndexesCommand.class,
      FollowCommand.class,
      HostsCommand.class,
      CompareCommand.class,
      ReportCommand.class,
      PlotCommand.class,
      EnginesCommand.class,
      MyCassandraCommand.class,
      TpcwCommand.class,
      QosRunCommand.class,
      ElasticityCommand.class,
      MicroCommand.class
    },
    description = {
      "Measures ecStore on this machine, and draws the figures of the paper.",
      "",
      "ycsb, social, photos, smallbank and indexes start nodes, load them and measure them under"
          + " clients; hosts does so with more and more nodes, compare with other stores beside"
          + " ecStore; report makes a page of results, plot draws pictures of stored ones; qos"
          + " shows that a cluster keeps what it has promised by itself, elasticity what clients"
          + " have while a node is added and drained. The figures of the paper come from"
          + " simulations of up to 36 nodes with costs that are measured on this machine, on the"
          + " real engine, codec and ledger; and some of them from real processes too."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  ecstore bench ycsb --workload A,C --seconds 30",
      "  ecstore bench compare --peers mariadb,redis --workload read-only --rounds 3",
      "  ecstore bench paper --figure all --processes 3 --out figures"
    })
final class BenchCommand implements Runnable {
  private static final String NUMBERS = "figures.json";
  private static final String PAGE = "figures.md";

  /** Names of files that a run of figures writes. */
  private static final Pattern WRITTEN =
      Pattern.compile("figures\\.(json|md)|figure-[0-9]{2}.*\\.svg");

  @Spec private CommandSpec spec;

  /** The command line of this, in which no command has options that it only refuses. */
  static CommandLine commandLine() {
    CommandLine line = new CommandLine(new BenchCommand());
    for (String ofEcStoreOnly : List.of("smallbank", "indexes")) {
      CommandSpec command =
          Objects.requireNonNull(line.getSubcommands().get(ofEcStoreOnly)).getCommandSpec();
      for (String name : LoadOptions.OF_OTHER_STORES) {
        command.remove(command.findOption(name));
      }
    }
    MyCassandraCommand.adjust(
        Objects.requireNonNull(line.getSubcommands().get("mycassandra")).getCommandSpec());
    return line;
  }

  @Override
  public void run() {
    throw new ParameterException(
        spec.commandLine(),
        "bench what: ycsb, social, photos, smallbank, hosts, compare, report, plot, engines,"
            + " mycassandra, tpcw, qos, elasticity, micro, paper or calibrate?");
  }

  @Command(
      name = "calibrate",
      description = {
        "Measures what things cost on this machine, in nanoseconds.",
        "",
        "Some seconds. A later run of figures takes the result with --costs."
      },
      footerHeading = "%nExamples:%n",
      footer = {"  ecstore bench calibrate --json > costs.json"})
  int calibrate(
      @Option(names = "--json", description = "Print one JSON object instead.") boolean json,
      @Option(names = "--quick", description = "Fewer rounds: less exact.") boolean quick)
      throws IOException, InterruptedException {
    CostModel costs = measured(quick);
    PrintWriter out = spec.commandLine().getOut();
    if (json) {
      out.println(BenchReport.costs(costs));
    } else {
      costs.byName().forEach((name, nanos) -> out.printf("%-14s %,12d ns%n", name, nanos));
    }
    out.flush();
    return 0;
  }

  @Command(
      name = "paper",
      description = {
        "Runs figures of the paper and says which of its claims hold.",
        "",
        "Prints each claim and the numbers that decide. With --out, the plots (SVG), the page and"
            + " all numbers (JSON) are left in a directory. The same seed and costs give the same"
            + " numbers. Everything is run five times; a claim on which the repetitions disagree is"
            + " not shown. A claim that does not hold is a result, not a failure: the exit status"
            + " is 0."
      },
      footerHeading = "%nExamples:%n",
      footer = {
        "  ecstore bench paper --figure 8,9",
        "  ecstore bench paper --figure all --processes 3 --out figures",
        "  ecstore bench paper --figure 4 --quick"
      })
  int paper(
      @Option(
              names = "--figure",
              required = true,
              split = ",",
              paramLabel = "N",
              description = "Numbers of figures, or all.")
          List<String> figures,
      @Option(names = "--json", description = "Print one JSON object with every number instead.")
          boolean json,
      @Option(
              names = "--out",
              paramLabel = "DIR",
              description = {
                "Where plots, page and numbers go; made if it is not there. Those of an earlier run"
                    + " are written over."
              })
          @Nullable Path directory,
      @Option(
              names = "--seed",
              paramLabel = "S",
              defaultValue = "1",
              description = "Of the first repetition; ${DEFAULT-VALUE} if not given.")
          long seed,
      @Option(
              names = "--costs",
              paramLabel = "FILE",
              description =
                  "Costs of an earlier calibration or report, as JSON; measured at the start if not"
                      + " given.")
          @Nullable Path costsFile,
      @Option(
              names = "--processes",
              paramLabel = "N",
              defaultValue = "0",
              description = {
                "Measure figures 4, 5, 6, 12, 16 and 17 on N node processes of this machine too, 3"
                    + " at least: some minutes more. None if not given."
              })
          int processes,
      @Option(names = "--quick", description = "Fewer sizes and operations: to see that it works.")
          boolean quick)
      throws IOException, InterruptedException {
    TreeSet<Integer> numbers = numbers(figures);
    if (processes != 0 && processes < 3) {
      throw new ParameterException(
          spec.commandLine().getSubcommands().get("paper"),
          "--processes is 3 at least, as ranges have three copies, not " + processes);
    }
    if (directory != null) {
      checkOut(directory);
    }
    try (Closeable _ = locked(directory)) {
      CostModel costs = costsFile == null ? measured(quick) : read(costsFile);
      String source = costsFile == null ? "measured at the start of the run" : "from a file";
      List<FigureReport> reports;
      try (TerminalProgress bar =
          TerminalProgress.start("figures", PaperFigures.steps(numbers, quick))) {
        reports =
            PaperFigures.run(numbers, new FigureRun(seed, quick, costs, true, () -> bar.step(1)));
      }
      if (processes > 0) {
        reports = onProcesses(reports, numbers, processes, quick);
      }
      Map<Integer, List<String>> plots = new LinkedHashMap<>();
      if (directory != null) {
        for (FigureReport report : reports) {
          plots.put(report.number(), Plots.draw(report, directory));
        }
      }
      BenchReport report = new BenchReport(costs, source, seed, quick, reports, plots);
      if (directory != null) {
        Files.writeString(directory.resolve(NUMBERS), report.json().toPrettyString() + "\n");
        Files.writeString(directory.resolve(PAGE), report.page(""));
      }
      PrintWriter out = spec.commandLine().getOut();
      if (json) {
        out.println(report.json());
      } else {
        print(out, costs, source, reports);
      }
      out.flush();
      return 0;
    }
  }

  /** Where there is a file that would be written over it is of an earlier run. */
  private void checkOut(Path directory) throws IOException {
    OptionFaults faults = new OptionFaults();
    faults.mayBeDirectory("--out", directory);
    if (Files.isDirectory(directory) && !BenchReport.isIn(directory.resolve(NUMBERS))) {
      try (Stream<Path> files = Files.list(directory)) {
        List<Path> others =
            files
                .filter(file -> WRITTEN.matcher(String.valueOf(file.getFileName())).matches())
                .sorted()
                .toList();
        faults.require(
            others.isEmpty(),
            "--out: %s, and no %s of bench paper is: move what is there, or give another directory"
                .formatted(OptionFaults.areThere(others), NUMBERS));
      }
    }
    if (!faults.isEmpty()) {
      throw faults.exception();
    }
  }

  private static Closeable locked(@Nullable Path directory) throws IOException {
    if (directory == null) {
      return () -> {};
    }
    DirectoryLock lock = DirectoryLock.acquireForOnce(directory);
    return lock::close;
  }

  private static List<FigureReport> onProcesses(
      List<FigureReport> simulated, TreeSet<Integer> numbers, int processes, boolean quick)
      throws IOException, InterruptedException {
    try (TemporaryDirectory directory = TemporaryDirectory.create("ecstore-bench");
        TerminalProgress bar =
            TerminalProgress.start("processes", ProcessFigures.steps(numbers, quick))) {
      return new ProcessFigures(processes, quick, () -> bar.step(1))
          .added(simulated, directory.path().resolve("cluster"));
    }
  }

  private static void print(
      PrintWriter out, CostModel costs, String source, List<FigureReport> reports) {
    out.printf("costs in microseconds, %s: %s%n", source, BenchReport.costsText(costs));
    for (FigureReport report : reports) {
      out.printf("%nfigure %d: %s%n%s%n", report.number(), report.title(), report.how());
      for (Claim claim : report.claims()) {
        out.printf("  %-14s  %s%n", claim.verdict().words(), claim.paper());
        out.printf("                  medians: %s%n", claim.found());
        out.printf("                  decided at %s%n", claim.decided());
      }
    }
  }

  private TreeSet<Integer> numbers(List<String> figures) {
    TreeSet<Integer> known = PaperFigures.numbers();
    if (figures.equals(List.of("all"))) {
      return known;
    }
    TreeSet<Integer> numbers = new TreeSet<>();
    for (String figure : figures) {
      if (!figure.matches("[0-9]{1,3}") || !known.contains(Integer.valueOf(figure))) {
        throw new ParameterException(
            spec.commandLine().getSubcommands().get("paper"),
            "no figure " + figure + " here; there are " + known + ", or all");
      }
      numbers.add(Integer.valueOf(figure));
    }
    return numbers;
  }

  private static CostModel measured(boolean quick) throws IOException, InterruptedException {
    try (TemporaryDirectory directory = TemporaryDirectory.create("ecstore-bench");
        TerminalProgress bar = TerminalProgress.start("calibration", Calibration.steps())) {
      return new Calibration(directory.path(), quick, () -> bar.step(1)).measure();
    }
  }

  private CostModel read(Path file) throws IOException {
    if (!Files.exists(file)) {
      throw new NoSuchFileException(file.toString());
    }
    try {
      JsonNode json = new ObjectMapper().readTree(Files.readString(file));
      return BenchReport.costs(json);
    } catch (IllegalArgumentException | CharacterCodingException | JsonProcessingException e) {
      throw new ParameterException(
          spec.commandLine(),
          file + " has no costs: make one with ecstore bench calibrate --json",
          e);
    }
  }
}
