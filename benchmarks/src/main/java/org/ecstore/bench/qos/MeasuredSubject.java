package org.ecstore.bench.qos;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.math.BigDecimal;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.ecstore.cluster.layout.NodeClass;
import org.ecstore.model.objective.Locality;
import org.ecstore.model.objective.ObjectiveWorkload;
import org.ecstore.model.objective.OfferedLoad.ClientCount;
import org.ecstore.txn.qos.table.SubjectNumber;
import org.ecstore.txn.qos.table.SubjectText;
import org.ecstore.txn.qos.table.TableSetting;
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
  private static final String CAPACITY = "[0-9]{1,4}(\\.[0-9]{1,4})?";

  /** Of the files that have it, without their endings. */
  public String name() {
    return engine + "-" + nodeClass.name() + "-" + workload.name();
  }

  /** As a table says it. */
  public TableSubject subject() {
    return TableSubject.UNKNOWN
        .with(SubjectText.ENGINE, engine)
        .with(SubjectText.NODE_CLASS, nodeClass.name())
        .with(SubjectText.WORKLOAD, workload.name())
        .with(SubjectText.BUILD, build)
        .with(
            SubjectText.CAPACITY,
            nodeClass
                .capacity()
                .map(BigDecimal::toPlainString)
                .map(TableSubject::capacityOf)
                .orElse(TableSubject.WHOLE))
        .with(SubjectNumber.READ_PERCENT, workload.readPercent())
        .with(SubjectNumber.RECORD_BYTES, TableWorkload.RECORD_BYTES)
        .with(SubjectNumber.DATA_BYTES, (double) records * TableWorkload.RECORD_BYTES)
        .with(
            SubjectNumber.NODE_PRICE,
            nodeClass.pricePerHour().stream().mapToDouble(BigDecimal::doubleValue).findFirst())
        .by(new TableSetting(OptionalInt.of(copies), OptionalInt.of(processors), List.of()));
  }

  /** What an application states whose clients do the same. */
  public ObjectiveWorkload stated(int clients) {
    return new ObjectiveWorkload(
        OptionalLong.of(records * TableWorkload.RECORD_BYTES),
        OptionalInt.of(TableWorkload.RECORD_BYTES),
        OptionalInt.of((int) Math.round(workload.readPercent())),
        workload.name().startsWith(Locality.ZIPF.word())
            ? Optional.of(Locality.ZIPF)
            : Optional.of(Locality.UNIFORM),
        Optional.of(new ClientCount(clients)));
  }

  /** As the first line of a file of runs; the price is no part of what was measured. */
  public ObjectNode json() {
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    json.put("engine", engine).put("class", nodeClass.name());
    json.put(
        "capacity", nodeClass.capacity().map(BigDecimal::toPlainString).orElse(TableSubject.WHOLE));
    json.put("workload", workload.name()).put("build", build);
    json.put("records", records).put("copies", copies);
    json.put("heapMebibytes", heapMebibytes).put("cacheMebibytes", cacheMebibytes);
    json.put("firstNodes", firstNodes);
    json.put("seconds", seconds).put("warmUpSeconds", warmUpSeconds);
    json.put("processors", processors);
    return json;
  }

  /** What {@link #json} wrote, without a price; absent if it is none. */
  public static Optional<MeasuredSubject> of(JsonNode json) {
    Optional<TableWorkload> workload = TableWorkload.of(json.path("workload").asText());
    String processors = json.path("capacity").asText();
    boolean isWhole = processors.equals(TableSubject.WHOLE);
    if (workload.isEmpty() || !(isWhole || processors.matches(CAPACITY))) {
      return Optional.empty();
    }
    MeasuredSubject subject =
        new MeasuredSubject(
            json.path("engine").asText(),
            new NodeClass(
                json.path("class").asText(),
                Optional.empty(),
                isWhole ? Optional.empty() : Optional.of(new BigDecimal(processors))),
            workload.get(),
            json.path("build").asText(),
            json.path("records").asLong(),
            json.path("copies").asInt(),
            json.path("heapMebibytes").asInt(),
            json.path("cacheMebibytes").asInt(),
            json.path("firstNodes").asInt(),
            json.path("seconds").asDouble(),
            json.path("warmUpSeconds").asDouble(),
            json.path("processors").asInt());
    return subject.isSound() ? Optional.of(subject) : Optional.empty();
  }

  private boolean isSound() {
    return !engine.isEmpty()
        && !nodeClass.name().isEmpty()
        && !build.isEmpty()
        && records > 0
        && copies > 0
        && heapMebibytes > 0
        && cacheMebibytes > 0
        && firstNodes > 0
        && seconds > 0
        && warmUpSeconds >= 0
        && processors > 0;
  }

  /** The same of another build, on another machine. */
  public MeasuredSubject at(String otherBuild, int otherProcessors) {
    return new MeasuredSubject(
        engine,
        nodeClass,
        workload,
        otherBuild,
        records,
        copies,
        heapMebibytes,
        cacheMebibytes,
        firstNodes,
        seconds,
        warmUpSeconds,
        otherProcessors);
  }

  /** The same that begins with other nodes. */
  public MeasuredSubject from(int nodes) {
    return on(nodeClass, nodes, copies);
  }

  /** The same of nodes with another capacity. */
  MeasuredSubject ofCapacity(Optional<BigDecimal> capacity) {
    return on(
        new NodeClass(nodeClass.name(), nodeClass.pricePerHour(), capacity), firstNodes, copies);
  }

  /** The same on other machines, which begins with other nodes and has other copies. */
  public MeasuredSubject on(NodeClass machines, int nodes, int otherCopies) {
    return new MeasuredSubject(
        engine,
        machines,
        workload,
        build,
        records,
        otherCopies,
        heapMebibytes,
        cacheMebibytes,
        nodes,
        seconds,
        warmUpSeconds,
        processors);
  }

  /** The same with runs of another length. */
  public MeasuredSubject lasting(double otherSeconds, double otherWarmUp) {
    return new MeasuredSubject(
        engine,
        nodeClass,
        workload,
        build,
        records,
        copies,
        heapMebibytes,
        cacheMebibytes,
        firstNodes,
        otherSeconds,
        otherWarmUp,
        processors);
  }
}
