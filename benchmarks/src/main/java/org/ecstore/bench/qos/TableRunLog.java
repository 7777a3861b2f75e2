package org.ecstore.bench.qos;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.ecstore.bench.report.HeadedLog;
import org.ecstore.tools.plan.MeasuredNodes;
import org.ecstore.tools.terminal.BadInputException;
import org.ecstore.txn.qos.table.GridPoint;

/**
 * The file that keeps every run of a table as soon as it is made, so that a measurement that was
 * killed goes on where it was: a {@link HeadedLog} whose head says what is measured.
 */
public final class TableRunLog {
  /** Behind the table's name. */
  public static final String ENDING = MeasuredNodes.RUNS;

  private final HeadedLog log;
  private final List<TableRun> runs;

  private TableRunLog(HeadedLog log, List<TableRun> runs) {
    this.log = log;
    this.runs = runs;
  }

  /**
   * Whether the runs of a directory, if there are any, are of a subject.
   *
   * @throws HeadedLog.OtherHeadException if not
   * @throws BadInputException if the file is none of these
   * @throws IOException if it cannot be read
   */
  public static void check(Path directory, MeasuredSubject subject) throws IOException {
    there(directory, subject);
  }

  /** The runs of a subject that are there, none if there are none; as {@link #check}. */
  public static List<TableRun> there(Path directory, MeasuredSubject subject) throws IOException {
    return HeadedLog.there(
        file(directory, subject),
        subject.json(),
        TableRun::of,
        "give another --out, or move it and what is beside it (%s.csv, %s-*.svg)"
            .formatted(subject.name(), subject.name()));
  }

  /**
   * A subject as the runs have it that are there: their cluster may have begun with fewer nodes,
   * and grows to those that are wanted.
   *
   * @param isGiven whether the user has said a capacity; if not, it is that of the runs
   * @throws BadInputException if it began with more, and is the same otherwise
   */
  public static MeasuredSubject continued(Path directory, MeasuredSubject wanted, boolean isGiven)
      throws IOException {
    Path file = file(directory, wanted);
    Optional<JsonNode> head = HeadedLog.head(file);
    Optional<MeasuredSubject> there = head.flatMap(MeasuredSubject::of);
    if (head.isEmpty() || there.isEmpty()) {
      return wanted;
    }
    MeasuredSubject subject =
        isGiven ? wanted : wanted.ofCapacity(there.get().nodeClass().capacity());
    int begun = there.get().firstNodes();
    MeasuredSubject from = subject.from(begun);
    if (begun > subject.firstNodes() && HeadedLog.differences(from.json(), head.get()).isEmpty()) {
      throw new BadInputException(
          "%s began with %d nodes, and a cluster does not shrink to fewer: begin --nodes with %d, and what is measured stays; or give another --out"
              .formatted(file, begun, begun));
    }
    return begun < subject.firstNodes() ? from : subject;
  }

  /** Files of a subject's table that are there though no runs are: they are of another's. */
  public static List<Path> withoutRuns(Path directory, MeasuredSubject subject) throws IOException {
    if (HeadedLog.head(file(directory, subject)).isPresent()) {
      return List.of();
    }
    List<String> files = new ArrayList<>(TablePlots.files(subject.name()));
    files.addFirst(subject.name() + ".csv");
    return files.stream().map(directory::resolve).filter(Files::exists).toList();
  }

  /**
   * Opens the runs of a subject, or begins them.
   *
   * @throws HeadedLog.OtherHeadException if those there are of another one
   */
  public static TableRunLog open(Path directory, MeasuredSubject subject) throws IOException {
    List<TableRun> there = there(directory, subject);
    return new TableRunLog(
        HeadedLog.open(file(directory, subject), subject.json()), new ArrayList<>(there));
  }

  private static Path file(Path directory, MeasuredSubject subject) {
    return directory.resolve(subject.name() + ENDING);
  }

  /** All that were made, in their order. */
  public List<TableRun> runs() {
    return List.copyOf(runs);
  }

  /** Those of a cell. */
  public List<TableRun> runs(GridPoint point) {
    return runs.stream().filter(run -> run.point().equals(point)).toList();
  }

  /** Keeps a run; it is on disk when this returns. */
  public void add(TableRun run) throws IOException {
    log.add(run.json());
    runs.add(run);
  }
}
