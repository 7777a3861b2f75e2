package org.ecstore.tools.cli.qos;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.math.BigDecimal;
import org.ecstore.model.control.ControlAction;
import org.ecstore.model.control.ServiceLimit;
import org.ecstore.protocol.ClientReply.Control;
import org.ecstore.protocol.ClientReply.ControlCheckLine;
import org.ecstore.protocol.ClientReply.NodeLoadLine;
import org.ecstore.tools.cli.slo.NodeLoadText;

/** What the controller sees and does as JSON; what is not known, or not limited, is left out. */
final class ControlJson {
  private static final int DECIMALS = 3;
  private static final double MICROS_PER_MILLI = 1e3;

  private ControlJson() {}

  static ObjectNode of(Control control) {
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    json.put("steward", control.steward().value());
    json.put("mode", control.settings().mode().word());
    json.put("nodesMax", control.settings().nodesMax());
    if (control.settings().costMaxMilli() > 0) {
      json.put("costMax", BigDecimal.valueOf(control.settings().costMaxMilli(), DECIMALS));
    }
    if (!control.provisioner().isEmpty()) {
      json.put("provisioner", control.provisioner());
    }
    ArrayNode nodes = json.putArray("nodes");
    control.nodes().forEach(line -> nodes.add(of(line)));
    ArrayNode checks = json.putArray("checks");
    control.checks().forEach(line -> checks.add(of(line)));
    ArrayNode limits = json.putArray("limits");
    control.limits().stream()
        .filter(ControlTable::isStanding)
        .forEach(limit -> limits.add(of(limit)));
    ControlTable.hotThreshold(control)
        .ifPresent(perSecond -> json.put("hotReplicasThreshold", perSecond));
    if (control.patience() > 0) {
      json.put("patienceWindows", control.patience());
    }
    ArrayNode actions = json.putArray("actions");
    control.actions().forEach(action -> actions.add(of(action)));
    return json;
  }

  private static ObjectNode of(NodeLoadLine line) {
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    json.put("node", line.node().value());
    NodeLoadText.add(json, line.load());
    return json;
  }

  private static ObjectNode of(ControlCheckLine line) {
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    json.put("application", line.application());
    json.put("checks", line.checks());
    json.put("needed", line.needed());
    json.put("violated", line.violated());
    return json;
  }

  private static ObjectNode of(ServiceLimit limit) {
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    json.put("application", limit.application());
    ArrayNode tables = json.putArray("tables");
    limit.tables().forEach(tables::add);
    if (limit.perSecond() > 0) {
      json.put("perSecond", limit.perSecond());
    }
    if (limit.promisedPerSecond() > 0) {
      json.put("promisedPerSecond", limit.promisedPerSecond());
    }
    return json;
  }

  private static ObjectNode of(ControlAction action) {
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    json.put("number", action.number());
    json.put("kind", action.kind().words());
    json.put("what", action.what());
    json.put("application", action.about());
    if (!action.limited().isEmpty()) {
      json.put("limited", action.limited());
    }
    action.node().ifPresent(node -> json.put("node", node.value()));
    if (action.perSecond() > 0) {
      json.put("perSecond", action.perSecond());
    }
    json.put("stage", action.stage().words());
    json.put("why", action.why());
    millis(json, "beforeMillis", action.beforeMicros());
    millis(json, "predictedMillis", action.predictedMicros());
    millis(json, "measuredMillis", action.afterMicros());
    json.put("detail", action.detail());
    return json;
  }

  private static void millis(ObjectNode json, String name, long micros) {
    if (micros > 0) {
      json.put(name, micros / MICROS_PER_MILLI);
    }
  }
}
