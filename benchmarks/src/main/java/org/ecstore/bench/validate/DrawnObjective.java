package org.ecstore.bench.validate;

import java.time.Duration;
import java.util.List;
import org.ecstore.bench.qos.MeasuredSubject;
import org.ecstore.model.objective.Objective;
import org.ecstore.model.objective.ResponseTarget;
import org.ecstore.model.objective.ServiceClass;
import org.ecstore.model.objective.Statistic;
import org.ecstore.tools.plan.TablePlan;
import org.ecstore.txn.qos.plan.PlanOutcome.NodePlan;
import org.ecstore.txn.qos.predict.Prediction;

/**
 * An objective that was drawn: so many clients have a mean response time at or below a target.
 *
 * @param plan what the table says to it, with the demand
 * @param found the same: the nodes that will do
 */
public record DrawnObjective(TablePlan plan, NodePlan found) {
  /** As clients and the cluster name what is validated. */
  public static final String APPLICATION = "validated";

  private static final double NANOS_PER_MILLI = 1e6;

  /** Each waits for an answer before it asks again. */
  public int clients() {
    return found.clients();
  }

  /** As many as are planned. */
  public int nodes() {
    return found.nodes();
  }

  /** What the mean response time may be. */
  public double targetMillis() {
    return plan.demand().millisMax();
  }

  Prediction prediction() {
    return found.prediction();
  }

  /** As the cluster is told it. */
  Objective objective(MeasuredSubject of) {
    return new Objective(
        APPLICATION,
        List.of(),
        ServiceClass.GUARANTEED,
        1,
        List.of(
            new ResponseTarget(
                Statistic.MEAN, Duration.ofNanos(Math.round(targetMillis() * NANOS_PER_MILLI)))),
        of.stated(clients()));
  }
}
