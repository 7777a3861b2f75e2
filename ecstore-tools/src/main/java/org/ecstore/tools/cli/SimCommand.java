package org.ecstore.tools.cli;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.PrintWriter;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.ecstore.cluster.node.ExitStatus;
import org.ecstore.sim.Adapters;
import org.ecstore.sim.Plants;
import org.ecstore.sim.SeedRuns;
import org.ecstore.sim.SimResult;
import org.ecstore.sim.Simulation;
import org.ecstore.sim.node.NodeMutation;
import org.ecstore.sim.world.SwarmSettings;
import org.ecstore.sim.world.Violation;
import org.ecstore.tools.terminal.BadInputException;
import org.ecstore.tools.terminal.OptionBounds;
import org.ecstore.tools.terminal.TerminalProgress;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code ecstore sim}: whole clusters under virtual time, with faults, checked. */
@Command(
    name = "sim",
    description = {
      "Simulates clusters under faults and checks what their clients saw.",
      "",
      "Each seed is a cluster of its own with its own sizes, delays and misfortunes: crashes, lost"
          + " and late messages, partitions, pauses, failing disks. The nodes are the real ones;"
          + " time is not. A seed does the same each time it is run. Of a thousand seeds or more it is"
          + " checked as well that what is counted, as most of these are, came about in some of"
          + " them.",
      "",
      "With --mutants it is the checkers that are checked: single instructions of the protocol are "
          + "changed, and each change ought to be found. For example:",
      "  ecstore sim --mutants --count 10            ten mutants, drawn by seeds 1 to 10",
      "  ecstore sim --mutants --count 10 --seed 11  the next ten",
      "  ecstore sim --mutants --rule 11 --json      of classes that cite rule 11",
      "  ecstore sim --mutants --only 'txn.steward.Merge#obstacle ifeq ALWAYS_JUMPS'",
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  ecstore sim --seeds 200",
      "  ecstore sim --first-seed 4711 --seeds 1 --verbose   one run again, with all that happened"
    })
final class SimCommand implements Callable<Integer> {
  private static final int THREADS_MAX = 64;

  @Option(
      names = "--seeds",
      paramLabel = "N",
      defaultValue = "100",
      description = "How many seeds to run; ${DEFAULT-VALUE} if not given.")
  private int seeds;

  @Option(
      names = "--first-seed",
      paramLabel = "S",
      defaultValue = "1",
      description = "The first of them; ${DEFAULT-VALUE} if not given.")
  private long firstSeed;

  @Option(
      names = "--threads",
      paramLabel = "T",
      description = {
        "Seeds at a time, 2 if not given; with --mutants, mutants at a time, 1 if not given. "
            + "Changes no result."
      })
  private @Nullable Integer threadsGiven;

  @Option(
      names = "--plant",
      paramLabel = "NAME",
      description = "Simulate a planted bug instead, until it is found.")
  private @Nullable String plant;

  @Option(
      names = "--adapters",
      description = {
        "In half of the seeds, drawn by their number, nodes reach the ledger by the real adapter for "
            + "BookKeeper, and in half, drawn apart, coordination by the one for ZooKeeper, over "
            + "bookies and ZooKeepers that are faked. A seed is replayed by its number and this."
      })
  private boolean adapters;

  @Option(
      names = "--readers",
      description = {
        "Among the clients are readers of changes. A seed is replayed by its number and this."
      })
  private boolean readers;

  @Option(names = "--verbose", description = "Print every event. Only with --seeds 1.")
  private boolean verbose;

  @Option(names = "--json", description = "Print one JSON object as the last line instead.")
  private boolean json;

  @Mixin private final MutantOptions mutants = new MutantOptions();

  @Spec private CommandSpec spec;

  @Override
  public Integer call() {
    int threads = threadsGiven != null ? threadsGiven : mutants.asked() ? 1 : 2;
    OptionBounds.checkAtLeast("--seeds", seeds, 1);
    OptionBounds.checkBetween("--threads", threads, 1, THREADS_MAX);
    check(!adapters || plant == null, "--plant and --adapters are two things: leave one out");
    check(!adapters || !mutants.asked(), "--adapters is about ecStore as it is: no --mutants");
    check(!readers || plant == null, "--plant brings its own readers: leave out --readers");
    check(!readers || !mutants.asked(), "--readers is about ecStore as it is: no --mutants");
    check(!verbose || seeds == 1, "--verbose prints one seed only: add --seeds 1");
    if (mutants.asked()) {
      check(plant == null, "--plant and --mutants are two things: leave one out");
      check(!verbose, "--verbose prints one seed of what is right: leave out --mutants");
      new MutantReport(spec.commandLine().getOut(), json).run(mutants.settings(firstSeed, threads));
      return ExitStatus.OK;
    }
    mutants.checkNotGiven();
    NodeMutation variant = variant();
    PrintWriter out = spec.commandLine().getOut();
    if (verbose) {
      SimResult result = Simulation.run(SwarmSettings.of(firstSeed), variant, out::println);
      out.println(result.settings());
    }
    SeedRuns.Report report;
    try (TerminalProgress bar = TerminalProgress.start("sim", seeds)) {
      report = SeedRuns.run(firstSeed, seeds, threads, variant, plant != null, seed -> bar.step(1));
    }
    report.broken().forEach(this::explain);
    List<String> missed = plant == null ? report.missed(adapters, readers) : List.of();
    missed.forEach(this::tellMissed);
    if (json) {
      out.println(toJson(report, missed));
    } else {
      print(out, report);
    }
    out.flush();
    return report.violations() == 0 && missed.isEmpty() ? ExitStatus.OK : ExitStatus.CHECK_FAILED;
  }

  private void tellMissed(String line) {
    PrintWriter err = spec.commandLine().getErr();
    err.println("came about in too few seeds: " + line);
    err.flush();
  }

  private static void check(boolean right, String message) {
    if (!right) {
      throw new BadInputException(message);
    }
  }

  private NodeMutation variant() {
    String name = plant;
    try {
      if (name != null) {
        return Plants.named(name);
      }
      NodeMutation right = adapters ? Adapters.inHalfOfTheSeeds() : NodeMutation.RIGHT;
      return readers ? right.withReaders() : right;
    } catch (IllegalArgumentException e) {
      throw new BadInputException(asked() + ": " + e.getMessage());
    }
  }

  /** What is simulated, as it was asked for. */
  private String asked() {
    if (plant != null) {
      return "--plant " + plant;
    }
    return ((adapters ? "--adapters " : "") + (readers ? "--readers" : "")).strip();
  }

  /** A violation goes to standard error, so that the last line of the output stays the result. */
  private void explain(Violation violation) {
    PrintWriter err = spec.commandLine().getErr();
    err.println(violation);
    err.println(
        "replay: bin/ecstore sim --first-seed "
            + violation.seed()
            + " --seeds 1 "
            + (asked().isEmpty() ? "" : asked() + " ")
            + "--verbose");
    err.flush();
  }

  private static ObjectNode toJson(SeedRuns.Report report, List<String> missed) {
    ObjectNode node =
        JsonNodeFactory.instance
            .objectNode()
            .put("seeds", report.seeds())
            .put("violations", report.violations())
            .put("virtualHours", Math.round(report.virtualHours() * 1000) / 1000.0)
            .put("commits", report.commits())
            .put("events", report.events())
            .put("traceHash", HexFormat.of().toHexDigits(report.traceHash()));
    ObjectNode counted = node.putObject("seedsWith");
    report.seedsWith().forEach(counted::put);
    if (!missed.isEmpty()) {
      missed.forEach(node.putArray("missed")::add);
    }
    report.first().ifPresent(first -> node.put("firstFailingSeed", first.seed()));
    if (report.violations() > 0) {
      ArrayNode failing = node.putArray("failingSeeds");
      report.broken().forEach(violation -> failing.add(violation.seed()));
    }
    return node;
  }

  private static void print(PrintWriter out, SeedRuns.Report report) {
    row(out, "seeds", String.valueOf(report.seeds()));
    row(out, "violations", String.valueOf(report.violations()));
    row(out, "virtual hours", String.format(Locale.ROOT, "%.2f", report.virtualHours()));
    row(out, "commits", report.commits() + " of " + report.attempts() + " attempts");
    row(out, "events", String.valueOf(report.events()));
    row(out, "trace hash", HexFormat.of().toHexDigits(report.traceHash()));
    report.faults().forEach((fault, times) -> row(out, fault, String.valueOf(times)));
  }

  private static void row(PrintWriter out, String name, String value) {
    out.println(String.format(Locale.ROOT, "%-32s %s", name, value));
  }
}
