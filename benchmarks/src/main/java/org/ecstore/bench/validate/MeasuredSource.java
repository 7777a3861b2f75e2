package org.ecstore.bench.validate;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.ecstore.bench.qos.MeasuredSubject;
import org.ecstore.bench.qos.TableRunLog;
import org.ecstore.bench.report.HeadedLog;
import org.ecstore.tools.plan.TableFiles;
import org.ecstore.tools.terminal.BadInputException;
import org.ecstore.txn.qos.table.PerformanceTable;

/**
 * A table that {@code qos measure} wrote, and how it was measured, by the runs beside it.
 *
 * @param file the table's, as it was given
 */
public record MeasuredSource(Path file, PerformanceTable table, MeasuredSubject subject) {
  private static final String TABLE = ".csv";

  /**
   * Reads a table and the head of its runs.
   *
   * @param build that the table has to be of
   * @param processors of the machine that it has to be of
   * @throws BadInputException if it is of another one, or its runs are; with what differs
   * @throws IOException if a file cannot be read
   */
  public static MeasuredSource read(Path file, String build, int processors) throws IOException {
    PerformanceTable table = TableFiles.read(file);
    Path runs = runs(file);
    if (!Files.exists(runs)) {
      throw new BadInputException(
          "%s is not there, which says how %s was measured: give a table of qos measure where that has left it"
              .formatted(runs, file));
    }
    JsonNode head =
        HeadedLog.head(runs)
            .orElseThrow(() -> new BadInputException(runs + " has no line: it says nothing"));
    MeasuredSubject subject =
        MeasuredSubject.of(head)
            .orElseThrow(
                () ->
                    new BadInputException(
                        "%s does not say in its first line how %s was measured"
                            .formatted(runs, file)));
    mustBeNone(
        "%s is not of the runs beside it".formatted(file),
        table.subject().differencesFrom(subject.subject()));
    mustBeNone(
        "%s does not fit, measure it anew by qos measure".formatted(file),
        HeadedLog.differences(subject.at(build, processors).json(), head));
    return new MeasuredSource(file, table, subject);
  }

  private static void mustBeNone(String what, List<String> differences) {
    if (!differences.isEmpty()) {
      throw new BadInputException(what + ": " + String.join("; ", differences));
    }
  }

  /** {@code je-small-zipf-read.runs.jsonl} of {@code je-small-zipf-read.csv}. */
  private static Path runs(Path file) {
    String name = String.valueOf(file.getFileName());
    String stem = name.endsWith(TABLE) ? name.substring(0, name.length() - TABLE.length()) : name;
    return file.resolveSibling(stem + TableRunLog.ENDING);
  }
}
