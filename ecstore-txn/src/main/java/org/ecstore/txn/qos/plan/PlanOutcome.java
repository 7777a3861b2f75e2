package org.ecstore.txn.qos.plan;

import java.util.Optional;
import java.util.OptionalInt;
import org.ecstore.txn.qos.predict.Prediction;

/** What a table says to a demand. */
public sealed interface PlanOutcome {
  /** A number of servers and what they are expected to do. */
  record ClusterSize(int servers, Prediction prediction) {}

  /**
   * So many nodes will do.
   *
   * @param nodes the fewest
   * @param clients with how many clients the load comes
   * @param clientsAsked what was asked for where the table begins above that
   * @param prediction what they are expected to do
   * @param clientsMax up to how many clients they hold the response time; absent if the table ends
   *     before that
   * @param fewer one node less, and why it will not do; absent where the table has none
   * @param safe the fewest nodes that hold the response time at the upper end of its interval too;
   *     absent if none of the table do
   */
  record NodePlan(
      int nodes,
      int clients,
      OptionalInt clientsAsked,
      Prediction prediction,
      OptionalInt clientsMax,
      Optional<ClusterSize> fewer,
      OptionalInt safe)
      implements PlanOutcome {}

  /**
   * No number of nodes of the table will do.
   *
   * @param why in a sentence
   * @param nearest what comes nearest; absent if the load is none of the table's
   * @param clientsMax how many clients the nearest would hold the response time for; absent if not
   *     even the table's fewest
   * @param curveNodes the fewest nodes by the fitted curve, beyond what was measured; absent where
   *     none will do by it
   */
  record NoPlan(
      String why, Optional<ClusterSize> nearest, OptionalInt clientsMax, OptionalInt curveNodes)
      implements PlanOutcome {}
}
