package org.ecstore.bench.qos;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.OptionalDouble;

/** What the engines of all nodes asked their caches for so far, as the nodes' metrics say it. */
record CacheCounters(double lookups, double misses) {
  private static final String LOOKUPS = "ecstore_cache_lookups_total";
  private static final String MISSES = "ecstore_cache_misses_total";
  private static final Duration WITHIN = Duration.ofSeconds(5);

  /**
   * Of nodes.
   *
   * @param addresses where each serves its metrics
   */
  static CacheCounters of(List<String> addresses) throws IOException, InterruptedException {
    double lookups = 0;
    double misses = 0;
    try (HttpClient client = HttpClient.newBuilder().connectTimeout(WITHIN).build()) {
      for (String address : addresses) {
        HttpRequest request =
            HttpRequest.newBuilder(URI.create("http://" + address + "/metrics"))
                .timeout(WITHIN)
                .build();
        CacheCounters one =
            parse(client.send(request, HttpResponse.BodyHandlers.ofString()).body());
        lookups += one.lookups();
        misses += one.misses();
      }
    }
    return new CacheCounters(lookups, misses);
  }

  /** Of one node: as Prometheus reads it. */
  static CacheCounters parse(String text) {
    double lookups = 0;
    double misses = 0;
    for (String line : (Iterable<String>) text.lines()::iterator) {
      if (line.startsWith(LOOKUPS)) {
        lookups += value(line);
      } else if (line.startsWith(MISSES)) {
        misses += value(line);
      }
    }
    return new CacheCounters(lookups, misses);
  }

  private static double value(String line) {
    try {
      return Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1));
    } catch (NumberFormatException e) {
      return 0;
    }
  }

  /** The share of lookups since then that the caches had; empty if there were none. */
  OptionalDouble hitRatioSince(CacheCounters before) {
    double since = lookups - before.lookups;
    return since > 0
        ? OptionalDouble.of(1 - (misses - before.misses) / since)
        : OptionalDouble.empty();
  }
}
