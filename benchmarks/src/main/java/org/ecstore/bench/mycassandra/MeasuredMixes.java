package org.ecstore.bench.mycassandra;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.ecstore.bench.figure.Repeated;

/**
 * What a comparison of stores has measured, by store, mix and round. A quantity is there only if
 * every round has it, and no operation failed: rounds of two stores are compared one by one.
 */
final class MeasuredMixes {
  private final JsonNode comparison;

  /** Of {@link org.ecstore.bench.compare.Comparison#json}. */
  MeasuredMixes(JsonNode comparison) {
    this.comparison = comparison;
  }

  /** Stores that took part. */
  List<String> stores() {
    List<String> stores = new ArrayList<>();
    comparison
        .path("stores")
        .properties()
        .forEach(
            store -> {
              if (!store.getValue().has("unavailable")) {
                stores.add(store.getKey());
              }
            });
    return stores;
  }

  int rounds() {
    return comparison.path("rounds").asInt();
  }

  /** Operations a second with all clients at work. */
  Optional<Repeated> throughput(String store, Mix mix) {
    return each(store, mix, false, List.of("/throughput"));
  }

  /** Processor time of the servers, in microseconds an operation, with all clients at work. */
  Optional<Repeated> serverMicros(String store, Mix mix) {
    return each(store, mix, false, List.of("/cpuSecondsPer1000/servers"))
        .map(seconds -> seconds.map(value -> 1_000 * value));
  }

  /**
   * How long operations took at the fixed rate, in microseconds.
   *
   * @param kind of {@link org.ecstore.bench.ycsb.YcsbKinds}
   * @param figure mean, p50, p95 or p99
   */
  Optional<Repeated> latency(String store, Mix mix, String kind, String figure) {
    return each(store, mix, true, wheres(mix, kind, figure, "/latencyMicros/" + figure));
  }

  /** By how much greater the one of two figures of an operation's latency is, in each round. */
  Optional<Repeated> spread(String store, Mix mix, String kind, String more, String less) {
    return latency(store, mix, kind, more)
        .flatMap(
            one -> latency(store, mix, kind, less).map(other -> one.with(other, (a, b) -> a / b)));
  }

  /**
   * The distributions at the fixed rate, as results keep them, of the rounds that have it without a
   * failure.
   */
  List<String> histograms(String store, Mix mix, String kind) {
    List<String> wheres = wheres(mix, kind, "histogram", "/histogram");
    return whole(store, mix, true).stream()
        .flatMap(result -> wheres.stream().map(result::at).filter(JsonNode::isTextual).limit(1))
        .map(JsonNode::asText)
        .toList();
  }

  /** What each measurement of a store says of where its copies were. */
  List<JsonNode> placements(String store) {
    List<JsonNode> all = new ArrayList<>();
    for (JsonNode result : comparison.path("results")) {
      if (result.path("store").asText().equals(store) && result.has(CopyKinds.PLACEMENT)) {
        all.add(result.get(CopyKinds.PLACEMENT));
      }
    }
    return all;
  }

  /** Of a mix of one kind all operations are of that kind. */
  private static List<String> wheres(Mix mix, String kind, String figure, String ofAll) {
    String own = "/byKind/" + kind + "/" + figure;
    return mix.isOnly(kind) ? List.of(own, ofAll) : List.of(own);
  }

  /** The results in which no operation failed, and each was begun, by round. */
  private List<JsonNode> whole(String store, Mix mix, boolean isAtRate) {
    List<JsonNode> whole = new ArrayList<>();
    for (JsonNode result : comparison.path("results")) {
      boolean isIt =
          result.path("store").asText().equals(store)
              && result.path("workload").asText().equals(mix.workload())
              && result.has("rate") == isAtRate
              && result.path("errors").asLong() == 0
              && result.path("undone").asLong() == 0;
      if (isIt) {
        whole.add(result);
      }
    }
    return whole;
  }

  private Optional<Repeated> each(String store, Mix mix, boolean isAtRate, List<String> wheres) {
    List<Double> values = new ArrayList<>();
    for (JsonNode result : whole(store, mix, isAtRate)) {
      wheres.stream()
          .map(result::at)
          .filter(JsonNode::isNumber)
          .findFirst()
          .ifPresent(value -> values.add(value.asDouble()));
    }
    return values.size() == rounds() ? Optional.of(new Repeated(values)) : Optional.empty();
  }
}
