package org.ecstore.bench.qos;

import java.math.BigDecimal;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.TreeSet;
import org.ecstore.cluster.layout.NodeClass;
import org.ecstore.txn.qos.table.GridPoint;

/** Subjects, plans and runs of tests. */
final class Measuring {
  static final MeasuredSubject SUBJECT = subject("0.22.0", "0.2");

  private Measuring() {}

  static MeasuredSubject subject(String build, String capacity) {
    return new MeasuredSubject(
        "je",
        new NodeClass(
            "small", Optional.of(new BigDecimal("0.05")), Optional.of(new BigDecimal(capacity))),
        TableWorkload.of("zipf-read").orElseThrow(),
        build,
        10_000,
        1,
        384,
        48,
        1,
        10,
        3,
        2);
  }

  static MeasurePlan plan(List<Integer> clients, List<Integer> nodes, int runs) {
    return new MeasurePlan(
        new TreeSet<>(clients), new TreeSet<>(nodes), runs, Duration.ofSeconds(60));
  }

  static TableRun run(int clients, int nodes, int number, double millis) {
    return run(clients, nodes, number, millis, 0.8);
  }

  /** With so many processors busy for nodes and clients together. */
  static TableRun run(int clients, int nodes, int number, double millis, double cores) {
    return new TableRun(
        new GridPoint(clients, nodes),
        number,
        millis,
        2 * millis,
        3 * millis,
        1_000 * clients / millis,
        cores / 2,
        cores / 2,
        OptionalDouble.of(0.05),
        OptionalDouble.of(0.9),
        true,
        "node");
  }
}
