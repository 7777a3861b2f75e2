package org.ecstore.txn.qos.control;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import org.ecstore.id.NodeId;
import org.ecstore.model.control.NodeLoad;
import org.ecstore.model.objective.Objective;
import org.ecstore.model.objective.ObjectiveWorkload;
import org.ecstore.model.objective.OfferedLoad.OperationRate;
import org.ecstore.model.objective.ResponseTarget;
import org.ecstore.model.objective.ServiceClass;
import org.ecstore.model.objective.ServiceFigures;
import org.ecstore.model.objective.Statistic;
import org.ecstore.txn.qos.control.Situation.Served;
import org.ecstore.txn.qos.measured.MeasuredTables;
import org.junit.jupiter.api.Test;

class GuaranteeCheckTest {
  private static Objective guaranteed(String application, long rate) {
    return new Objective(
        application,
        List.of(),
        ServiceClass.GUARANTEED,
        1,
        List.of(new ResponseTarget(Statistic.P99, Duration.ofMillis(20))),
        ObjectiveWorkload.UNSTATED.with(new OperationRate(rate)));
  }

  /** Two nodes, 40 % busy with 800 operations a second: a thousand each. 20 ms at 75 %. */
  private static Situation situation(long busyMilli) {
    TreeMap<NodeId, NodeLoad> loads = new TreeMap<>();
    loads.put(new NodeId(1), new NodeLoad(busyMilli, 0, 0, 0, 0));
    loads.put(new NodeId(2), new NodeLoad(busyMilli, 0, 0, 0, 0));
    long micros = 8_333;
    return new Situation(
        List.of(
            new Served(
                guaranteed("shop", 1_000),
                Optional.of(new ServiceFigures(0, 10_000, 8_000, 0, 0, 1, micros, micros)),
                0)),
        loads,
        2,
        new TreeMap<>(),
        true,
        Optional.empty(),
        Optional.empty(),
        Situation.Relief.NONE,
        MeasuredTables.NONE);
  }

  @Test
  void whatFitsIsAcceptedAndNoMore() {
    assertEquals(
        Optional.empty(), GuaranteeCheck.refusal(situation(400), guaranteed("mail", 490), 800, 2));
    String why =
        GuaranteeCheck.refusal(situation(400), guaranteed("mail", 600), 800, 2).orElseThrow();
    assertTrue(why.contains("a rate of 500/s would fit"), why);
    assertTrue(why.startsWith("1000/s are promised to others"), why);
  }

  @Test
  void nodesThatMayComeCount() {
    assertEquals(
        Optional.empty(),
        GuaranteeCheck.refusal(situation(400), guaranteed("mail", 1_200), 800, 3));
  }

  @Test
  void ownPromisesAreReplaced() {
    assertEquals(
        Optional.empty(),
        GuaranteeCheck.refusal(situation(400), guaranteed("shop", 1_450), 800, 2));
    assertTrue(
        GuaranteeCheck.refusal(situation(400), guaranteed("shop", 1_600), 800, 2).isPresent());
  }

  @Test
  void whereNothingIsKnownAllIsAccepted() {
    Objective much = guaranteed("mail", 1_000_000);
    assertEquals(Optional.empty(), GuaranteeCheck.refusal(situation(1), much, 800, 2));
    assertEquals(Optional.empty(), GuaranteeCheck.refusal(situation(400), much, 0, 2));
  }
}
