package org.ecstore.bench.validate;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.ecstore.bench.qos.TableRun;
import org.ecstore.bench.report.EachSecond;
import org.ecstore.model.control.ControlAction;

/** A store of as many nodes as are planned. Closing it ends it. */
interface PlannedStore extends AutoCloseable {
  /** Starts one. */
  @FunctionalInterface
  interface Starter {
    /**
     * Starts a store with all records.
     *
     * @param work where it is kept; empty or not there
     * @throws IOException if it does not start; says why
     */
    PlannedStore start(DrawnObjective of, Path work) throws IOException, InterruptedException;
  }

  /**
   * Runs the most clients of the table until the store is steady, or for as long as that may take:
   * the table's cells were measured after that.
   */
  void settle() throws IOException, InterruptedException;

  /**
   * Has the controller act, by the table, and states the objective.
   *
   * @throws IOException if any of it is refused; says why
   */
  void promise() throws IOException, InterruptedException;

  /**
   * Measures once.
   *
   * @throws IOException if an operation failed
   */
  TableRun run(int number) throws IOException, InterruptedException;

  /** What clients had in each second of the last run; none if that is not known. */
  default EachSecond seconds() {
    return EachSecond.NONE;
  }

  /** What the controller has done so far, and what it is at. */
  List<ControlAction> actions() throws IOException, InterruptedException;

  @Override
  void close();
}
