package org.ecstore.bench.mycassandra;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import org.HdrHistogram.Histogram;
import org.ecstore.bench.report.LoadReport;
import org.ecstore.bench.ycsb.YcsbKinds;

/**
 * How long operations of one kind took on one store in one mix at the fixed rate, all rounds
 * together: the papers' figures 13 to 15.
 *
 * @param kind of {@link YcsbKinds}
 * @param rounds of which it is: those in which no operation failed, and all were begun
 * @param nanos in nanoseconds, at least one
 */
record LatencyDistribution(Mix mix, String kind, String store, int rounds, Histogram nanos) {
  /** Percentiles for people. */
  static final List<Double> SHOWN = List.of(50.0, 90.0, 95.0, 99.0, 99.9);

  /** The percentiles that make a curve. */
  private static final List<Double> CURVE =
      List.of(
          0.0, 1.0, 2.0, 5.0, 10.0, 15.0, 20.0, 25.0, 30.0, 35.0, 40.0, 45.0, 50.0, 55.0, 60.0,
          65.0, 70.0, 75.0, 80.0, 85.0, 90.0, 92.5, 95.0, 97.0, 98.0, 99.0, 99.5, 99.9, 100.0);

  private static final double MILLI = 1e6;
  private static final double SCALE = 1e3;

  /** A percentile is one if so many operations took longer; else it is one of a few of them. */
  private static final int BEYOND_MIN = 5;

  /**
   * All that a comparison has, by mix, kind and store.
   *
   * @param comparison as {@link org.ecstore.bench.compare.Comparison#json} has it
   */
  static List<LatencyDistribution> of(JsonNode comparison) {
    MeasuredMixes measured = new MeasuredMixes(comparison);
    List<LatencyDistribution> all = new ArrayList<>();
    for (Mix mix : Mix.values()) {
      for (String kind : List.of(YcsbKinds.READ, YcsbKinds.UPDATE)) {
        for (String store : measured.stores()) {
          List<Histogram> rounds =
              measured.histograms(store, mix, kind).stream().map(LoadReport::histogram).toList();
          together(rounds)
              .ifPresent(
                  nanos ->
                      all.add(new LatencyDistribution(mix, kind, store, rounds.size(), nanos)));
        }
      }
    }
    return all;
  }

  /** Absent if there is nothing in them. */
  private static Optional<Histogram> together(List<Histogram> rounds) {
    if (rounds.stream().allMatch(round -> round.getTotalCount() == 0)) {
      return Optional.empty();
    }
    Histogram all = rounds.getFirst().copy();
    rounds.subList(1, rounds.size()).forEach(all::add);
    return Optional.of(all);
  }

  /** A percentile in milliseconds; absent if too few operations took longer to say. */
  OptionalDouble millis(double percentile) {
    double beyond = nanos.getTotalCount() * (100 - percentile) / 100;
    return beyond < BEYOND_MIN
        ? OptionalDouble.empty()
        : OptionalDouble.of(rounded((double) nanos.getValueAtPercentile(percentile)));
  }

  double meanMillis() {
    return rounded(nanos.getMean());
  }

  private static double rounded(double ofNanos) {
    return Math.round(ofNanos / MILLI * SCALE) / SCALE;
  }

  /** As a result has it, with the points of its curve: so many percent took so long at most. */
  ObjectNode json() {
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    json.put("mix", mix.workload()).put("kind", kind).put("store", store);
    json.put("rounds", rounds).put("count", nanos.getTotalCount());
    json.put("meanMillis", meanMillis());
    ObjectNode percentiles = json.putObject("percentilesMillis");
    for (double percentile : SHOWN) {
      millis(percentile).ifPresent(value -> percentiles.put(name(percentile), value));
    }
    ArrayNode xs = json.putArray("millis");
    ArrayNode ys = json.putArray("percent");
    for (double percentile : CURVE) {
      long at =
          percentile == 0 ? nanos.getMinNonZeroValue() : nanos.getValueAtPercentile(percentile);
      xs.add(rounded((double) at));
      ys.add(percentile);
    }
    return json;
  }

  /** As {@code p99}. */
  static String name(double percentile) {
    return percentile == Math.rint(percentile)
        ? String.format(Locale.ROOT, "p%.0f", percentile)
        : String.format(Locale.ROOT, "p%.1f", percentile);
  }
}
