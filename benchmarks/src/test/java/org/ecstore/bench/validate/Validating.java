package org.ecstore.bench.validate;

import java.math.BigDecimal;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.TreeMap;
import org.ecstore.bench.qos.GrowingCluster.ControlPace;
import org.ecstore.bench.qos.MeasuredSubject;
import org.ecstore.bench.qos.TableRun;
import org.ecstore.bench.qos.TableWorkload;
import org.ecstore.cluster.layout.NodeClass;
import org.ecstore.txn.qos.table.GridPoint;
import org.ecstore.txn.qos.table.PerformanceCell;
import org.ecstore.txn.qos.table.PerformanceTable;

/** Tables, settings and runs of tests. */
public final class Validating {
  private Validating() {}

  /** Measured on so many processors. */
  public static MeasuredSubject subject(String build, int processors) {
    return new MeasuredSubject(
        "je",
        new NodeClass("small", Optional.empty(), Optional.of(new BigDecimal("0.2"))),
        TableWorkload.of("zipf-read").orElseThrow(),
        build,
        10_000,
        1,
        384,
        48,
        1,
        10,
        3,
        processors);
  }

  /** With 4, 8, 16 and 32 clients on 1 to 3 nodes; neither way of prediction is right of it. */
  public static PerformanceTable table(MeasuredSubject subject) {
    NavigableMap<GridPoint, PerformanceCell> cells = new TreeMap<>();
    for (int clients : List.of(4, 8, 16, 32)) {
      for (int nodes = 1; nodes <= 3; nodes++) {
        double millis = 2 + 0.1 * Math.pow(clients, 1.5) / nodes;
        cells.put(
            new GridPoint(clients, nodes),
            new PerformanceCell(
                millis,
                clients / millis,
                OptionalDouble.empty(),
                OptionalDouble.empty(),
                OptionalDouble.of(2 * millis),
                OptionalDouble.of(3 * millis),
                1));
      }
    }
    return new PerformanceTable(subject.subject(), cells);
  }

  static ValidationSettings settings(int plans, int runs, long seed) {
    MeasuredSubject subject = subject("0.23.0", 2);
    return new ValidationSettings(
        new MeasuredSource(Path.of("je.csv"), table(subject), subject),
        plans,
        seed,
        runs,
        Duration.ofSeconds(60),
        false,
        new ControlPace(Duration.ofMillis(1), 4));
  }

  /** One of which the prediction is off by a share of what is measured. */
  static TableRun run(DrawnObjective of, int number, double error) {
    return run(of, number, error, 0.8, true);
  }

  static TableRun run(DrawnObjective of, int number, double error, double cores, boolean steady) {
    double millis = of.prediction().millis() / (1 + error);
    return new TableRun(
        new GridPoint(of.clients(), of.nodes()),
        number,
        millis,
        2 * millis,
        3 * millis,
        1_000 * of.clients() / millis,
        cores / 2,
        cores / 2,
        OptionalDouble.of(0.05),
        OptionalDouble.of(0.9),
        steady,
        "node");
  }
}
