package org.ecstore.bench.page;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.HdrHistogram.Histogram;

/**
 * A store's measurements of one subject, one for each round: medians, and all latencies together.
 */
record Summary(Result.Subject subject, String store, List<Result> rounds) {
  static final String THROUGHPUT = "/throughput";
  static final String SERVERS = "/cpuSecondsPer1000/servers";
  static final String CLIENTS = "/cpuSecondsPer1000/clients";

  Summary {
    rounds = List.copyOf(rounds);
  }

  /** Of all results, in their order. */
  static Map<Result.Subject, List<Summary>> of(List<Result> results, List<String> stores) {
    Map<Result.Subject, Map<String, List<Result>>> grouped = new java.util.LinkedHashMap<>();
    for (Result each : results) {
      grouped
          .computeIfAbsent(each.subject(), absent -> new TreeMap<>(order(stores)))
          .computeIfAbsent(each.store(), absent -> new ArrayList<>())
          .add(each);
    }
    Map<Result.Subject, List<Summary>> all = new java.util.LinkedHashMap<>();
    grouped.forEach(
        (subject, byStore) ->
            all.put(
                subject,
                byStore.entrySet().stream()
                    .map(each -> new Summary(subject, each.getKey(), each.getValue()))
                    .toList()));
    return all;
  }

  private static java.util.Comparator<String> order(List<String> stores) {
    return java.util.Comparator.comparingInt(stores::indexOf);
  }

  private List<Double> values(String where) {
    return rounds.stream().flatMap(each -> each.number(where).stream()).sorted().toList();
  }

  /** The median of a number; absent if no round has it. */
  Optional<Double> median(String where) {
    List<Double> values = values(where);
    if (values.isEmpty()) {
      return Optional.empty();
    }
    int middle = values.size() / 2;
    return Optional.of(
        values.size() % 2 == 1
            ? values.get(middle)
            : (values.get(middle - 1) + values.get(middle)) / 2);
  }

  /** The median of a number, or 0. */
  double value(String where) {
    return median(where).orElse(0.0);
  }

  /** The least of a number, or 0. */
  double least(String where) {
    return values(where).stream().findFirst().orElse(0.0);
  }

  /** The most of a number, or 0. */
  double most(String where) {
    return values(where).stream().reduce((_, later) -> later).orElse(0.0);
  }

  /** A number of all rounds together. */
  long sum(String where) {
    return Math.round(values(where).stream().mapToDouble(Double::doubleValue).sum());
  }

  /** Latencies of all rounds, in nanoseconds. */
  Optional<Histogram> histogram() {
    return rounds.stream()
        .flatMap(each -> each.histogram().stream())
        .reduce(
            (one, other) -> {
              Histogram both = new Histogram(3);
              both.setAutoResize(true);
              both.add(one);
              both.add(other);
              return both;
            });
  }
}
