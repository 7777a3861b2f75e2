package org.ecstore.txn.qos.plan;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.OptionalInt;
import org.ecstore.model.objective.Statistic;
import org.ecstore.txn.qos.plan.Demand.Clients;
import org.ecstore.txn.qos.plan.Demand.Load;
import org.ecstore.txn.qos.plan.Demand.Throughput;
import org.ecstore.txn.qos.plan.PlanOutcome.NoPlan;
import org.ecstore.txn.qos.plan.PlanOutcome.NodePlan;
import org.ecstore.txn.qos.predict.Forecast;
import org.ecstore.txn.qos.predict.Forecast.Way;
import org.ecstore.txn.qos.table.GridPoint;
import org.ecstore.txn.qos.table.PaperTables;
import org.ecstore.txn.qos.table.TableReader;
import org.junit.jupiter.api.Test;

/** Plans by Table II of the Cassandra QoS paper, and where there is none. */
class NodePlannerTest {
  private static final Forecast TABLE_TWO =
      new Forecast(PaperTables.table(2), Statistic.MEAN, Way.BETTER);

  private static PlanOutcome plan(Load load, double millis) {
    return NodePlanner.plan(TABLE_TWO, new Demand(load, Statistic.MEAN, millis));
  }

  private static NodePlan found(Load load, double millis) {
    return assertInstanceOf(NodePlan.class, plan(load, millis));
  }

  private static NoPlan none(Load load, double millis) {
    return assertInstanceOf(NoPlan.class, plan(load, millis));
  }

  /** Paper: §V, "Validation of the methodology". */
  @Test
  void fortyMillisFor384ClientsTakeFiveNodes() {
    NodePlan plan = found(new Clients(384), 40);
    assertEquals(5, plan.nodes());
    assertEquals(38.22, plan.prediction().millis(), 0.01);
    assertEquals(9.72, plan.prediction().megabytesPerSecond(), 0.01);
    assertEquals(4, plan.fewer().orElseThrow().servers());
    assertEquals(46.65, plan.fewer().orElseThrow().prediction().millis(), 0.01);
    // 25 ms at 256 clients and 51.45 at 512: 40 ms between them.
    assertEquals(OptionalInt.of(401), plan.clientsMax());
  }

  @Test
  void noFewerNodesThanThePlansHoldTheTargetAndTheOnesItNamesDo() {
    for (int clients = 128; clients <= 512; clients += 16) {
      for (double millis = 9; millis < 110; millis += 3.7) {
        if (plan(new Clients(clients), millis) instanceof NodePlan plan) {
          double target = millis;
          for (int servers = 2; servers < plan.nodes(); servers++) {
            assertTrue(
                TABLE_TWO.at(new GridPoint(clients, servers)).orElseThrow().millis() > target);
          }
          assertTrue(plan.prediction().millis() <= millis);
          int most = plan.clientsMax().orElse(512);
          assertTrue(
              TABLE_TWO.at(new GridPoint(most, plan.nodes())).orElseThrow().millis() <= millis);
          if (plan.clientsMax().isPresent()) {
            GridPoint next = new GridPoint(most + 1, plan.nodes());
            assertTrue(TABLE_TWO.at(next).orElseThrow().millis() > millis, next::toString);
          }
        } else {
          double target = millis;
          for (int servers = 2; servers <= 7; servers++) {
            assertTrue(
                TABLE_TWO.at(new GridPoint(clients, servers)).orElseThrow().millis() > target);
          }
        }
      }
    }
  }

  @Test
  void aTargetThatIsJustReachedIsReached() {
    assertEquals(5, found(new Clients(256), 25).nodes());
    assertEquals(6, found(new Clients(256), 24.99).nodes());
  }

  @Test
  void whatIsTooFastForAllNamesTheNearestAndWhatWouldDo() {
    NoPlan none = none(new Clients(384), 20);
    assertEquals(7, none.nearest().orElseThrow().servers());
    assertEquals(26.3, none.nearest().orElseThrow().prediction().millis(), 0.01);
    // 18.01 ms at 256 clients and 34.6 at 512: 20 ms between them.
    assertEquals(OptionalInt.of(286), none.clientsMax());
    assertTrue(none.curveNodes().orElseThrow() > 7);
    assertEquals(OptionalInt.empty(), none(new Clients(128), 1).clientsMax());
  }

  @Test
  void aLoadBeyondTheTableHasNoPlan() {
    NoPlan none = none(new Clients(513), 1_000);
    assertEquals("the table ends at 512 clients, below the 513 asked for", none.why());
    assertEquals(OptionalInt.of(2), none.curveNodes());
    assertEquals(OptionalInt.of(512), none.clientsMax(), "all of the table");
  }

  @Test
  void beyondTheTablesClientsItsLastRowComesNearest() {
    NoPlan none = none(new Clients(600), 20);
    assertEquals(7, none.nearest().orElseThrow().servers());
    assertEquals(34.6, none.nearest().orElseThrow().prediction().millis(), 0.01);
    assertEquals(OptionalInt.of(286), none.clientsMax());
    assertEquals(OptionalInt.empty(), none(new Clients(600), 1).clientsMax());
  }

  @Test
  void fewerClientsThanTheTableHasAreTakenForItsFewest() {
    NodePlan plan = found(new Clients(10), 20);
    assertEquals(3, plan.nodes());
    assertEquals(128, plan.clients());
    assertEquals(OptionalInt.of(10), plan.clientsAsked());
  }

  @Test
  void throughputTakesAsManyClientsAsMoveIt() {
    NodePlan plan = found(new Throughput(9.7), 60);
    // Five servers move 9.65 MB/s by 256 clients and 9.8 by 512; four do not move as much.
    assertEquals(5, plan.nodes());
    assertTrue(plan.clients() > 256 && plan.clients() < 512, plan::toString);
    assertTrue(plan.prediction().megabytesPerSecond() >= 9.7, plan::toString);
    NoPlan none = none(new Throughput(13), 60);
    assertEquals("no cluster of the table moves so much", none.why());
    assertEquals(12.2, none.nearest().orElseThrow().prediction().megabytesPerSecond());
  }

  @Test
  void thosePlansAreSafeWhoseIntervalsEndBelowTheTarget() {
    NodePlan plan = found(new Clients(384), 40);
    int safe = plan.safe().orElseThrow();
    assertEquals(6, safe);
    assertTrue(
        TABLE_TWO.at(new GridPoint(384, safe)).orElseThrow().millisAtMost() <= 40, plan::toString);
  }

  @Test
  void percentilesArePlannedByTheirOwnColumns() {
    Forecast forecast =
        new Forecast(
            TableReader.read(
                """
                clients,servers,ms,MB/s,p99 ms
                8,1,5,1,50
                8,2,3,2,20
                16,1,9,1,90
                16,2,5,2,30
                """),
            Statistic.P99,
            Way.BETTER);
    Demand demand = new Demand(new Clients(12), Statistic.P99, 25);
    NodePlan plan = assertInstanceOf(NodePlan.class, NodePlanner.plan(forecast, demand));
    assertEquals(2, plan.nodes());
    assertEquals(25, plan.prediction().millis(), 1e-9);
  }
}
