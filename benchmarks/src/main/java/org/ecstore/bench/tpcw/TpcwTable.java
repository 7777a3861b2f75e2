package org.ecstore.bench.tpcw;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.PrintWriter;
import java.util.Map;

/** A result of a run for people. */
public final class TpcwTable {
  private TpcwTable() {}

  /**
   * Prints it.
   *
   * @param json of {@link TpcwReport}
   */
  public static void print(JsonNode json, PrintWriter out) {
    out.printf(
        "%-16s %-9s round %d  %,.0f WIPS%s   failed %,d   conflicts %,d   retries %,d%s%n",
        TpcwReport.store(json),
        json.get("mix").asText(),
        json.get("round").asInt(),
        json.get("wips").asDouble(),
        how(json),
        json.get("failed").asLong(),
        json.get("conflicts").asLong(),
        json.get("retries").asLong(),
        cost(json));
    for (Map.Entry<String, JsonNode> page : json.get("pages").properties()) {
      JsonNode times = page.getValue();
      if (times.has("p90")) {
        out.printf(
            "  %s  %,8d   p50 %,9.2f ms   p90 %,9.2f   p99 %,9.2f   limit %,7d%n",
            page.getKey(),
            times.get("count").asLong(),
            times.get("p50").asDouble(),
            times.get("p90").asDouble(),
            times.get("p99").asDouble(),
            times.get("limit").asLong());
      }
    }
    out.printf(
        "  books: %s, %,d orders of %,d books%n",
        json.get("booksRight").asBoolean() ? "right" : "WRONG " + json.get("bookFaults"),
        json.at("/books/orders").asLong(),
        json.at("/books/sold").asLong());
    json.get("errors")
        .properties()
        .forEach(
            error -> out.printf("  failed: %s: %,d%n", error.getKey(), error.getValue().asLong()));
  }

  private static String cost(JsonNode json) {
    return json.has("kills")
        ? "   kills %,d, %,d of them of sequencers, longest pause %,d s, longest page %.1f s"
            .formatted(
                json.get("kills").asLong(),
                json.get("killsOfSequencers").asLong(),
                json.get("longestPauseSeconds").asLong(),
                json.get("longestMillis").asDouble() / 1_000)
        : "   CPU ms per page: servers %.3f, clients %.3f%s"
            .formatted(
                json.at("/cpuMillisPerPage/servers").asDouble(),
                json.at("/cpuMillisPerPage/clients").asDouble(),
                json.at("/cpuMillisPerPage").has("shop")
                    ? ", shop %.3f".formatted(json.at("/cpuMillisPerPage/shop").asDouble())
                    : "");
  }

  private static String how(JsonNode json) {
    if (json.has("saturation")) {
      return " (saturation)";
    }
    if (json.has("rate")) {
      long undone = json.get("undone").asLong();
      return " (%,.0f a second due%s%s)"
          .formatted(
              json.get("rate").asDouble(),
              json.has("saturationWips")
                  ? " of %,d at saturation".formatted(json.get("saturationWips").asLong())
                  : "",
              undone == 0
                  ? ""
                  : ", %,d of %,d not begun".formatted(undone, json.get("due").asLong()));
    }
    return json.path("valid").asBoolean() ? "" : " (not valid: the browsers were held up)";
  }
}
