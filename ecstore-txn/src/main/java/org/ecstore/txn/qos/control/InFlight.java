package org.ecstore.txn.qos.control;

import org.ecstore.model.objective.Objective;
import org.ecstore.model.objective.OfferedLoad.ClientCount;
import org.ecstore.model.objective.ServiceFigures;
import org.ecstore.txn.qos.control.Situation.Served;

/**
 * How many operations are under way at once: by Little's law, operations a second times their mean
 * response time. To nodes each of them is a client of a performance table, which always waits for
 * one answer.
 *
 * @param closed of applications whose objectives name a number of clients: there are as many
 *     however long they take
 * @param open of others, whose operations come at a rate: there are more as they take longer
 */
record InFlight(double closed, double open) {
  private static final double MICROS_PER_SECOND = 1e6;

  /** Of all applications with objectives together, whose ranges are on the same nodes. */
  static InFlight of(Situation now) {
    double closed = 0;
    double open = 0;
    for (Served served : now.objectives()) {
      double under = served.figures().map(figures -> of(served, figures)).orElse(0.0);
      if (isClosed(served.objective())) {
        closed += under;
      } else {
        open += under;
      }
    }
    return new InFlight(closed, open);
  }

  private static double of(Served served, ServiceFigures figures) {
    return served.perSecond() * figures.meanMicros() / MICROS_PER_SECOND;
  }

  static boolean isClosed(Objective objective) {
    return objective.workload().load().filter(ClientCount.class::isInstance).isPresent();
  }

  /** Now. */
  double all() {
    return closed + open;
  }

  /** What part of it waits for answers before it asks again; 0 if nothing is under way. */
  double closedPart() {
    return all() == 0 ? 0 : closed / all();
  }

  /** When operations take so many times as long. */
  double when(double times) {
    return closed + open * times;
  }
}
