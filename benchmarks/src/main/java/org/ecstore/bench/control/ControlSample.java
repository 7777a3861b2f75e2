package org.ecstore.bench.control;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.ecstore.bench.load.CoreUse;
import org.ecstore.id.NodeId;
import org.ecstore.model.control.ControlAction;
import org.ecstore.model.control.ControlMode;
import org.ecstore.model.control.ServiceLimit;
import org.ecstore.model.objective.ServiceFigures;
import org.ecstore.model.objective.ServiceVerdict;
import org.ecstore.model.objective.Statistic;
import org.ecstore.protocol.ClientReply.Control;
import org.ecstore.protocol.ClientReply.NodeLoadLine;

/**
 * A cluster at one moment.
 *
 * @param atMillis when, since 1970
 * @param seconds since the first phase began
 * @param phase that runs; empty between two
 * @param running processes of nodes
 * @param members that the cluster knows; empty if no node answers
 * @param places nodes that have ranges of their own; empty if no node answers
 * @param making copies that are being made on nodes; empty if no node answers
 * @param shop what its clients had in the latest slot; absent if none is known
 * @param reports the same of the application that floods
 * @param steering what the controller is at; absent if no node has the answer
 * @param cores since the sample before
 */
record ControlSample(
    long atMillis,
    double seconds,
    String phase,
    int running,
    OptionalInt members,
    OptionalInt places,
    OptionalInt making,
    Optional<Had> shop,
    Optional<Had> reports,
    Optional<Steering> steering,
    CoreUse cores) {
  private static final double MILLIS = 1e3;
  private static final double BUSY_PER_PERCENT = 10;

  /** What clients of an application had. */
  record Had(ServiceFigures figures, ServiceVerdict verdict) {
    double millis(Statistic statistic) {
      return figures.micros(statistic) / MILLIS;
    }

    ObjectNode json() {
      ObjectNode json = JsonNodeFactory.instance.objectNode();
      json.put("agoSeconds", figures.agoMillis() / MILLIS);
      json.put("slotSeconds", figures.spanMillis() / MILLIS);
      json.put("perSecond", Math.round(figures.perSecond() * MILLIS) / MILLIS);
      json.put("failures", figures.failures());
      ObjectNode millis = json.putObject("millis");
      for (Statistic statistic : Statistic.values()) {
        millis.put(statistic.word(), millis(statistic));
      }
      json.put("is", verdict.word());
      return json;
    }
  }

  /**
   * What a controller is at.
   *
   * @param steward the node that leads
   * @param action under way, or measured; absent if there is none
   */
  record Steering(
      NodeId steward,
      ControlMode mode,
      String provisioner,
      Optional<ControlAction> action,
      List<ServiceLimit> limits,
      List<NodeLoadLine> loads) {
    static Steering of(Control control) {
      return new Steering(
          control.steward(),
          control.settings().mode(),
          control.provisioner(),
          control.actions().stream()
              .filter(action -> !action.stage().isOver())
              .reduce((_, later) -> later),
          control.limits(),
          control.nodes());
    }

    void write(ObjectNode json) {
      json.put("steward", steward.value()).put("mode", mode.word());
      action.ifPresent(
          now -> {
            ObjectNode at = json.putObject("action");
            at.put("number", now.number()).put("what", now.what());
            at.put("stage", now.stage().words()).put("detail", now.detail());
          });
      ArrayNode limited = json.putArray("limits");
      for (ServiceLimit limit : limits) {
        ObjectNode one = limited.addObject().put("application", limit.application());
        if (limit.perSecond() > 0) {
          one.put("perSecond", limit.perSecond());
        }
        if (limit.promisedPerSecond() > 0) {
          one.put("promisedPerSecond", limit.promisedPerSecond());
        }
      }
      ArrayNode nodes = json.putArray("loads");
      for (NodeLoadLine line : loads) {
        ObjectNode one = nodes.addObject().put("node", line.node().value());
        one.put("busyPercent", line.load().busyMilli() / BUSY_PER_PERCENT);
        one.put("waitMillis", line.load().waitMicros() / MILLIS);
      }
    }
  }

  /** Whether the shop's objective was kept; absent if nothing is known of it. */
  Optional<Boolean> isKept() {
    return shop.map(had -> had.verdict() == ServiceVerdict.KEPT);
  }

  /** As a line of a file. */
  ObjectNode json() {
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    json.put("at", Instant.ofEpochMilli(atMillis).toString());
    json.put("seconds", Math.round(seconds * MILLIS) / MILLIS);
    json.put("phase", phase).put("running", running);
    members.ifPresent(count -> json.put("members", count));
    places.ifPresent(count -> json.put("places", count));
    making.ifPresent(count -> json.put("copiesBeingMade", count));
    shop.ifPresent(had -> json.set("shop", had.json()));
    reports.ifPresent(had -> json.set("reports", had.json()));
    steering.ifPresent(control -> control.write(json));
    json.set("cores", cores.json());
    return json;
  }
}
