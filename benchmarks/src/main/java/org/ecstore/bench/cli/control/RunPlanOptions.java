package org.ecstore.bench.cli.control;

import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import org.ecstore.bench.cli.options.OptionFaults;
import org.ecstore.bench.control.QosRunSettings;
import org.ecstore.bench.control.RunPlan;
import org.ecstore.bench.validate.MeasuredSource;
import org.ecstore.server.Release;
import org.ecstore.server.file.FileErrors;
import org.ecstore.tools.terminal.BadInputException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/**
 * What {@code bench qos} is told of a plan that its nodes are chosen by: a mixin of its options.
 */
final class RunPlanOptions {
  private static final double NANOS_PER_MILLI = 1e6;

  /** With fewer of them each has to be there for ZooKeeper's majority. */
  private static final int NODES_TO_LOSE_ONE = 3;

  /**
   * An option that does not go with a table.
   *
   * @param why in a few words, with what to give
   */
  private record Misfit(String option, String why) {}

  private static final String OPEN =
      "a table is of clients that each wait for an answer: give --clients";
  private static final String ALONE = "the plan is of the shop alone";
  private static final List<Misfit> MISFITS =
      List.of(
          new Misfit("--nodes", "the plan says how many nodes there are at the beginning"),
          new Misfit("--rate", OPEN),
          new Misfit("--promise", OPEN),
          new Misfit("--p99", "the plan is of the mean response time: give --response-time"),
          new Misfit("--saturation", "nodes run until they are steady: give --settle"),
          new Misfit("--flood", ALONE),
          new Misfit("--flood-clients", ALONE),
          new Misfit("--rounds", ALONE));

  @Option(
      names = "--table",
      paramLabel = "FILE",
      description = {
        "A table that qos measure wrote, with its runs beside it: the cluster begins with as many"
            + " nodes as it plans, of its class, capacity, heap and cache. The load is --clients in"
            + " the calm phase, twice as many, and a tenth; each waits for an answer."
      })
  private @Nullable Path table;

  @Option(
      names = "--response-time",
      paramLabel = "TIME",
      description = "With --table, in place of --p99: what the mean response time may be.")
  private @Nullable String responseTime;

  @Option(
      names = "--settle",
      paramLabel = "TIME",
      defaultValue = "180s",
      description = {
        "With --table, in place of --saturation: how long the cluster may take to become steady"
            + " under the table's most clients; if it does not, the result says so."
            + " ${DEFAULT-VALUE}."
      })
  private String settle = "";

  /** Whether there is a table. */
  boolean isAsked() {
    return table != null;
  }

  /** Looks at what else was given. */
  void checkOthers(OptionFaults faults, Predicate<String> isGiven) {
    if (!isAsked()) {
      for (String option : List.of("--response-time", "--settle")) {
        faults.require(!isGiven.test(option), option + " is for --table: give that too");
      }
      return;
    }
    for (Misfit misfit : MISFITS) {
      faults.require(
          !isGiven.test(misfit.option()),
          "%s does not go with --table: %s".formatted(misfit.option(), misfit.why()));
    }
    faults.require(
        isGiven.test("--clients"), "--table needs --clients, the load that the plan is for");
    faults.require(
        responseTime != null,
        "--table needs --response-time, what the mean response time may be, as 6ms");
  }

  /** What the mean response time may be. */
  Duration target(OptionFaults faults) {
    String text = responseTime;
    return text == null ? Duration.ofHours(1) : faults.time("--response-time", text, Duration.ZERO);
  }

  /** The table; absent if there is none, and with a fault. */
  Optional<MeasuredSource> source(OptionFaults faults, int processors) throws IOException {
    Path file = table;
    if (file == null) {
      return Optional.empty();
    }
    try {
      return Optional.of(MeasuredSource.read(file, Release.version(), processors));
    } catch (BadInputException e) {
      faults.add("--table: " + e.getMessage());
      return Optional.empty();
    } catch (FileSystemException e) {
      faults.add("--table: " + e.getFile() + ": " + FileErrors.reason(e));
      return Optional.empty();
    }
  }

  /**
   * The plan; absent with a fault.
   *
   * @param clients of the calm phase
   */
  Optional<RunPlan> plan(
      OptionFaults faults, Predicate<String> isGiven, MeasuredSource source, int clients) {
    Duration within =
        settle.strip().equals("0")
            ? Duration.ZERO
            : faults.time("--settle", settle, Duration.ofSeconds(1));
    if (responseTime == null || !isGiven.test("--clients")) {
      return Optional.empty(); // Said before.
    }
    double millis = target(new OptionFaults()).toNanos() / NANOS_PER_MILLI;
    try {
      return Optional.of(RunPlan.of(source, clients, millis, within));
    } catch (BadInputException e) {
      faults.add("--table: " + e.getMessage());
      return Optional.empty();
    }
  }

  /** What the user should know of a plan before, a line each. */
  static List<String> notes(RunPlan plan, QosRunSettings settings) {
    List<String> notes = new ArrayList<>();
    notes.add(plan.doubledWords(settings.machines().nodesMax()));
    int copies = settings.store().copies();
    int measured = plan.source().subject().copies();
    if (copies != measured) {
      notes.add(
          "the table was measured with %d copies of each range, the cluster has %d: what is predicted is of those"
              .formatted(measured, copies));
    }
    if (settings.course().kills() > 0 && plan.nodes() < NODES_TO_LOSE_ONE) {
      notes.add(
          "fewer than 3 nodes have no majority without one of them, and %d are planned: while a killed one is away nothing is answered; a table whose fewest nodes are 3 plans no fewer"
              .formatted(plan.nodes()));
    } else if (settings.course().kills() > 0 && copies == 1) {
      notes.add(
          "with one copy of each range, what a killed node has is not there while it is away: give --copies 2");
    }
    return notes;
  }
}
