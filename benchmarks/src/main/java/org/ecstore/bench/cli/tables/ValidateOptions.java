package org.ecstore.bench.cli.tables;

import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import org.ecstore.bench.cli.options.OptionFaults;
import org.ecstore.bench.qos.GrowingCluster.ControlPace;
import org.ecstore.bench.validate.MeasuredSource;
import org.ecstore.bench.validate.PlanValidation;
import org.ecstore.bench.validate.ValidationSettings;
import org.ecstore.server.Release;
import org.ecstore.server.file.FileErrors;
import org.ecstore.tools.terminal.BadInputException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** What {@code qos validate} is told, and what is wrong with it: all of that at once. */
final class ValidateOptions {
  private static final int PLANS_MAX = 100;
  private static final int WINDOW_MAX = 100;
  private static final Duration CHECK_MIN = Duration.ofSeconds(1);
  private static final double SECONDS_MIN = 0.1;

  @Option(
      names = "--table",
      paramLabel = "FILE",
      required = true,
      description = "A table that qos measure wrote, with its runs beside it.")
  private Path table = Path.of("");

  @Option(
      names = "--out",
      paramLabel = "DIR",
      required = true,
      description = {
        "Where runs, result and plots go: empty, made if it is not there, or of a validation that"
            + " goes on."
      })
  private Path directory = Path.of("");

  @Option(
      names = "--plans",
      paramLabel = "N",
      defaultValue = "5",
      description = "How many objectives are drawn. ${DEFAULT-VALUE}; fewer show nothing.")
  private int plans;

  @Option(
      names = "--seed",
      paramLabel = "N",
      defaultValue = "1",
      description = "Of what is drawn. ${DEFAULT-VALUE}.")
  private long seed;

  @Option(
      names = "--runs",
      paramLabel = "N",
      defaultValue = "3",
      description = "How often each plan is measured. ${DEFAULT-VALUE}.")
  private int runs;

  @Option(
      names = "--seconds",
      paramLabel = "S",
      description = "How long each run counts. As those of the table if not given.")
  private @Nullable Double seconds;

  @Option(
      names = "--warm-up",
      paramLabel = "S",
      description = "For how long clients run before that. As of the table if not given.")
  private @Nullable Double warmUp;

  @Option(
      names = "--settle",
      paramLabel = "S",
      defaultValue = "180",
      description =
          "How long a cluster may take to become steady; if it does not, the result says so."
              + " ${DEFAULT-VALUE}.")
  private double settle;

  @Option(
      names = "--check",
      paramLabel = "TIME",
      defaultValue = "5s",
      description = {
        "How often the controller looks (qos.check), a second at least; clients report as often."
            + " ${DEFAULT-VALUE}."
      })
  private String check = "";

  @Option(
      names = "--window",
      paramLabel = "N",
      defaultValue = "4",
      description = "Checks after which it may act (qos.window), 2 at least. ${DEFAULT-VALUE}.")
  private int window;

  @Option(
      names = "--grown",
      description = {
        "Each cluster begins with the first nodes of the table's and grows, as that did. If not"
            + " given it begins with all nodes of its plan, as a user's would."
      })
  private boolean grown;

  /** Where results go. */
  Path directory() {
    return directory;
  }

  /**
   * Checks all of it.
   *
   * @param processors of this machine
   * @throws BadInputException with everything that is wrong
   */
  ValidationSettings check(int processors) throws IOException {
    OptionFaults faults = new OptionFaults();
    faults.require(
        plans >= 1 && plans <= PLANS_MAX,
        "--plans is from 1 to %d, not %d".formatted(PLANS_MAX, plans));
    Double counted = seconds;
    Double uncounted = warmUp;
    TableOptions.checkRuns(
        faults,
        runs,
        counted == null ? SECONDS_MIN : counted,
        uncounted == null ? 0 : uncounted,
        settle);
    faults.require(
        window >= 2 && window <= WINDOW_MAX,
        "--window is from 2 to %d, not %d".formatted(WINDOW_MAX, window));
    Duration every = faults.time("--check", check, CHECK_MIN);
    faults.mustBeFreeOrOwn("--out", directory, PlanValidation.RUNS, true);
    faults.mustHaveNoQuote("--out", directory);
    Optional<MeasuredSource> source = source(faults, processors);
    if (!faults.isEmpty() || source.isEmpty()) {
      throw faults.exception();
    }
    MeasuredSource measured = source.get();
    return new ValidationSettings(
        new MeasuredSource(
            measured.file(),
            measured.table(),
            measured
                .subject()
                .lasting(
                    counted == null ? measured.subject().seconds() : counted,
                    uncounted == null ? measured.subject().warmUpSeconds() : uncounted)),
        plans,
        seed,
        runs,
        Duration.ofMillis(Math.round(1_000 * settle)),
        grown,
        new ControlPace(every, window));
  }

  /** The table; absent with a fault. */
  private Optional<MeasuredSource> source(OptionFaults faults, int processors) throws IOException {
    try {
      return Optional.of(MeasuredSource.read(table, Release.version(), processors));
    } catch (BadInputException e) {
      faults.add("--table: " + e.getMessage());
      return Optional.empty();
    } catch (FileSystemException e) {
      faults.add("--table: " + e.getFile() + ": " + FileErrors.reason(e));
      return Optional.empty();
    }
  }
}
