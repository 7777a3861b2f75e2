package org.ecstore.bench.mycassandra;

import static org.ecstore.bench.ycsb.YcsbKinds.READ;
import static org.ecstore.bench.ycsb.YcsbKinds.UPDATE;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.ecstore.bench.figure.Repeated;

/**
 * By how much the kind of engine decides, in clusters of one kind: the paper's factor between the
 * one made for writing and the one made for reading, and the one found here. Where it is less here,
 * processor time of the servers says what of it remains below the ledger and the window.
 *
 * @param what the quantity
 * @param paper the engine that is made for it by the other, as the paper has it
 * @param here the same, in each round
 */
record KindShift(String what, double paper, Optional<Repeated> here) {
  private static final double FEWER = 0.103; // 89.7 % less.
  private static final double FEWER_READS = 0.197; // 80.3 % less.
  private static final String MEAN = "mean";

  /** Of all quantities of figures 4 to 6, and the processor time that goes with them. */
  static List<KindShift> all(MeasuredMixes measured, Experiment.Clusters clusters) {
    String writing = clusters.writing();
    String reading = clusters.reading();
    List<KindShift> all = new ArrayList<>();
    all.add(
        new KindShift(
            "throughput of updates, write-only",
            11.79,
            by(
                measured.throughput(writing, Mix.WRITE_ONLY),
                measured.throughput(reading, Mix.WRITE_ONLY))));
    all.add(
        new KindShift(
            "throughput of reads, read-only",
            9.87,
            by(
                measured.throughput(reading, Mix.READ_ONLY),
                measured.throughput(writing, Mix.READ_ONLY))));
    all.add(
        new KindShift(
            "latency of updates, write-only",
            1 / FEWER,
            by(
                measured.latency(reading, Mix.WRITE_ONLY, UPDATE, MEAN),
                measured.latency(writing, Mix.WRITE_ONLY, UPDATE, MEAN))));
    all.add(
        new KindShift(
            "latency of reads, read-heavy",
            1 / FEWER_READS,
            by(
                measured.latency(writing, Mix.READ_HEAVY, READ, MEAN),
                measured.latency(reading, Mix.READ_HEAVY, READ, MEAN))));
    all.add(
        new KindShift(
            "servers' processor time of an update, write-only",
            0,
            by(
                measured.serverMicros(reading, Mix.WRITE_ONLY),
                measured.serverMicros(writing, Mix.WRITE_ONLY))));
    all.add(
        new KindShift(
            "servers' processor time of a read, read-only",
            0,
            by(
                measured.serverMicros(writing, Mix.READ_ONLY),
                measured.serverMicros(reading, Mix.READ_ONLY))));
    return all;
  }

  private static Optional<Repeated> by(Optional<Repeated> one, Optional<Repeated> other) {
    return one.flatMap(more -> other.map(less -> more.with(less, (a, b) -> a / b)));
  }

  ObjectNode json() {
    ObjectNode json = JsonNodeFactory.instance.objectNode().put("what", what);
    if (paper > 0) {
      json.put("paper", rounded(paper));
    }
    here.ifPresent(
        found ->
            json.put("median", rounded(found.median()))
                .put("least", rounded(found.least()))
                .put("most", rounded(found.most())));
    return json;
  }

  private static double rounded(double value) {
    return Math.round(value * 100) / 100.0;
  }

  /** For people. */
  String line() {
    return String.format(
        Locale.ROOT,
        "  %-50s %7s   %s",
        what,
        paper > 0 ? String.format(Locale.ROOT, "%.2f", paper) : "",
        here.map(
                found ->
                    String.format(
                        Locale.ROOT,
                        "%.2f (%.2f to %.2f)",
                        found.median(),
                        found.least(),
                        found.most()))
            .orElse("not measured"));
  }
}
