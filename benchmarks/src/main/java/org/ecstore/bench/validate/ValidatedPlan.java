package org.ecstore.bench.validate;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.function.ToDoubleFunction;
import org.ecstore.bench.qos.TableRun;

/**
 * A plan and what was measured of its cluster.
 *
 * @param number from 1
 * @param runs all of them, one or more
 */
public record ValidatedPlan(int number, DrawnObjective drawn, List<ValidationRun> runs) {
  public ValidatedPlan {
    runs = List.copyOf(runs);
  }

  /** The means of all runs beside what was predicted. */
  TriedPlan tried() {
    return new TriedPlan(
        drawn.plan(), drawn.found(), mean(TableRun::millis), mean(TableRun::megabytesPerSecond));
  }

  double mean(ToDoubleFunction<TableRun> figure) {
    return runs.stream().map(ValidationRun::run).mapToDouble(figure).average().orElse(0);
  }

  /** How far the predicted response time was off, as a share of what was measured. */
  double millisError() {
    return tried().millisError();
  }

  /** The same of throughput. */
  double megabytesError() {
    return tried().megabytesError();
  }

  /** Whether the mean response time was at or below the target. */
  boolean isKept() {
    return tried().isKept();
  }

  /** What the controller did meanwhile, in words. */
  List<String> actions() {
    return runs.stream().flatMap(run -> run.actions().stream()).toList();
  }

  ObjectNode json() {
    ObjectNode json = tried().json();
    json.remove("table");
    json.put("plan", number);
    ArrayNode actions = json.putArray("actions");
    actions().forEach(actions::add);
    ArrayNode all = json.putArray("runs");
    runs.forEach(run -> all.add(run.json()));
    return json;
  }
}
