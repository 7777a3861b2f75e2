package org.ecstore.bench.cli.options;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.stream.Stream;
import org.ecstore.tools.objective.Amount;
import org.ecstore.tools.terminal.BadInputException;

/** What is wrong with the options of a command, to be said all at once. */
public final class OptionFaults {
  private static final double NANOS_PER_MILLI = 1e6;
  private static final int RUNS_MAX = 100;

  private final List<String> faults = new ArrayList<>();

  /** None yet. */
  public OptionFaults() {}

  /** A fault, unless something holds. */
  public void require(boolean holds, String fault) {
    if (!holds) {
      faults.add(fault);
    }
  }

  /** One more. */
  public void add(String fault) {
    faults.add(fault);
  }

  /** As many faults as there are. */
  public void addAll(Collection<String> more) {
    faults.addAll(more);
  }

  /** A time; where it is wrong that is a fault, and another one is taken. */
  public Duration time(String option, String text, Duration least) {
    try {
      Duration time = Duration.ofNanos(Math.round(Amount.millis(option, text) * NANOS_PER_MILLI));
      require(
          time.compareTo(least) >= 0,
          "%s is %ds at least, not \"%s\"".formatted(option, least.toSeconds(), text));
      return time;
    } catch (BadInputException e) {
      faults.add(String.valueOf(e.getMessage()));
      return Duration.ofHours(1);
    }
  }

  /** How often something is done: {@code --runs}. */
  public void mustBeRuns(int runs) {
    require(
        runs >= 1 && runs <= RUNS_MAX, "--runs is from 1 to %d, not %d".formatted(RUNS_MAX, runs));
  }

  /** A directory for results, which may have some; or it is not there. */
  public void mayBeDirectory(String option, Path directory) {
    require(
        !Files.exists(directory) || Files.isDirectory(directory),
        option + ": " + directory + " is no directory");
  }

  /** A directory of nodes, which a command that they run names between quotes. */
  public void mustHaveNoQuote(String option, Path directory) {
    require(
        directory.toAbsolutePath().toString().indexOf('"') < 0,
        option + " has a double quote, which no command can have that nodes run: choose another");
  }

  /** A directory for results, which is empty, or is not there. */
  public void mustBeFree(String option, Path directory) throws IOException {
    if (!Files.exists(directory)) {
      return;
    }
    if (!Files.isDirectory(directory)) {
      mayBeDirectory(option, directory);
      return;
    }
    try (Stream<Path> files = Files.list(directory)) {
      require(
          files.findAny().isEmpty(),
          option + ": " + directory + " is not empty: give one that is, or that is not there");
    }
  }

  /** Whether there is none. */
  public boolean isEmpty() {
    return faults.isEmpty();
  }

  /** All of them, to be thrown. */
  public BadInputException exception() {
    return new BadInputException(String.join("; ", faults));
  }
}
