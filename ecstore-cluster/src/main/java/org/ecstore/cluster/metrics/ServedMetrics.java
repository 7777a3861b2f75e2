package org.ecstore.cluster.metrics;

import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.binder.jvm.JvmGcMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmMemoryMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmThreadMetrics;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.micrometer.prometheusmetrics.PrometheusNamingConvention;
import java.io.IOException;
import java.net.InetSocketAddress;
import org.ecstore.core.metrics.Metric;
import org.ecstore.core.metrics.MetricKind;
import org.ecstore.core.metrics.Metrics;
import org.ecstore.id.NodeId;

/**
 * The numbers of a process with one node, its JVM's among them, for Prometheus to scrape. Each has
 * the tags {@code cluster} and {@code node}.
 */
public final class ServedMetrics implements AutoCloseable {
  private static final String CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8";

  private final PrometheusMeterRegistry registry;
  private final JvmGcMetrics gc;
  private final ScrapePort port;
  private final Metrics metrics;

  private ServedMetrics(PrometheusMeterRegistry registry, JvmGcMetrics gc, ScrapePort port) {
    this.registry = registry;
    this.gc = gc;
    this.port = port;
    this.metrics = new MicrometerMetrics(registry);
  }

  /**
   * Opens the port.
   *
   * @throws java.net.BindException if the port is not free, or the address not this machine's
   */
  public static ServedMetrics open(InetSocketAddress address, String cluster, NodeId node)
      throws IOException {
    PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    registry.config().commonTags(Tags.of("cluster", cluster, "node", String.valueOf(node.value())));
    ScrapePort port = ScrapePort.open(address, registry::scrape, CONTENT_TYPE);
    new JvmMemoryMetrics().bindTo(registry);
    new JvmThreadMetrics().bindTo(registry);
    JvmGcMetrics gc = new JvmGcMetrics();
    gc.bindTo(registry);
    return new ServedMetrics(registry, gc, port);
  }

  /** What a metric is called there; of a histogram, what its series begin with. */
  public static String nameOf(Metric metric) {
    String name = MicrometerMetrics.nameIn(new PrometheusNamingConvention(), metric);
    return metric.kind() == MetricKind.COUNTER ? name + "_total" : name;
  }

  /** Where the numbers of the node go. */
  public Metrics metrics() {
    return metrics;
  }

  /** Where it listens. */
  public InetSocketAddress address() {
    return port.address();
  }

  @Override
  public void close() {
    port.close();
    gc.close();
    registry.close();
  }
}
