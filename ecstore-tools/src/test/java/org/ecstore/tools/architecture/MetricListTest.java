package org.ecstore.tools.architecture;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.stream.Collectors;
import org.ecstore.cluster.metrics.ServedMetrics;
import org.ecstore.core.metrics.Metric;
import org.ecstore.core.metrics.MetricTag;
import org.ecstore.core.metrics.NodeMetrics;
import org.junit.jupiter.api.Test;

/** The list of metrics says what is declared. */
class MetricListTest {
  private static final String WRITE = "ecstore.metrics.write";
  private static final Path LIST =
      Path.of("..").toAbsolutePath().normalize().resolve("docs/metrics.md");

  private static final String HEAD =
      """
      # Metrics

      `MetricListTest` writes this list from `NodeMetrics`, and fails when it is stale. A name is for ever.

      A node with `metrics.port` in its [configuration](configuration.md) serves them by HTTP at `/metrics`, for Prometheus,
      with the tags `cluster` and `node`; beside them the memory, collections and threads of its Java virtual machine, as
      Micrometer names them (`jvm_...`). Values of tags are those listed and no others, so that the number of series is
      fixed. Counters begin at 0 when the node starts. Gauges are set once a second. Times are of the node's monotonic
      clock; histograms of times have buckets from 100 µs to 5 s, those of counts from 1 to 1024.

      A program with a `LocalCluster` gives its nodes a
      [`Metrics`](../ecstore-core/src/main/java/org/ecstore/core/metrics/Metrics.java) of its own by
      `ClusterSettings.withMetrics`; one with `EcStore.open` names a `MetricsProvider` in
      `META-INF/services/org.ecstore.core.metrics.MetricsProvider`, as `node -> series -> value -> ...`.
      Why it is so is in [decision 0044](decisions/0044-a-node-tells-numbers-by-a-port.md).

      | Metric | In Prometheus | Kind | Unit | Tags | What it is |
      |---|---|---|---|---|---|
      """;

  private static String text() {
    return NodeMetrics.ALL.stream()
        .map(MetricListTest::row)
        .collect(Collectors.joining("", HEAD, ""));
  }

  private static String row(Metric metric) {
    return "| %s | `%s` | %s | %s | %s | %s |\n"
        .formatted(
            metric.name(),
            ServedMetrics.nameOf(metric),
            lower(metric.kind()),
            lower(metric.unit()),
            metric.tags().stream().map(MetricListTest::tag).collect(Collectors.joining("; ")),
            metric.help());
  }

  private static String tag(MetricTag tag) {
    return tag.name() + ": " + String.join(", ", tag.values());
  }

  private static String lower(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT);
  }

  @Test
  void theListSaysWhatIsDeclared() throws IOException {
    String right = text();
    if (Boolean.getBoolean(WRITE)) {
      Files.writeString(LIST, right);
    }
    assertEquals(
        right,
        Files.readString(LIST),
        "the list is stale: mvn -pl ecstore-tools -am test -Dtest=MetricListTest"
            + " -Dsurefire.failIfNoSpecifiedTests=false -D"
            + WRITE
            + "=true writes it");
  }
}
