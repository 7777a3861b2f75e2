package org.ecstore.bench.page;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.HdrHistogram.Histogram;
import org.ecstore.bench.report.LoadReport;

/**
 * One measurement, as {@link LoadReport} and what builds on it leave them.
 *
 * @param subject what was measured
 * @param store its name, with what sets it apart from others of that name
 * @param settings of the store, for people
 * @param json all of it
 */
record Result(Subject subject, String store, Map<String, String> settings, JsonNode json) {
  /**
   * What results must have in common to be shown side by side.
   *
   * @param benchmark command that made it; empty if that is not known
   * @param rate operations per second that were to begin; 0 for a closed loop
   * @param load what else makes it another load, for people
   * @param warmUp seconds; 0 if that is not known
   */
  record Subject(
      String benchmark,
      String workload,
      long clients,
      double rate,
      long records,
      String load,
      double warmUp) {
    String title() {
      boolean ambiguous = workload.equals("read-only") && benchmark.equals("social");
      return ambiguous ? "read-only, two users" : workload;
    }

    String pace() {
      String who = clients == 1 ? "1 client" : clients + " clients";
      String how = rate > 0 ? ", %,.0f per second begun".formatted(rate) : "";
      String what = records > 0 ? ", %,d records".formatted(records) : "";
      String details = load.isEmpty() ? "" : ", " + load;
      String before = warmUp > 0 ? ", %s s warm-up".formatted(Scale.digits(warmUp)) : "";
      return who + how + what + details + before;
    }
  }

  /** Whether an object looks like a result. */
  static boolean looksLike(JsonNode json) {
    return json.isObject()
        && json.path("workload").isTextual()
        && json.path("throughput").isNumber()
        && json.path("latencyMicros").isObject();
  }

  static Subject subject(JsonNode json) {
    String benchmark = json.path("benchmark").asText(json.path("command").asText(""));
    return new Subject(
        benchmark,
        json.path("workload").asText(),
        json.path("clients").asLong(),
        json.path("rate").asDouble(),
        json.path("records").asLong(),
        json.path("load").properties().stream()
            .map(detail -> detail.getValue().asText())
            .collect(Collectors.joining(", ")),
        json.path("warmUpSeconds").asDouble());
  }

  static Map<String, String> settings(JsonNode json) {
    Map<String, String> settings = new LinkedHashMap<>();
    json.path("settings")
        .properties()
        .forEach(entry -> settings.put(entry.getKey(), entry.getValue().asText()));
    return settings;
  }

  /** A number somewhere in it. */
  Optional<Double> number(String where) {
    JsonNode value = json.at(where);
    return value.isNumber() ? Optional.of(value.asDouble()) : Optional.empty();
  }

  /** The distribution in nanoseconds; absent if there is none that can be read. */
  Optional<Histogram> histogram() {
    try {
      JsonNode encoded = json.path("histogram");
      return encoded.isTextual()
          ? Optional.of(LoadReport.histogram(encoded.asText())).filter(h -> h.getTotalCount() > 0)
          : Optional.empty();
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    }
  }
}
