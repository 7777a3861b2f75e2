package org.ecstore.bench.qos;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.ecstore.bench.report.HeadedLog;
import org.ecstore.key.Bytes;
import org.ecstore.server.file.DurableFiles;
import org.ecstore.server.shutdown.ShutdownHooks;
import org.ecstore.txn.qos.table.TableWriter;

/**
 * Measures the cells of a table that are missing, from few nodes to many, and writes the table anew
 * each time that a number of nodes is complete. What was measured before, by this process or one
 * that was killed, is not measured again.
 */
public final class TableMeasurer {
  private final Path directory;
  private final MeasurePlan plan;
  private final GrownStore.Starter starter;
  private final Consumer<String> said;

  /**
   * A measurer.
   *
   * @param directory where tables and runs are
   * @param said is told what happens, line by line
   */
  public TableMeasurer(
      Path directory, MeasurePlan plan, GrownStore.Starter starter, Consumer<String> said) {
    this.directory = directory;
    this.plan = plan;
    this.starter = starter;
    this.said = said;
  }

  /**
   * What came of a table.
   *
   * @param table absent if no number of nodes is complete
   * @param failures what could not be measured, and why
   */
  public record Outcome(Optional<MeasuredTable> table, List<String> failures) {
    public Outcome {
      failures = List.copyOf(failures);
    }
  }

  /**
   * Measures a table, or what is missing of it.
   *
   * @throws HeadedLog.OtherHeadException if what is there is of another one
   */
  public Outcome measure(MeasuredSubject subject) throws IOException, InterruptedException {
    TableRunLog log = TableRunLog.open(directory, subject);
    List<String> failures = new ArrayList<>();
    if (plan.missing(log.runs()) > 0) {
      try (GrownStore store = starter.start(subject)) {
        for (int size : plan.nodes()) {
          measure(subject, store, size, log, failures);
        }
      }
    }
    return new Outcome(write(subject, log), failures);
  }

  private void measure(
      MeasuredSubject subject, GrownStore store, int size, TableRunLog log, List<String> failures)
      throws IOException, InterruptedException {
    List<MeasurePlan.Missing> missing = plan.missing(size, log.runs());
    if (missing.isEmpty()) {
      return;
    }
    store.grow(size);
    said.accept("%s on %d: waits until it is steady".formatted(subject.name(), size));
    try {
      store.settle(plan.clients().last());
    } catch (IOException e) {
      // Of the next size it says nothing, which becomes steady by itself.
      fail(failures, "%d nodes, becoming steady: %s".formatted(size, e.getMessage()), e);
      return;
    }
    for (MeasurePlan.Missing each : missing) {
      TableRun run;
      try {
        run = store.run(each.point().clients(), each.number());
      } catch (IOException e) {
        fail(
            failures,
            "%d clients on %d, run %d: %s"
                .formatted(each.point().clients(), size, each.number(), e.getMessage()),
            e);
        continue;
      }
      // What cannot be kept ends it: a line behind a half one could not be read any more.
      log.add(run);
    }
    write(subject, log);
  }

  private void fail(List<String> failures, String failure, IOException e) throws IOException {
    if (ShutdownHooks.hasBegun()) {
      // It was interrupted: what fails now says nothing of a cell.
      throw e;
    }
    said.accept(failure);
    failures.add(failure);
  }

  private Optional<MeasuredTable> write(MeasuredSubject subject, TableRunLog log)
      throws IOException {
    Optional<MeasuredTable> table = MeasuredTable.of(subject, plan, log.runs());
    if (table.isPresent()) {
      String text = TableWriter.full(table.get().table(), table.get().remarks());
      DurableFiles.replace(
          directory, subject.name() + ".csv", Bytes.wrap(text.getBytes(StandardCharsets.UTF_8)));
      TablePlots.draw(table.get().table(), directory, subject.name());
    }
    return table;
  }
}
