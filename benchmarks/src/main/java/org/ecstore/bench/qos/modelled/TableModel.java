package org.ecstore.bench.qos.modelled;

import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.function.LongConsumer;
import org.ecstore.bench.qos.TableRun;
import org.ecstore.txn.qos.table.GridPoint;

/** Makes tables by the model. The same subject and course have the same table, on any machine. */
public final class TableModel {
  private TableModel() {}

  /**
   * Makes a table.
   *
   * @param done is told how many of the requests of {@link ModelCourse#work} are done since it was
   *     told before
   */
  public static ModelledTable of(ModelSubject subject, ModelCourse course, LongConsumer done) {
    NavigableMap<GridPoint, List<TableRun>> cells = new TreeMap<>();
    for (int nodes : course.nodes()) {
      RowCaches caches = new RowCaches(subject.popularity(), subject.rows(nodes));
      for (int clients : course.clients()) {
        GridPoint point = new GridPoint(clients, nodes);
        List<TableRun> runs = new ArrayList<>();
        for (int number = 1; number <= course.runs(); number++) {
          runs.add(
              ModelledRun.of(
                  subject,
                  caches,
                  point,
                  number,
                  course.requests(),
                  ModelledRun.mixed(course.seed()) + number));
          done.accept(ModelCourse.warmUp(clients) + (long) course.requests());
        }
        cells.put(point, runs);
      }
    }
    return new ModelledTable(subject, course, cells);
  }
}
