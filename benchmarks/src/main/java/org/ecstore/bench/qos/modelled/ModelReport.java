package org.ecstore.bench.qos.modelled;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.ecstore.bench.cost.CostModel;
import org.ecstore.bench.figure.Claim;
import org.ecstore.bench.figure.Verdict;
import org.ecstore.server.Release;
import org.ecstore.txn.qos.predict.PredictionErrors;
import org.ecstore.txn.qos.predict.PredictorComparison;
import org.ecstore.txn.qos.predict.PredictorComparison.HeldOut;

/**
 * Modelled tables with the error of prediction on what is held out of them, and what the paper
 * claims of its own.
 */
public final class ModelReport {
  private static final double SHARES = 1e4;

  private final List<ModelledTable> tables;
  private final List<Claim> claims;

  /** Of one table or more. */
  public ModelReport(List<ModelledTable> tables) {
    this.tables = List.copyOf(tables);
    this.claims = ModelClaims.of(this.tables);
  }

  /** What the paper claims, as far as these tables can say something. */
  public List<Claim> claims() {
    return claims;
  }

  /** Whether no table misses the goal: {@link ModelledTable#goal}. */
  public boolean isGood() {
    return tables.stream()
        .flatMap(table -> table.goal().stream())
        .noneMatch(goal -> goal.verdict() == Verdict.DOES_NOT_HOLD);
  }

  /** What a reader should know of a table, and how well it is predicted. */
  public static List<String> lines(ModelledTable table) {
    List<String> lines = new ArrayList<>(table.remarks());
    for (HeldOut heldOut : HeldOut.values()) {
      table.comparison(heldOut).ifPresent(comparison -> lines.add(line(heldOut, comparison)));
    }
    table
        .goal()
        .ifPresent(
            goal ->
                lines.add(
                    "goal, by %s: %s %s: %s (%s)"
                        .formatted(
                            table.byCurve() ? "the curve" : "interpolation",
                            goal.paper(),
                            goal.verdict().words().toUpperCase(Locale.ROOT),
                            goal.found(),
                            goal.decided())));
    table
        .deviation()
        .ifPresent(
            off ->
                lines.add(
                    String.format(
                        Locale.ROOT,
                        "beside the paper's Table %s: response times of %d cells are off by %.0f %%"
                            + " on average, from %+.0f to %+.0f %%",
                        off.numeral(),
                        off.cells(),
                        100 * off.mean(),
                        100 * off.least(),
                        100 * off.most())));
    return lines;
  }

  private static String line(HeldOut heldOut, PredictorComparison comparison) {
    return "%d cells, %s held out: interpolation off by %s, the curve by %s"
        .formatted(
            comparison.curve().cells(),
            heldOut == HeldOut.ROW ? "their rows" : "each",
            words(comparison.interpolation()),
            words(comparison.curve()));
  }

  private static String words(PredictionErrors errors) {
    return String.format(
        Locale.ROOT,
        "%.1f %% (median %.1f, largest %.1f)",
        100 * errors.mean(),
        100 * errors.median(),
        100 * errors.largest());
  }

  /** What the paper claims, a line each. */
  public List<String> claimLines() {
    return claims.stream()
        .map(
            claim ->
                "%s: %s %s (%s)"
                    .formatted(
                        claim.verdict().words(), claim.paper(), claim.found(), claim.decided()))
        .toList();
  }

  /** All of it. */
  public ObjectNode json() {
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    json.put("benchmark", "qos-model").put("build", Release.version()).put("good", isGood());
    ObjectNode costs = json.putObject("costsNanos");
    CostModel.TYPICAL.byName().forEach(costs::put);
    ArrayNode all = json.putArray("tables");
    tables.forEach(table -> all.add(json(table)));
    ArrayNode said = json.putArray("claims");
    claims.forEach(claim -> said.add(json(claim)));
    return json;
  }

  private static ObjectNode json(Claim claim) {
    return JsonNodeFactory.instance
        .objectNode()
        .put("claim", claim.paper())
        .put("is", claim.verdict().words())
        .put("found", claim.found())
        .put("decided", claim.decided());
  }

  private static ObjectNode json(ModelledTable table) {
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    ModelSubject subject = table.subject();
    json.put("name", subject.name()).put("class", subject.nodeClass().word());
    json.put("workload", subject.workload().name());
    json.put("records", subject.records()).put("cacheMebibytes", subject.cacheMebibytes());
    json.put("direct", subject.isDirect());
    json.put("slowdown", subject.nodeClass().slowdown());
    json.put("missNanos", subject.nodeClass().missNanos());
    json.put("runs", table.course().runs()).put("requests", table.course().requests());
    json.put("seed", table.course().seed());
    ArrayNode cells = json.putArray("cells");
    table
        .table()
        .cells()
        .forEach(
            (point, cell) -> {
              ObjectNode one = cells.addObject();
              one.put("clients", point.clients()).put("nodes", point.servers());
              one.put("millis", cell.millis());
              one.put("megabytesPerSecond", cell.megabytesPerSecond());
              cell.millisSpread().ifPresent(spread -> one.put("millisSpread", spread));
              cell.p95Millis().ifPresent(millis -> one.put("p95Millis", millis));
              cell.p99Millis().ifPresent(millis -> one.put("p99Millis", millis));
            });
    ObjectNode hits = json.putObject("hitRatios");
    for (int nodes : table.course().nodes()) {
      hits.put(String.valueOf(nodes), rounded(table.hitRatio(nodes).median()));
    }
    json.set("rowsHeldOut", json(table.comparison(HeldOut.ROW)));
    json.set("cellsHeldOut", json(table.comparison(HeldOut.CELL)));
    json.put("predictedBy", table.byCurve() ? "curve" : "interpolation");
    table.goal().ifPresent(goal -> json.set("goal", json(goal)));
    table
        .deviation()
        .ifPresent(
            off ->
                json.putObject("paper")
                    .put("table", off.table())
                    .put("cells", off.cells())
                    .put("meanError", rounded(off.mean()))
                    .put("least", rounded(off.least()))
                    .put("most", rounded(off.most())));
    return json;
  }

  private static ObjectNode json(Optional<PredictorComparison> comparison) {
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    comparison.ifPresent(
        held -> {
          json.set("interpolation", json(held.interpolation()));
          json.set("curve", json(held.curve()));
        });
    return json;
  }

  private static ObjectNode json(PredictionErrors errors) {
    return JsonNodeFactory.instance
        .objectNode()
        .put("cells", errors.cells())
        .put("mean", rounded(errors.mean()))
        .put("median", rounded(errors.median()))
        .put("largest", rounded(errors.largest()));
  }

  private static double rounded(double share) {
    return Math.round(share * SHARES) / SHARES;
  }
}
