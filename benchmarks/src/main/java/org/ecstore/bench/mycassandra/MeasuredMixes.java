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
        .get("stores")
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
    return comparison.get("rounds").asInt();
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
    String own = "/byKind/" + kind + "/" + figure;
    // Of a mix of one kind all operations are of that kind.
    return each(
        store,
        mix,
        true,
        mix.isOnly(kind) ? List.of(own, "/latencyMicros/" + figure) : List.of(own));
  }

  private Optional<Repeated> each(String store, Mix mix, boolean isAtRate, List<String> wheres) {
    List<Double> values = new ArrayList<>();
    for (JsonNode result : comparison.get("results")) {
      boolean isIt =
          result.path("store").asText().equals(store)
              && result.path("workload").asText().equals(mix.workload())
              && result.has("rate") == isAtRate
              && result.path("errors").asLong() == 0
              && result.path("undone").asLong() == 0;
      if (isIt) {
        wheres.stream()
            .map(result::at)
            .filter(JsonNode::isNumber)
            .findFirst()
            .ifPresent(value -> values.add(value.asDouble()));
      }
    }
    return values.size() == rounds() ? Optional.of(new Repeated(values)) : Optional.empty();
  }
}
