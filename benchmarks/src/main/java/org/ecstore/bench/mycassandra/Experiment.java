package org.ecstore.bench.mycassandra;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import org.ecstore.model.Quorum;

/**
 * What was run: what a result says beside what {@link org.ecstore.bench.compare.Comparison} has.
 *
 * @param quorum by which single keys are read and written
 * @param hosts of each cluster of ecStore
 * @param rate operations that begin each second where latency is measured
 * @param clusters what they are called in the results
 */
public record Experiment(Quorum quorum, int hosts, int rate, Clusters clusters) {
  /** In results, which names them. */
  public static final String BENCHMARK = "mycassandra";

  private static final String QUORUM = "quorum";
  private static final String HOSTS = "hosts";
  private static final String RATE = "rate";
  private static final String CLUSTERS = "clusters";

  /**
   * The names of the stores in the results.
   *
   * @param writing of nodes on an engine that is made for writing
   * @param reading on one made for reading
   * @param memory on one in memory
   * @param mixed each host with one of each
   * @param peer what it is compared with
   */
  public record Clusters(String writing, String reading, String memory, String mixed, String peer) {
    /** Those of one kind each. */
    List<String> ofOneKind() {
      return List.of(writing, reading, memory);
    }
  }

  /** Says it in a result. */
  public void describe(ObjectNode result) {
    result.put("benchmark", BENCHMARK);
    ObjectNode sizes = result.putObject(QUORUM);
    sizes.put("n", quorum.n()).put("w", quorum.w()).put("r", quorum.r());
    result.put(HOSTS, hosts).put(RATE, rate);
    ObjectNode names = result.putObject(CLUSTERS);
    names.put("writing", clusters.writing()).put("reading", clusters.reading());
    names.put("memory", clusters.memory()).put("mixed", clusters.mixed());
    names.put("peer", clusters.peer());
  }

  /**
   * The one of a result.
   *
   * @throws IllegalArgumentException if it does not say it
   */
  public static Experiment of(JsonNode result) {
    JsonNode sizes = result.path(QUORUM);
    JsonNode names = result.path(CLUSTERS);
    if (!sizes.isObject() || !names.isObject()) {
      throw new IllegalArgumentException("the result does not say its quorum and its clusters");
    }
    return new Experiment(
        new Quorum(sizes.path("n").asInt(), sizes.path("w").asInt(), sizes.path("r").asInt()),
        result.path(HOSTS).asInt(),
        result.path(RATE).asInt(),
        new Clusters(
            names.path("writing").asText(),
            names.path("reading").asText(),
            names.path("memory").asText(),
            names.path("mixed").asText(),
            names.path("peer").asText()));
  }

  /** As the papers write it. */
  String sizes() {
    return "(%d, %d, %d)".formatted(quorum.n(), quorum.w(), quorum.r());
  }
}
