package org.ecstore.tools.plan;

import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.ecstore.server.file.FileErrors;
import org.ecstore.tools.terminal.BadInputException;
import org.ecstore.txn.qos.table.PerformanceTable;

/**
 * The tables that a plan may be made by.
 *
 * @param sources one at least, unless all are left out
 * @param leftOut what was found beside them and cannot be used, a sentence each
 */
public record PlanTables(List<Source> sources, List<String> leftOut) {
  /** Where tables are looked for, below the working directory: where the examples have them. */
  public static final String USUAL = "tables";

  private static final String ENDING = ".csv";
  private static final int TABLES_MAX = 64;

  public PlanTables {
    sources = List.copyOf(sources);
    leftOut = List.copyOf(leftOut);
  }

  /**
   * A table.
   *
   * @param name its file, or what a cluster calls it
   * @param isChosen whether it was named itself: if it does not fit, that is said, where one of
   *     many is left out
   */
  public record Source(String name, PerformanceTable table, boolean isChosen) {}

  /**
   * Of files, and of all tables in directories.
   *
   * @throws BadInputException if a file is no table, a directory has none, or there are too many
   * @throws IOException if a file that was named, or a directory, cannot be read
   */
  public static PlanTables of(List<Path> given) throws IOException {
    List<Source> sources = new ArrayList<>();
    List<String> leftOut = new ArrayList<>();
    for (Path path : given) {
      TableFiles.mustHaveName(path);
      if (!Files.isDirectory(path)) {
        sources.add(new Source(path.toString(), TableFiles.read(path), true));
        continue;
      }
      List<Path> files = in(path);
      if (files.isEmpty()) {
        throw new BadInputException(
            "%s has no table, no file whose name ends in .csv: \"ecstore qos measure --out %s\" measures some"
                .formatted(path, path));
      }
      for (Path file : files) {
        try {
          sources.add(new Source(file.toString(), TableFiles.read(file), false));
        } catch (BadInputException e) {
          leftOut.add(String.valueOf(e.getMessage()));
        } catch (FileSystemException e) {
          leftOut.add(file + ": " + FileErrors.reason(e));
        } catch (IOException e) {
          leftOut.add(file + ": " + e.getMessage());
        }
      }
    }
    if (sources.size() > TABLES_MAX) {
      throw new BadInputException(
          "%d tables are more than %d: name some by --table FILE"
              .formatted(sources.size(), TABLES_MAX));
    }
    return new PlanTables(sources, leftOut);
  }

  /**
   * Those where {@code qos measure --out tables} writes them; absent if there is no such file.
   *
   * @param working the working directory
   */
  public static Optional<PlanTables> usual(Path working) throws IOException {
    Path directory = working.resolve(USUAL);
    return Files.isDirectory(directory) && !in(directory).isEmpty()
        ? Optional.of(of(List.of(directory)))
        : Optional.empty();
  }

  /** By name, so that of equal plans the same one is taken each time. */
  private static List<Path> in(Path directory) throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files
          .filter(file -> file.toString().endsWith(ENDING) && Files.isRegularFile(file))
          .sorted()
          .toList();
    }
  }
}
