package org.ecstore.bench.validate;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.List;
import java.util.OptionalDouble;
import org.ecstore.tools.plan.PlanJson;
import org.ecstore.tools.plan.TablePlan;
import org.ecstore.txn.qos.plan.PlanOutcome.NodePlan;
import org.ecstore.txn.qos.predict.Prediction;

/**
 * What a plan predicts beside what a cluster that was made by it did.
 *
 * @param plan of a mean response time
 * @param found the same: the nodes of the cluster
 * @param millis the mean response time that was measured
 * @param megabytesPerSecond the throughput that was measured, in 10^6 bytes a second
 */
public record TriedPlan(TablePlan plan, NodePlan found, double millis, double megabytesPerSecond) {
  private static final MathContext DIGITS = new MathContext(5, RoundingMode.HALF_EVEN);

  private Prediction prediction() {
    return found.prediction();
  }

  /** What the mean response time may be. */
  public double targetMillis() {
    return plan.demand().millisMax();
  }

  /** How far the predicted response time was off, as a share of what was measured. */
  public double millisError() {
    return Math.abs(prediction().millis() / millis - 1);
  }

  /** The same of throughput. */
  double megabytesError() {
    return Math.abs(prediction().megabytesPerSecond() / megabytesPerSecond - 1);
  }

  /** Whether the response time was within its interval; false if that is not known. */
  public boolean isMillisWithin() {
    return isWithin(millis, prediction().millis(), prediction().millisError());
  }

  /** The same of throughput. */
  boolean isMegabytesWithin() {
    return isWithin(
        megabytesPerSecond, prediction().megabytesPerSecond(), prediction().megabytesError());
  }

  private static boolean isWithin(double measured, double predicted, OptionalDouble share) {
    return share.isPresent() && Math.abs(measured - predicted) <= predicted * share.getAsDouble();
  }

  /** Whether the mean response time was at or below the target. */
  public boolean isKept() {
    return millis <= targetMillis();
  }

  /** The plan as {@code qos plan --json} has it, and what was measured. */
  public ObjectNode json() {
    ObjectNode json = PlanJson.of(plan, List.of());
    json.remove("alternatives");
    json.put("targetMillis", targetMillis());
    json.put("measuredMillis", rounded(millis));
    json.put("millisError", rounded(millisError())).put("millisWithin", isMillisWithin());
    json.put("measuredMegabytesPerSecond", rounded(megabytesPerSecond));
    json.put("megabytesPerSecondError", rounded(megabytesError()));
    json.put("megabytesPerSecondWithin", isMegabytesWithin());
    json.put("targetKept", isKept());
    return json;
  }

  private static BigDecimal rounded(double figure) {
    return BigDecimal.valueOf(figure).round(DIGITS);
  }
}
