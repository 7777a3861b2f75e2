package org.ecstore.tools.plan;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;
import org.ecstore.txn.qos.plan.PlanOutcome.NoPlan;
import org.ecstore.txn.qos.plan.PlanOutcome.NodePlan;
import org.ecstore.txn.qos.predict.Prediction;
import org.ecstore.txn.qos.table.GridPoint;
import org.ecstore.txn.qos.table.TableSetting;

/** A plan as programs read it; {@code nodes} is null where there is none. */
public final class PlanJson {
  private PlanJson() {}

  /** The plan, and what other tables say. */
  public static ObjectNode of(TablePlan plan, List<TablePlan> others) {
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    switch (plan.outcome()) {
      case NodePlan found -> found(json, plan, found);
      case NoPlan none -> none(json, none);
    }
    json.put("table", plan.file());
    TableSetting setting = plan.subject().setting();
    setting.copies().ifPresent(count -> json.put("copies", count));
    setting.processors().ifPresent(count -> json.put("processors", count));
    ArrayNode unsteady = json.putArray("unsteadyNodes");
    setting.unsteady().forEach(unsteady::add);
    ArrayNode alternatives = json.putArray("alternatives");
    for (TablePlan other : others) {
      ObjectNode each = alternatives.addObject();
      if (other.outcome() instanceof NodePlan found) {
        found(each, other, found);
      } else {
        each.putNull("nodes");
      }
      each.put("table", other.file());
    }
    return json;
  }

  private static void found(ObjectNode json, TablePlan plan, NodePlan found) {
    json.put("nodes", found.nodes());
    predicted(json, found.prediction());
    json.put("clients", found.clients());
    found.clientsMax().ifPresent(most -> json.put("clientsMax", most));
    found.safe().ifPresent(safe -> json.put("nodesToBeSure", safe));
    found
        .fewer()
        .ifPresent(
            fewer -> {
              ObjectNode less = json.putObject("fewer").put("nodes", fewer.servers());
              predicted(less, fewer.prediction());
            });
    plan.price().ifPresent(price -> json.put("pricePerHour", Figures.rounded(price)));
  }

  private static void none(ObjectNode json, NoPlan none) {
    json.putNull("nodes").put("reason", none.why());
    none.nearest()
        .ifPresent(
            nearest -> {
              ObjectNode near = json.putObject("nearest").put("nodes", nearest.servers());
              predicted(near, nearest.prediction());
            });
    none.clientsMax().ifPresent(most -> json.put("clientsMax", most));
    none.curveNodes().ifPresent(nodes -> json.put("nodesByCurve", nodes));
  }

  private static void predicted(ObjectNode json, Prediction prediction) {
    double millis = prediction.millis();
    double megabytes = prediction.megabytesPerSecond();
    json.put("predictedMillis", Figures.rounded(millis));
    json.put("predictedMegabytesPerSecond", Figures.rounded(megabytes));
    interval(json, "millisInterval", millis, prediction.millisError());
    interval(json, "megabytesPerSecondInterval", megabytes, prediction.megabytesError());
    json.put("basis", prediction.basis().name().toLowerCase(Locale.ROOT));
    ArrayNode cells = json.putArray("cells");
    for (GridPoint point : prediction.cells()) {
      cells.addObject().put("clients", point.clients()).put("servers", point.servers());
    }
  }

  private static void interval(ObjectNode json, String name, double amount, OptionalDouble error) {
    if (error.isPresent()) {
      json.putArray(name)
          .add(Figures.rounded(amount * (1 - error.getAsDouble())))
          .add(Figures.rounded(amount * (1 + error.getAsDouble())));
    }
  }
}
