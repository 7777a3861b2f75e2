package org.ecstore.bench.qos;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.ecstore.bench.qos.TableRun.ClusterBefore;
import org.ecstore.cluster.process.ProcessCluster;
import org.ecstore.model.NodeTraits;
import org.ecstore.protocol.ClientReply.StatusReport;

/**
 * Runs a load on node processes until they are steady, as before the cells of a table. The nodes
 * serve metrics.
 */
public final class ClusterSettling {
  private final ProcessCluster cluster;

  /** Of a cluster that serves. */
  public ClusterSettling(ProcessCluster cluster) {
    this.cluster = cluster;
  }

  /** A run of the load, of some seconds. */
  @FunctionalInterface
  public interface Window {
    /** What its clients say, as {@code bench ycsb --json} has it. */
    ObjectNode run() throws IOException, InterruptedException;
  }

  /**
   * Runs it, once at least, until the cluster is steady.
   *
   * @param within how long that may take
   * @throws IOException if an operation failed, or none ended
   */
  public ClusterBefore settle(Window load, Duration within)
      throws IOException, InterruptedException {
    SteadyWatch watch = new SteadyWatch();
    long deadline = System.nanoTime() + within.toNanos();
    CacheCounters counted = counters();
    do {
      ObjectNode result = load.run();
      mustHaveAnswers(result);
      CacheCounters now = counters();
      watch.add(
          new SteadyWatch.Window(
              result.path("throughput").asDouble(), now.hitRatioSince(counted), mapVersion()));
      counted = now;
    } while (!watch.isSteady() && System.nanoTime() - deadline < 0);
    return new ClusterBefore(watch.isSteady(), watch.hitRatio(), keeper());
  }

  /**
   * Looks at what clients say.
   *
   * @throws IOException if an operation failed, or none ended
   */
  static void mustHaveAnswers(JsonNode result) throws IOException {
    if (result.path("errors").asLong() > 0) {
      throw new IOException(
          "%d operations failed: %s"
              .formatted(result.path("errors").asLong(), result.path("errorsByKind")));
    }
    if (result.path("operations").asLong() == 0) {
      throw new IOException("no operation ended while it counted");
    }
  }

  private CacheCounters counters() throws IOException, InterruptedException {
    List<String> addresses = new ArrayList<>();
    for (int node : cluster.nodes()) {
      cluster.metricsAddress(node).ifPresent(addresses::add);
    }
    return CacheCounters.of(addresses);
  }

  private Optional<StatusReport> map() throws IOException {
    return cluster.map(cluster.status());
  }

  /** Below 0 of no map. */
  private long mapVersion() throws IOException {
    return map().map(report -> report.point().mapVersion().value()).orElse(-1L);
  }

  private String keeper() throws IOException {
    return map().stream()
        .flatMap(report -> report.traits().stream())
        .flatMap(line -> line.traits().capacity().stream())
        .map(NodeTraits.Capacity::keeper)
        .map(NodeTraits.Capacity.Keeper::word)
        .distinct()
        .sorted()
        .collect(Collectors.joining(" and "));
  }
}
