package org.ecstore.bench.cli.options;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.ecstore.bench.report.HeadedLog;
import org.ecstore.server.file.DirectoryLock;
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
  public void mayBeDirectory(String option, Path directory) throws IOException {
    if (!Files.exists(directory)) {
      return;
    }
    if (!Files.isDirectory(directory)) {
      faults.add(option + ": " + directory + " is no directory");
      return;
    }
    require(
        DirectoryLock.isFreeToLock(directory),
        "%s: %s is of no command, which each writes over: give another directory"
            .formatted(option, directory.resolve(DirectoryLock.FILE_NAME)));
  }

  /** Files of a directory for results, which an earlier run has left, or others. */
  public void mustNotBeThere(String option, Path directory, Collection<String> names) {
    for (String name : names) {
      Path file = directory.resolve(name);
      require(
          !Files.exists(file),
          option
              + ": "
              + file
              + " is there, with what an earlier run has found: choose another directory");
    }
  }

  /** A directory of nodes, which a command that they run names between quotes. */
  public void mustHaveNoQuote(String option, Path directory) {
    require(
        directory.toAbsolutePath().toString().indexOf('"') < 0,
        option + " has a double quote, which no command can have that nodes run: choose another");
  }

  /** A directory for results, which is empty, or is not there. */
  public void mustBeFree(String option, Path directory) throws IOException {
    mayBeDirectory(option, directory);
    require(
        isEmptyBut(directory, Set.of(DirectoryLock.FILE_NAME)),
        option + ": " + directory + " is not empty: give one that is, or that is not there");
  }

  /**
   * A directory for results, which has those of an earlier run to go on with; or else is empty, or
   * not there. Of a run that ended at once there may be no more than where its nodes were to be.
   *
   * @param log the file that says whose results they are: a {@link HeadedLog}
   * @param hasWork whether the command has its nodes there too, as {@link ResultFiles} says
   */
  public void mustBeFreeOrOwn(String option, Path directory, String log, boolean hasWork)
      throws IOException {
    mayBeDirectory(option, directory);
    WorkDirectory work = new WorkDirectory(directory.resolve(ResultFiles.WORK));
    if (hasHead(directory.resolve(log))) {
      if (hasWork) {
        work.wrong().ifPresent(faults::add);
      }
      return;
    }
    boolean hasOwnWork = hasWork && work.isOwn();
    require(
        isEmptyBut(
            directory,
            hasOwnWork
                ? Set.of(DirectoryLock.FILE_NAME, log, ResultFiles.WORK)
                : Set.of(DirectoryLock.FILE_NAME, log)),
        "%s: %s is not empty, and has no %s of an earlier run to go on with: give one that is empty, or that is not there"
            .formatted(option, directory, log));
  }

  private boolean hasHead(Path log) throws IOException {
    try {
      return HeadedLog.head(log).isPresent();
    } catch (BadInputException e) {
      faults.add(String.valueOf(e.getMessage()));
      return true;
    }
  }

  /** Whether a directory has nothing but what may be there; or it is none. */
  private static boolean isEmptyBut(Path directory, Set<String> names) throws IOException {
    if (!Files.isDirectory(directory)) {
      return true;
    }
    try (Stream<Path> files = Files.list(directory)) {
      return files.allMatch(file -> names.contains(String.valueOf(file.getFileName())));
    }
  }

  /** Words for files that are in the way: all of them, so that they are moved at once. */
  public static String areThere(Collection<Path> files) {
    return files.stream().map(Path::toString).collect(Collectors.joining(", "))
        + (files.size() == 1 ? " is there" : " are there");
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
