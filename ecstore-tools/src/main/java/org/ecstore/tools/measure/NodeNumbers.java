package org.ecstore.tools.measure;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import org.ecstore.cluster.metrics.ServedMetrics;
import org.ecstore.core.metrics.Metric;

/** What a node's metrics say at a moment, as its port gives them to Prometheus. */
final class NodeNumbers {
  private static final Duration WITHIN = Duration.ofSeconds(5);

  private final List<String> lines;

  private NodeNumbers(List<String> lines) {
    this.lines = lines;
  }

  /** Those of a text as Prometheus reads it. */
  static NodeNumbers parse(String text) {
    return new NodeNumbers(text.lines().filter(line -> !line.startsWith("#")).toList());
  }

  /**
   * Asks a node.
   *
   * @param address where it serves them, {@code host:port}
   * @throws IOException if it does not answer within five seconds
   */
  static NodeNumbers of(HttpClient client, String address)
      throws IOException, InterruptedException {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create("http://" + address + "/metrics"))
            .timeout(WITHIN)
            .build();
    return parse(client.send(request, HttpResponse.BodyHandlers.ofString()).body());
  }

  /** Where a gauge stands, or what a counter has counted; 0 of what was never told. */
  double of(Metric metric) {
    return sum(ServedMetrics.nameOf(metric), "");
  }

  /** The sum of all times of a histogram with a tag, in seconds. */
  double seconds(Metric histogram, Enum<?> tag) {
    return sum(
        ServedMetrics.nameOf(histogram) + "_sum",
        "=\"" + tag.name().toLowerCase(Locale.ROOT) + "\"");
  }

  /** How many values a histogram with a tag has taken. */
  long count(Metric histogram, Enum<?> tag) {
    return (long)
        sum(
            ServedMetrics.nameOf(histogram) + "_count",
            "=\"" + tag.name().toLowerCase(Locale.ROOT) + "\"");
  }

  /** The sum of all series of a name that have a text in their tags. */
  private double sum(String name, String tag) {
    return lines.stream()
        .filter(line -> line.startsWith(name + "{") || line.startsWith(name + " "))
        .filter(line -> line.contains(tag))
        .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
        .sum();
  }
}
