package org.ecstore.tools.plan;

import java.util.Comparator;
import java.util.OptionalDouble;
import org.ecstore.txn.qos.plan.Demand;
import org.ecstore.txn.qos.plan.NodePlanner;
import org.ecstore.txn.qos.plan.PlanOutcome;
import org.ecstore.txn.qos.plan.PlanOutcome.NodePlan;
import org.ecstore.txn.qos.predict.Forecast;
import org.ecstore.txn.qos.table.TableSubject;

/**
 * What one table says to a demand.
 *
 * @param file the table's, as it was given; or its name, of one that a cluster keeps
 */
public record TablePlan(String file, Forecast forecast, Demand demand, PlanOutcome outcome) {
  /** What a table of a file, with its forecast, says to a demand. */
  public static TablePlan of(String file, Forecast forecast, Demand demand) {
    return new TablePlan(file, forecast, demand, NodePlanner.plan(forecast, demand));
  }

  /** The cheapest first, then the one of fewest nodes; those without a price last. */
  static final Comparator<TablePlan> CHEAPEST =
      Comparator.<TablePlan>comparingDouble(plan -> plan.price().orElse(Double.MAX_VALUE))
          .thenComparingInt(TablePlan::nodes);

  /** Whether a number of nodes will do. */
  public boolean isFound() {
    return outcome instanceof NodePlan;
  }

  /** How many nodes; more than any table has where none will do. */
  public int nodes() {
    return outcome instanceof NodePlan plan ? plan.nodes() : Integer.MAX_VALUE;
  }

  /** What the table was measured on. */
  public TableSubject subject() {
    return forecast.table().subject();
  }

  /** What an hour of the nodes costs. */
  public OptionalDouble price() {
    OptionalDouble each = subject().nodePrice();
    return each.isPresent() && isFound()
        ? OptionalDouble.of(each.getAsDouble() * nodes())
        : OptionalDouble.empty();
  }
}
