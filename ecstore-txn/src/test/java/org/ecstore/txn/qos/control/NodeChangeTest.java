package org.ecstore.txn.qos.control;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.TreeMap;
import org.ecstore.id.NodeId;
import org.ecstore.model.control.ActionKind;
import org.ecstore.model.control.NodeLoad;
import org.ecstore.model.objective.Locality;
import org.ecstore.model.objective.Objective;
import org.ecstore.model.objective.ObjectiveWorkload;
import org.ecstore.model.objective.OfferedLoad;
import org.ecstore.model.objective.OfferedLoad.ClientCount;
import org.ecstore.model.objective.OfferedLoad.OperationRate;
import org.ecstore.model.objective.ResponseTarget;
import org.ecstore.model.objective.ServiceClass;
import org.ecstore.model.objective.ServiceFigures;
import org.ecstore.model.objective.Statistic;
import org.ecstore.txn.qos.control.Situation.Served;
import org.ecstore.txn.qos.measured.KnownTable;
import org.ecstore.txn.qos.measured.MeasuredTables;
import org.junit.jupiter.api.Test;

/** What is read off a table of another number of nodes, and when the formula of a queue is. */
class NodeChangeTest {
  static Objective objective(
      String application, OfferedLoad load, OptionalInt reads, Optional<Locality> locality) {
    return new Objective(
        application,
        List.of(),
        ServiceClass.GUARANTEED,
        1,
        List.of(new ResponseTarget(Statistic.P99, Duration.ofMillis(60))),
        new ObjectiveWorkload(
            OptionalLong.empty(), OptionalInt.empty(), reads, locality, Optional.of(load)));
  }

  /** Half of a cluster's capacity is used. */
  static Situation situation(int nodes, MeasuredTables tables, List<Served> served) {
    TreeMap<NodeId, NodeLoad> loads = new TreeMap<>();
    for (int i = 1; i <= nodes; i++) {
      loads.put(new NodeId(i), new NodeLoad(500, 0, 0, 0, 0));
    }
    return new Situation(
        served,
        loads,
        nodes,
        new TreeMap<>(),
        true,
        Optional.of(new NodeId(9)),
        Optional.of(new NodeId(nodes)),
        Situation.Relief.NONE,
        tables);
  }

  /** Clients that read, with a mean response time, and a 99th percentile of four times that. */
  static Served served(Objective objective, double perSecond, double meanMillis) {
    long operations = Math.round(10 * perSecond);
    long micros = Math.round(1_000 * meanMillis);
    return new Served(
        objective,
        Optional.of(
            new ServiceFigures(0, 10_000, operations, operations, 0, micros, micros, 4 * micros)),
        0);
  }

  /** Where nodes count so many operations more, of applications without an objective. */
  static Situation beside(Situation now, double perSecond) {
    return new Situation(
        now.objectives(),
        now.loads(),
        now.nodes(),
        now.caps(),
        now.mayRebalance(),
        now.next(),
        now.spare(),
        now.relief(),
        now.tables(),
        true,
        now.perSecond() + perSecond);
  }

  private static Foretold foretold(
      MeasuredTables tables, OfferedLoad load, double perSecond, double millis, int from, int to) {
    Objective shop = objective("shop", load, OptionalInt.empty(), Optional.empty());
    Situation now = situation(from, tables, List.of(served(shop, perSecond, millis)));
    return NodeChange.of(
        now, shop, now.objectives().getFirst().figures().orElseThrow(), Statistic.P99, to);
  }

  private static MeasuredTables tables(KnownTable... all) {
    return new MeasuredTables(List.of(all), List.of());
  }

  private static final MeasuredTables READS =
      new MeasuredTables(ConsultedTables.reads(), List.of());

  /** 1600 operations a second of 10 ms are 16 clients, which stay 16. */
  @Test
  void clientsThatWaitStayAsMany() {
    Foretold more = foretold(READS, new ClientCount(16), 1_600, 10, 2, 3);
    assertEquals(ConsultedTables.millis(16, 3) / ConsultedTables.millis(16, 2), more.times(), 1e-9);
    assertEquals(
        "by table reads: 16 under way on 2 nodes 39 ms, 16 on 3 nodes 31 ms"
            + " (cells 16 on 2, 16 on 3)",
        more.by());
    assertEquals(10 * 4 / 39.0, more.slower().orElseThrow(), 1e-9);
  }

  /** A rate stays a rate: with r ms there are 1.6 r under way, so that r = 5 + 1.6 r / 3. */
  @Test
  void ofARateFewerAreUnderWayAsTheyAreFaster() {
    // The table has 13 ms where 10 are measured.
    Foretold more = foretold(READS, new OperationRate(1_600), 1_600, 10, 2, 3);
    double clients = 16 * more.times();
    assertEquals((5 + clients / 3) / 13, more.times(), 1e-3);
    assertTrue(more.times() < ConsultedTables.millis(16, 3) / 13, more::toString);
    Foretold fewer = foretold(READS, new OperationRate(1_600), 1_600, 10, 3, 2);
    assertTrue(fewer.times() > 13 / ConsultedTables.millis(16, 3), fewer::toString);
  }

  @Test
  void whereARateIsMoreThanFewerNodesDoNothingEnds() {
    Foretold fewer = foretold(READS, new OperationRate(4_000), 4_000, 15, 4, 2);
    assertEquals(Double.POSITIVE_INFINITY, fewer.times());
    assertTrue(fewer.by().contains("more would wait than its 1 to 64 clients"), fewer::by);
  }

  @Test
  void fewerClientsThanATableHasAreNoSlower() {
    Foretold more = foretold(READS, new OperationRate(1), 1, 1, 2, 3);
    assertEquals(ConsultedTables.millis(1, 3) / ConsultedTables.millis(1, 2), more.times(), 1e-6);
  }

  @Test
  void beyondATableTheQueueIsAsked() {
    Foretold clients = foretold(READS, new ClientCount(100), 10_000, 10, 2, 3);
    assertEquals(LoadModel.response(1, 0.5, 0.5 * 2 / 3), clients.times(), 1e-9);
    assertTrue(clients.by().startsWith("by the formula of a queue, as table reads"), clients::by);
    Foretold nodes = foretold(READS, new ClientCount(16), 1_600, 10, 4, 5);
    assertEquals(LoadModel.response(1, 0.5, 0.4), nodes.times(), 1e-9);
    Foretold none = foretold(MeasuredTables.NONE, new ClientCount(16), 1_600, 10, 2, 3);
    assertEquals("by the formula of a queue, as no table is kept", none.by());
    assertEquals(OptionalDouble.empty(), none.slower());
  }

  private static String chosen(MeasuredTables tables, Objective objective, boolean isMeasured) {
    var choice =
        tables.choose(
            objective,
            isMeasured ? served(objective, 100, 1).figures() : Optional.empty(),
            Statistic.P99);
    return choice.table().map(KnownTable::name).orElse(choice.why());
  }

  @Test
  void theTableOfTheNearestReadsIsTaken() {
    MeasuredTables all =
        tables(
            ConsultedTables.table("all", 100, true),
            ConsultedTables.table("most", 95, true),
            ConsultedTables.table("half", 50, true));
    OfferedLoad load = new ClientCount(8);
    Objective most = objective("a", load, OptionalInt.of(94), Optional.empty());
    assertEquals("most", chosen(all, most, true));
    Objective half = objective("a", load, OptionalInt.of(41), Optional.empty());
    assertEquals("half", chosen(all, half, true));
    // What is not stated is measured: these clients only read.
    Objective unstated = objective("a", load, OptionalInt.empty(), Optional.empty());
    assertEquals("all", chosen(all, unstated, true));
    assertTrue(chosen(all, unstated, false).contains("slo set --reads"));
    Objective writes = objective("a", load, OptionalInt.of(0), Optional.empty());
    assertTrue(chosen(all, writes, true).contains("it was measured with 50% reads, not 0%"));
  }

  @Test
  void aTableOfAnotherKindIsNotTaken() {
    Objective uniform =
        objective("a", new ClientCount(8), OptionalInt.of(100), Optional.of(Locality.UNIFORM));
    assertEquals(
        "table reads: it was measured on workload zipf-read, not uniform",
        chosen(READS, uniform, true));
    Objective shop =
        objective("a", new ClientCount(8), OptionalInt.of(100), Optional.of(Locality.ZIPF));
    assertEquals("reads", chosen(READS, shop, true));
    assertEquals(
        "table means: it has no p99 of each cell",
        chosen(tables(ConsultedTables.table("means", 100, false)), shop, true));
    assertEquals(
        "table old is stale: it was measured on build 1, and n1 has 2",
        chosen(
            new MeasuredTables(
                List.of(), List.of("table old is stale: it was measured on build 1, and n1 has 2")),
            shop,
            true));
  }

  private static Objective ofRecords(int bytes) {
    Objective any =
        objective("a", new ClientCount(16), OptionalInt.of(100), Optional.of(Locality.ZIPF));
    return new Objective(
        any.application(),
        any.tables(),
        any.serviceClass(),
        any.weight(),
        any.targets(),
        new ObjectiveWorkload(
            OptionalLong.empty(),
            OptionalInt.of(bytes),
            any.workload().readPercent(),
            any.workload().locality(),
            any.workload().load()));
  }

  /** Up to twice as large, or half as large. */
  @Test
  void aTableOfMuchLargerOrSmallerRecordsIsNotTaken() {
    assertEquals("reads", chosen(READS, ofRecords(500), true));
    assertEquals("reads", chosen(READS, ofRecords(2_000), true));
    String why = "table reads: it was measured with records of 1000 bytes, not ";
    assertEquals(why + 499, chosen(READS, ofRecords(499), true));
    assertEquals(why + 100_000, chosen(READS, ofRecords(100_000), true));
    Situation now = situation(2, READS, List.of(served(ofRecords(100_000), 1_600, 10)));
    Served large = now.objectives().getFirst();
    Foretold more =
        NodeChange.of(now, large.objective(), large.figures().orElseThrow(), Statistic.P99, 3);
    assertEquals("by the formula of a queue, as " + why + 100_000, more.by());
  }

  /** 16 of 20 that are under way wait for answers. The table has a 99th percentile of 30 ms. */
  @Test
  void whetherBusyNodesAreEnoughIsAskedOfWhatATableSays() {
    Objective shop = objective("shop", new ClientCount(16), OptionalInt.of(100), Optional.empty());
    Objective mail = objective("mail", new OperationRate(9), OptionalInt.of(100), Optional.empty());
    Situation now = situation(4, READS, List.of(served(shop, 3_200, 5), served(mail, 800, 5)));
    List<Double> asked = new ArrayList<>();
    Optional<Remedy> removed =
        Remedies.back(
            now,
            (closedPart, slower) -> {
              asked.add(closedPart);
              asked.add(slower);
              return true;
            });
    double slower = 20 / (3 * ConsultedTables.millis(20, 4));
    assertEquals(4, asked.size(), asked::toString);
    assertEquals(0.8, asked.get(0), 1e-9);
    assertEquals(slower, asked.get(1), 1e-9);
    assertEquals(ActionKind.REMOVE_NODE, removed.orElseThrow().kind());
    assertEquals(Optional.empty(), Remedies.back(now, (_, _) -> false));
    asked.clear();
    assertTrue(
        Remedies.back(
                beside(now, 4_000),
                (closedPart, _) -> {
                  asked.add(closedPart);
                  return false;
                })
            .isEmpty());
    assertEquals(0.4, asked.getFirst(), 1e-9);
    Situation byQueue = situation(4, MeasuredTables.NONE, List.of(served(shop, 3_200, 5)));
    assertEquals(Optional.empty(), Remedies.back(byQueue, (_, _) -> true));
  }

  @Test
  void decisionsSayByWhatTheyWerePredicted() {
    Objective shop = objective("shop", new ClientCount(32), OptionalInt.of(100), Optional.empty());
    Situation slow = situation(2, READS, List.of(served(shop, 1_500, 20)));
    Remedy added = Remedies.against(slow, shop, "seen").orElseThrow();
    assertTrue(added.why().contains("; predicted by table reads: 30 under way on 2"), added::why);
    // 80 ms are measured where the table has 60.
    double times = ConsultedTables.millis(30, 3) / ConsultedTables.millis(30, 2);
    assertEquals(Math.round(80_000 * times), added.afterMicros());
  }
}
