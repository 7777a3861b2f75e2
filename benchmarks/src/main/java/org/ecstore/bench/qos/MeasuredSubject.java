package org.ecstore.bench.qos;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import org.ecstore.cluster.layout.NodeClass;
import org.ecstore.txn.qos.table.TableSubject;

/**
 * What a table is measured on, and how: what has to be the same for all of its cells.
 *
 * @param engine the kind of all nodes' engines
 * @param nodeClass what machine each node stands for
 * @param build the release that is measured
 * @param records that the store holds
 * @param copies of each range
 * @param heapMebibytes of each node
 * @param cacheMebibytes of each node's engine, within its heap
 * @param firstNodes how many nodes the cluster begins with
 * @param seconds that each run counts
 * @param warmUpSeconds for which it runs before
 * @param processors of the machine that all nodes and clients share
 */
public record MeasuredSubject(
    String engine,
    NodeClass nodeClass,
    TableWorkload workload,
    String build,
    long records,
    int copies,
    int heapMebibytes,
    int cacheMebibytes,
    int firstNodes,
    double seconds,
    double warmUpSeconds,
    int processors) {
  /** Of the files that have it, without their endings. */
  public String name() {
    return engine + "-" + nodeClass.name() + "-" + workload.name();
  }

  /** As a table says it. */
  public TableSubject subject() {
    return new TableSubject(
        Optional.of(engine),
        Optional.of(nodeClass.name()),
        Optional.of(workload.name()),
        Optional.of(build),
        Optional.of(
            nodeClass
                .capacity()
                .map(BigDecimal::toPlainString)
                .map(TableSubject::capacityOf)
                .orElse(TableSubject.WHOLE)),
        OptionalDouble.of(workload.readPercent()),
        OptionalLong.of(TableWorkload.RECORD_BYTES),
        OptionalLong.of(records * TableWorkload.RECORD_BYTES),
        nodeClass.pricePerHour().stream().mapToDouble(BigDecimal::doubleValue).findFirst());
  }

  /** As the first line of a file of runs; the price is no part of what was measured. */
  ObjectNode json() {
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    json.put("engine", engine).put("class", nodeClass.name());
    json.put("capacity", nodeClass.capacity().map(BigDecimal::toPlainString).orElse("all"));
    json.put("workload", workload.name()).put("build", build);
    json.put("records", records).put("copies", copies);
    json.put("heapMebibytes", heapMebibytes).put("cacheMebibytes", cacheMebibytes);
    json.put("firstNodes", firstNodes);
    json.put("seconds", seconds).put("warmUpSeconds", warmUpSeconds);
    json.put("processors", processors);
    return json;
  }

  /** In what another one, as {@link #json} writes it, differs: a few words each. */
  List<String> differencesFrom(JsonNode other) {
    List<String> differences = new ArrayList<>();
    for (Map.Entry<String, JsonNode> own : json().properties()) {
      JsonNode there = other.path(own.getKey());
      if (!there.asText().equals(own.getValue().asText())) {
        differences.add(
            "%s is %s there, not %s"
                .formatted(
                    own.getKey(),
                    there.isMissingNode() ? "not said" : there.asText(),
                    own.getValue().asText()));
      }
    }
    return differences;
  }
}
