package org.ecstore.bench.compare;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;

/**
 * The middle of several results of one store in one cell; each figure by itself. Results are as
 * {@link org.ecstore.bench.report.LoadReport} makes them.
 */
final class Medians {
  /** What is compared: its name here, and where results have it. */
  private static final Map<String, String> FIGURES = figures();

  private Medians() {}

  private static Map<String, String> figures() {
    Map<String, String> figures = new LinkedHashMap<>();
    figures.put("throughput", "/throughput");
    figures.put("recordsPerSecond", "/recordsPerSecond");
    figures.put("p50Micros", "/latencyMicros/p50");
    figures.put("p99Micros", "/latencyMicros/p99");
    figures.put("serverCpuSecondsPer1000", "/cpuSecondsPer1000/servers");
    figures.put("clientCpuSecondsPer1000", "/cpuSecondsPer1000/clients");
    figures.put("aborts", "/aborts");
    figures.put("errors", "/errors");
    figures.put("otherCores", "/cores/others");
    return figures;
  }

  /** Of the figures that results have. */
  static ObjectNode of(List<? extends JsonNode> results) {
    ObjectNode medians = JsonNodeFactory.instance.objectNode();
    medians.put("rounds", results.size());
    FIGURES.forEach(
        (name, where) -> {
          List<Double> values = new ArrayList<>();
          for (JsonNode result : results) {
            JsonNode value = result.at(where);
            if (value.isNumber()) {
              values.add(value.asDouble());
            }
          }
          median(values).ifPresent(value -> medians.put(name, value));
        });
    return medians;
  }

  /** The one in the middle; of an even number, halfway between the two. */
  static OptionalDouble median(List<Double> values) {
    if (values.isEmpty()) {
      return OptionalDouble.empty();
    }
    List<Double> sorted = values.stream().sorted().toList();
    int middle = sorted.size() / 2;
    return OptionalDouble.of(
        sorted.size() % 2 == 1
            ? sorted.get(middle)
            : (sorted.get(middle - 1) + sorted.get(middle)) / 2);
  }

  /** One store's medians by another's, where both have them and the other's is not 0. */
  static ObjectNode ratios(JsonNode ours, JsonNode theirs) {
    ObjectNode ratios = JsonNodeFactory.instance.objectNode();
    for (String name :
        List.of(
            "throughput",
            "recordsPerSecond",
            "p50Micros",
            "p99Micros",
            "serverCpuSecondsPer1000",
            "clientCpuSecondsPer1000")) {
      double by = theirs.path(name).asDouble();
      if (ours.has(name) && by > 0) {
        ratios.put(name, Math.round(ours.get(name).asDouble() / by * 1000) / 1000.0);
      }
    }
    return ratios;
  }
}
