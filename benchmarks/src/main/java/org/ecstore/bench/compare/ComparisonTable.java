package org.ecstore.bench.compare;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.ecstore.bench.report.LoadReport;

/** A comparison for people: each store's settings, then a table for each workload. */
public final class ComparisonTable {
  private final PrintWriter out;

  /** On a writer. */
  public ComparisonTable(PrintWriter out) {
    this.out = out;
  }

  /** Prints what {@link Comparison#json} has. */
  public void print(JsonNode comparison) {
    for (Map.Entry<String, JsonNode> store : comparison.get("stores").properties()) {
      JsonNode said = store.getValue();
      if (said.has("unavailable")) {
        out.printf("%s: UNAVAILABLE: %s%n", store.getKey(), said.get("unavailable").asText());
        continue;
      }
      List<String> settings = new ArrayList<>();
      said.get("settings")
          .properties()
          .forEach(setting -> settings.add(setting.getKey() + ": " + setting.getValue().asText()));
      out.printf("%s: %s%n", store.getKey(), String.join("; ", settings));
    }
    out.printf(
        "medians of %d rounds of %s s, %,d records, clients with %s%n",
        comparison.get("rounds").asInt(),
        comparison.get("seconds").asText(),
        comparison.get("records").asLong(),
        String.join(" ", texts(comparison.get("clientFlags"))));
    comparison.get("workloads").forEach(this::printWorkload);
    long failed = 0;
    for (JsonNode result : comparison.get("results")) {
      if (result.has("failed")) {
        failed++;
        out.printf(
            "round %d, %s, %s FAILED: %s%n",
            result.get("round").asInt(),
            result.get("store").asText(),
            result.get("workload").asText(),
            result.get("failed").asText());
      }
      if (result.path("undone").asLong() > 0) {
        out.printf(
            "round %d, %s, %s: %,d of %,d that were due had not begun when it was given up%n",
            result.get("round").asInt(),
            result.get("store").asText(),
            result.get("workload").asText(),
            result.get("undone").asLong(),
            result.path("due").asLong());
      }
    }
    if (failed > 0) {
      out.printf("%d measurements failed%n", failed);
    }
    out.flush();
  }

  private static List<String> texts(JsonNode array) {
    List<String> texts = new ArrayList<>();
    array.forEach(each -> texts.add(each.asText()));
    return texts;
  }

  private void printWorkload(JsonNode workload) {
    out.printf(
        "%n%-26s %10s %10s %9s %9s %13s %13s %7s   %s%n",
        workload.get("title").asText(),
        "per s",
        "records/s",
        "p50 us",
        "p99 us",
        "server CPU us",
        "client CPU us",
        "errors",
        "ecStore/peer: throughput, p99, server CPU");
    for (Map.Entry<String, JsonNode> store : workload.get("medians").properties()) {
      JsonNode medians = store.getValue();
      out.printf(
          "  %-24s %,10.0f %,10.0f %,9.0f %,9.0f %,13.1f %,13.1f %7.0f   %s%n",
          store.getKey(),
          medians.path("throughput").asDouble(),
          medians.path("recordsPerSecond").asDouble(),
          medians.path("p50Micros").asDouble(),
          medians.path("p99Micros").asDouble(),
          // Seconds for a thousand are milliseconds for one.
          medians.path("serverCpuSecondsPer1000").asDouble() * 1000,
          medians.path("clientCpuSecondsPer1000").asDouble() * 1000,
          medians.path("errors").asDouble(),
          ratios(workload.get("ratios").path(store.getKey())));
      if (medians.path("otherCores").asDouble() > LoadReport.BUSY_CORES) {
        out.printf(
            "    others used %.1f of the machine's processors meanwhile: measure again when they do"
                + " not%n",
            medians.get("otherCores").asDouble());
      }
    }
  }

  private static String ratios(JsonNode ratios) {
    return ratios.isMissingNode()
        ? ""
        : "%.2fx, %.2fx, %.2fx"
            .formatted(
                ratios.path("throughput").asDouble(),
                ratios.path("p99Micros").asDouble(),
                ratios.path("serverCpuSecondsPer1000").asDouble());
  }
}
