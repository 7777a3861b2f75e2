package org.ecstore.bench.validate;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.List;
import java.util.OptionalDouble;
import java.util.function.ToDoubleFunction;
import org.ecstore.bench.qos.TableRun;
import org.ecstore.tools.cli.qos.PlanJson;

/**
 * A plan and what was measured of its cluster.
 *
 * @param number from 1
 * @param runs all of them, one or more
 */
public record ValidatedPlan(int number, DrawnObjective drawn, List<ValidationRun> runs) {
  private static final MathContext DIGITS = new MathContext(5, RoundingMode.HALF_EVEN);

  public ValidatedPlan {
    runs = List.copyOf(runs);
  }

  /** The mean response time that was measured, in milliseconds. */
  double millis() {
    return mean(TableRun::millis);
  }

  /** The throughput that was measured, in 10^6 bytes a second. */
  double megabytesPerSecond() {
    return mean(TableRun::megabytesPerSecond);
  }

  double mean(ToDoubleFunction<TableRun> figure) {
    return runs.stream().map(ValidationRun::run).mapToDouble(figure).average().orElse(0);
  }

  /** How far the predicted response time was off, as a share of what was measured. */
  double millisError() {
    return Math.abs(drawn.prediction().millis() / millis() - 1);
  }

  /** The same of throughput. */
  double megabytesError() {
    return Math.abs(drawn.prediction().megabytesPerSecond() / megabytesPerSecond() - 1);
  }

  /** Whether the response time was within its interval; false if that is not known. */
  boolean isMillisWithin() {
    return isWithin(millis(), drawn.prediction().millis(), drawn.prediction().millisError());
  }

  /** The same of throughput. */
  boolean isMegabytesWithin() {
    return isWithin(
        megabytesPerSecond(),
        drawn.prediction().megabytesPerSecond(),
        drawn.prediction().megabytesError());
  }

  private static boolean isWithin(double measured, double predicted, OptionalDouble share) {
    return share.isPresent() && Math.abs(measured - predicted) <= predicted * share.getAsDouble();
  }

  /** Whether the mean response time was at or below the target. */
  boolean isKept() {
    return millis() <= drawn.targetMillis();
  }

  /** What the controller did meanwhile, in words. */
  List<String> actions() {
    return runs.stream().flatMap(run -> run.actions().stream()).toList();
  }

  ObjectNode json() {
    ObjectNode json = PlanJson.of(drawn.plan(), List.of());
    json.remove(List.of("alternatives", "table"));
    json.put("plan", number).put("targetMillis", drawn.targetMillis());
    json.put("measuredMillis", rounded(millis()));
    json.put("millisError", rounded(millisError())).put("millisWithin", isMillisWithin());
    json.put("measuredMegabytesPerSecond", rounded(megabytesPerSecond()));
    json.put("megabytesPerSecondError", rounded(megabytesError()));
    json.put("megabytesPerSecondWithin", isMegabytesWithin());
    json.put("targetKept", isKept());
    ArrayNode actions = json.putArray("actions");
    actions().forEach(actions::add);
    ArrayNode all = json.putArray("runs");
    runs.forEach(run -> all.add(run.json()));
    return json;
  }

  private static BigDecimal rounded(double figure) {
    return BigDecimal.valueOf(figure).round(DIGITS);
  }
}
