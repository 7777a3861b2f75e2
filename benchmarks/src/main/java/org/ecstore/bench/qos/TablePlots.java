package org.ecstore.bench.qos;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import org.ecstore.bench.figure.Chart;
import org.ecstore.bench.figure.Repeated;
import org.ecstore.bench.figure.Series;
import org.ecstore.bench.plot.Plots;
import org.ecstore.txn.qos.table.GridPoint;
import org.ecstore.txn.qos.table.PerformanceCell;
import org.ecstore.txn.qos.table.PerformanceTable;

/**
 * A table as pictures: response time by clients, and throughput by clients, a curve for each number
 * of nodes. Paper: Cassandra QoS, figure 5.
 */
public final class TablePlots {
  private TablePlots() {}

  /** The names of the files that {@link #draw} makes. */
  public static List<String> files(String name) {
    return List.of(name + "-response-time.svg", name + "-throughput.svg");
  }

  /**
   * Draws a table; the names of the files.
   *
   * @param name of the files, to which {@code -response-time.svg} and {@code -throughput.svg} are
   *     added
   */
  public static List<String> draw(PerformanceTable table, Path directory, String name)
      throws IOException {
    List<String> files = files(name);
    String of = table.subject().words().isEmpty() ? "" : ": " + table.subject().words();
    Plots.draw(
        new Chart(
            "response-time",
            "Response time by clients" + of,
            "clients",
            "mean response time, ms",
            false,
            curves(table, PerformanceCell::millis, PerformanceCell::millisSpread)),
        directory.resolve(files.getFirst()));
    Plots.draw(
        new Chart(
            "throughput",
            "Throughput by clients" + of,
            "clients",
            "MB/s",
            false,
            curves(table, PerformanceCell::megabytesPerSecond, PerformanceCell::megabytesSpread)),
        directory.resolve(files.getLast()));
    return files;
  }

  /** What a bar of error shows: as much above and below. */
  private static Repeated repeated(double mean, OptionalDouble spread) {
    double off = spread.orElse(0);
    return new Repeated(List.of(mean - off, mean, mean + off));
  }

  private static List<Series> curves(
      PerformanceTable table,
      ToDoubleFunction<PerformanceCell> figure,
      Function<PerformanceCell, OptionalDouble> spread) {
    List<Series> curves = new ArrayList<>();
    for (int servers : table.servers()) {
      Series curve = new Series(servers == 1 ? "1 node" : servers + " nodes");
      for (int clients : table.clients()) {
        table
            .cell(new GridPoint(clients, servers))
            .ifPresent(
                cell ->
                    curve.add(clients, repeated(figure.applyAsDouble(cell), spread.apply(cell))));
      }
      curves.add(curve);
    }
    return curves;
  }
}
