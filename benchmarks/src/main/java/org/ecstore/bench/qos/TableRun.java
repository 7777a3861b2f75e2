package org.ecstore.bench.qos;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Optional;
import java.util.OptionalDouble;
import org.ecstore.txn.qos.table.GridPoint;

/**
 * What was measured of a cell once.
 *
 * @param number of the run, from 1
 * @param perSecond operations
 * @param serverCores processors that all nodes kept busy together
 * @param clientCores the same of the clients
 * @param otherCores the same of everything else on the machine; empty if it does not say
 * @param hitRatio of the engines' caches just before; empty if they do not say
 * @param steady whether throughput and caches were steady before the cells of this size
 * @param keeper who held the nodes to their capacity: a word of its own, or nothing
 */
public record TableRun(
    GridPoint point,
    int number,
    double millis,
    double p95Millis,
    double p99Millis,
    double perSecond,
    double serverCores,
    double clientCores,
    OptionalDouble otherCores,
    OptionalDouble hitRatio,
    boolean steady,
    String keeper) {
  private static final double MICROS = 1_000;

  /**
   * From what a client process printed.
   *
   * @param before what is known of the cluster
   */
  static TableRun of(GridPoint point, int number, JsonNode result, ClusterBefore before) {
    JsonNode latency = result.path("latencyMicros");
    return new TableRun(
        point,
        number,
        latency.path("mean").asDouble() / MICROS,
        latency.path("p95").asDouble() / MICROS,
        latency.path("p99").asDouble() / MICROS,
        result.path("throughput").asDouble(),
        result.at("/cores/servers").asDouble(),
        result.at("/cores/clients").asDouble(),
        optional(result.at("/cores/others")),
        before.hitRatio(),
        before.steady(),
        before.keeper());
  }

  /**
   * What is known of a cluster before its cells are measured.
   *
   * @param keeper who holds its nodes to their capacity
   */
  public record ClusterBefore(boolean steady, OptionalDouble hitRatio, String keeper) {}

  /** The share of the machine's processors that nodes and clients kept busy together. */
  public double load(int processors) {
    return (serverCores + clientCores) / processors;
  }

  /** Throughput, in 10^6 bytes a second. */
  public double megabytesPerSecond() {
    return perSecond * TableWorkload.RECORD_BYTES / 1e6;
  }

  /** As a line of a file of runs. */
  public ObjectNode json() {
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    json.put("clients", point.clients()).put("nodes", point.servers()).put("run", number);
    json.put("ms", millis).put("p95Ms", p95Millis).put("p99Ms", p99Millis);
    json.put("perSecond", perSecond);
    json.put("serverCores", serverCores).put("clientCores", clientCores);
    otherCores.ifPresent(cores -> json.put("otherCores", cores));
    hitRatio.ifPresent(ratio -> json.put("hitRatio", ratio));
    json.put("steady", steady).put("capacityKeptBy", keeper);
    return json;
  }

  /** What {@link #json} wrote; absent if it is none. */
  public static Optional<TableRun> of(JsonNode json) {
    int clients = json.path("clients").asInt();
    int nodes = json.path("nodes").asInt();
    int number = json.path("run").asInt();
    TableRun run =
        new TableRun(
            new GridPoint(clients, nodes),
            number,
            json.path("ms").asDouble(),
            json.path("p95Ms").asDouble(),
            json.path("p99Ms").asDouble(),
            json.path("perSecond").asDouble(),
            json.path("serverCores").asDouble(),
            json.path("clientCores").asDouble(),
            optional(json.path("otherCores")),
            optional(json.path("hitRatio")),
            json.path("steady").asBoolean(),
            json.path("capacityKeptBy").asText());
    boolean sound =
        clients > 0 && nodes > 0 && number > 0 && run.millis() > 0 && run.perSecond() > 0;
    return sound ? Optional.of(run) : Optional.empty();
  }

  private static OptionalDouble optional(JsonNode number) {
    return number.isNumber() ? OptionalDouble.of(number.asDouble()) : OptionalDouble.empty();
  }
}
