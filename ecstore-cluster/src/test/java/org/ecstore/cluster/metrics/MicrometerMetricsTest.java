package org.ecstore.cluster.metrics;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.util.ArrayList;
import java.util.List;
import org.ecstore.core.metrics.Metric;
import org.ecstore.core.metrics.MetricSeries;
import org.ecstore.core.metrics.NodeMetrics;
import org.junit.jupiter.api.Test;

class MicrometerMetricsTest {
  private final PrometheusMeterRegistry registry =
      new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
  private final MicrometerMetrics metrics = new MicrometerMetrics(registry);

  private static MetricSeries series(Metric metric, String... tagValues) {
    return new MetricSeries(metric, List.of(tagValues));
  }

  private void has(String line) {
    String scraped = registry.scrape();
    assertTrue(scraped.lines().anyMatch(line::equals), () -> line + " is not in\n" + scraped);
  }

  @Test
  void countersAddUp() {
    metrics.of(series(NodeMetrics.COMMITS, "conflict")).count();
    metrics.of(series(NodeMetrics.COMMITS, "conflict")).record(4);
    has("ecstore_commits_total{end=\"conflict\"} 5.0");
    has("# HELP ecstore_commits_total " + NodeMetrics.COMMITS.help());
  }

  @Test
  void gaugesStandWhereTheyWereSetLast() {
    metrics.of(series(NodeMetrics.COPIES_LAG, "secondary")).record(40);
    metrics.of(series(NodeMetrics.COPIES_LAG, "secondary")).record(3);
    has("ecstore_copies_lag_positions{role=\"secondary\"} 3.0");
  }

  @Test
  void timesAreHistogramsInSeconds() {
    metrics.of(series(NodeMetrics.LEDGER_APPEND)).record(3_000_000);
    metrics.of(series(NodeMetrics.LEDGER_APPEND)).record(30_000_000);
    has("ecstore_ledger_append_seconds_bucket{le=\"0.0025\"} 0");
    has("ecstore_ledger_append_seconds_bucket{le=\"0.005\"} 1");
    has("ecstore_ledger_append_seconds_bucket{le=\"+Inf\"} 2");
    has("ecstore_ledger_append_seconds_count 2");
  }

  @Test
  void sizesAreHistogramsByPowersOfTwo() {
    metrics.of(series(NodeMetrics.LEDGER_ENTRY)).record(3);
    has("ecstore_ledger_entry_bucket{le=\"2.0\"} 0");
    has("ecstore_ledger_entry_bucket{le=\"4.0\"} 1");
    has("ecstore_ledger_entry_sum 3.0");
  }

  @Test
  void oneSeriesHasOneInstrument() {
    assertSame(metrics.of(series(NodeMetrics.DURABLE)), metrics.of(series(NodeMetrics.DURABLE)));
  }

  /** Each fits beside all others, and is found under the name that the documents say. */
  @Test
  void everyMetricOfANodeIsScraped() {
    List<String> missing = new ArrayList<>();
    for (Metric metric : NodeMetrics.ALL) {
      List<String> firstValues =
          metric.tags().stream().map(tag -> tag.values().getFirst()).toList();
      metrics.of(new MetricSeries(metric, firstValues)).record(1);
    }
    String scraped = registry.scrape();
    for (Metric metric : NodeMetrics.ALL) {
      String name = ServedMetrics.nameOf(metric);
      if (!scraped.contains("# HELP " + name + " ")) {
        missing.add(name);
      }
    }
    assertEquals(List.of(), missing, scraped);
  }
}
