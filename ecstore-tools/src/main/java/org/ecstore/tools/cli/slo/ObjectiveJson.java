package org.ecstore.tools.cli.slo;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Instant;
import java.util.Optional;
import org.ecstore.model.objective.Objective;
import org.ecstore.model.objective.ObjectiveWorkload;
import org.ecstore.model.objective.OfferedLoad.ClientCount;
import org.ecstore.model.objective.OfferedLoad.OperationRate;
import org.ecstore.model.objective.ServiceFigures;
import org.ecstore.model.objective.ServiceVerdict;
import org.ecstore.model.objective.Statistic;
import org.ecstore.protocol.ClientReply.ObjectiveChangeLine;
import org.ecstore.protocol.ClientReply.ObjectiveLine;
import org.ecstore.protocol.ClientReply.QuotaLine;

/** Objectives as JSON; what is not stated is left out. */
final class ObjectiveJson {
  private static final double MILLIS = 1e3;
  private static final double NANOS_PER_MILLI = 1e6;

  private ObjectiveJson() {}

  static ObjectNode of(ObjectiveLine line, Optional<QuotaLine> quota) {
    ObjectNode json = of(line.objective());
    quota.ifPresent(
        one -> {
          one.heldBytes().ifPresent(bytes -> json.put("heldBytes", bytes));
          json.put("refused", one.isRefused());
        });
    json.put("since", Instant.ofEpochMilli(line.sinceMillis()).toString());
    json.put("verdict", ServiceVerdict.of(line.objective(), line.recent()).word());
    line.recent().ifPresent(figures -> json.set("measured", of(figures)));
    ArrayNode slots = json.putArray("history");
    line.slots().forEach(figures -> slots.add(of(figures)));
    return json;
  }

  static ObjectNode of(ObjectiveChangeLine change) {
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    json.put("number", change.number());
    json.put("at", Instant.ofEpochMilli(change.atMillis()).toString());
    json.put("what", change.removed() ? "removed" : "set");
    json.set("objective", of(change.objective()));
    return json;
  }

  private static ObjectNode of(ServiceFigures figures) {
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    json.put("agoSeconds", figures.agoMillis() / MILLIS);
    json.put("seconds", figures.spanMillis() / MILLIS);
    json.put("operations", figures.operations());
    json.put("perSecond", figures.perSecond());
    json.put("reads", figures.reads());
    json.put("failures", figures.failures());
    ObjectNode millis = json.putObject("millis");
    for (Statistic statistic : Statistic.values()) {
      millis.put(statistic.word(), figures.micros(statistic) / MILLIS);
    }
    return json;
  }

  /** What is stated. */
  static ObjectNode of(Objective objective) {
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    json.put("application", objective.application());
    ArrayNode tables = json.putArray("tables");
    objective.tables().forEach(tables::add);
    json.put("class", objective.serviceClass().word());
    json.put("weight", objective.weight());
    ObjectNode targets = json.putObject("millis");
    objective
        .targets()
        .forEach(
            target ->
                targets.put(
                    target.statistic().word(), target.atMost().toNanos() / NANOS_PER_MILLI));
    objective.quotaBytes().ifPresent(bytes -> json.put("quotaBytes", bytes));
    workload(json, objective.workload());
    return json;
  }

  private static void workload(ObjectNode json, ObjectiveWorkload workload) {
    workload
        .load()
        .ifPresent(
            load -> {
              switch (load) {
                case OperationRate(var perSecond) -> json.put("rate", perSecond);
                case ClientCount(var count) -> json.put("clients", count);
              }
            });
    workload.readPercent().ifPresent(percent -> json.put("readPercent", percent));
    workload.locality().ifPresent(locality -> json.put("locality", locality.word()));
    workload.dataBytes().ifPresent(bytes -> json.put("dataBytes", bytes));
    workload.recordBytes().ifPresent(bytes -> json.put("recordBytes", bytes));
  }
}
