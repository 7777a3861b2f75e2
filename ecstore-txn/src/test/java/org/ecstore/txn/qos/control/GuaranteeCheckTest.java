package org.ecstore.txn.qos.control;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
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
  private static Objective guaranteed(String application, long rate, String... tables) {
    return new Objective(
        application,
        List.of(tables),
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

  /** By nodes that use nothing while no client asks. */
  private static Optional<String> refusal(
      Situation now, Objective wanted, double perSecond, int nodesMax) {
    return GuaranteeCheck.refusal(now, wanted, perSecond, 0, nodesMax, 0);
  }

  @Test
  void whatFitsIsAcceptedAndNoMore() {
    assertEquals(Optional.empty(), refusal(situation(400), guaranteed("mail", 490), 800, 2));
    String why = refusal(situation(400), guaranteed("mail", 600), 800, 2).orElseThrow();
    assertTrue(why.contains("a rate of 500/s would fit"), why);
    assertTrue(why.startsWith("1000/s are promised to others"), why);
  }

  @Test
  void nodesThatMayComeCount() {
    assertEquals(Optional.empty(), refusal(situation(400), guaranteed("mail", 1_200), 800, 3));
  }

  @Test
  void ownPromisesAreReplaced() {
    assertEquals(Optional.empty(), refusal(situation(400), guaranteed("shop", 1_450), 800, 2));
    assertTrue(refusal(situation(400), guaranteed("shop", 1_600), 800, 2).isPresent());
  }

  @Test
  void whereNothingIsKnownAllIsAccepted() {
    Objective much = guaranteed("mail", 1_000_000);
    assertEquals(Optional.empty(), refusal(situation(1), much, 800, 2));
    assertEquals(Optional.empty(), refusal(situation(400), much, 0, 2));
    assertFalse(GuaranteeCheck.isKnown(situation(1), 800, 0));
    assertFalse(GuaranteeCheck.isKnown(situation(400), 0, 0));
    assertTrue(GuaranteeCheck.isKnown(situation(400), 800, 0));
  }

  /**
   * Two nodes that use 28 % of their capacity while no client asks take 11 operations a second:
   * that these are an eleventh of what nodes use each says nothing of what more would take.
   */
  @Test
  void whatIdleNodesUseIsNotWhatFewOperationsTake() {
    Situation few = situation(290);
    Objective much = guaranteed("mail", 2_000);
    assertEquals(Optional.empty(), GuaranteeCheck.refusal(few, much, 11, 0, 2, 0.28));
    String why = GuaranteeCheck.refusal(few, much, 11, 0, 2, 0).orElseThrow();
    assertTrue(why.contains("no rate would fit without more nodes"), why);
  }

  /** At 50 % two nodes take 800 a second by the 20 % that they do not use without clients. */
  @Test
  void operationsTakeWhatNodesUseBeyondThat() {
    Situation now = situation(500);
    String why =
        GuaranteeCheck.refusal(now, guaranteed("mail", 2_000), 800, 0, 2, 0.3).orElseThrow();
    // 8.333 of 20 ms leave nodes at 50 % until they are at 79.2 %: 1,966 a second, less 1,000.
    assertTrue(why.contains("a rate of 966/s would fit"), why);
    assertEquals(
        Optional.empty(), GuaranteeCheck.refusal(now, guaranteed("mail", 966), 800, 0, 2, 0.3));
  }

  /** Of 800 operations a second 600 are of applications without an objective: they stay. */
  @Test
  void whatNothingCanLimitIsUsed() {
    Situation now = situation(400);
    String why = GuaranteeCheck.refusal(now, guaranteed("mail", 490), 800, 600, 2, 0).orElseThrow();
    // 75 % of three nodes are 2,250 a second, less 1,000 and 600.
    assertEquals(
        Optional.empty(), GuaranteeCheck.refusal(now, guaranteed("mail", 640), 800, 600, 3, 0));
    assertTrue(
        why.startsWith(
            "1000/s are promised to others and 600/s are of applications without an objective,"
                + " which cannot be limited: with this, 2 nodes would use"),
        why);
    assertTrue(why.contains("no rate would fit without more nodes"), why);
  }

  /** The shop's 800 are kept, beside 50 that are of none: nodes that do both can do both. */
  @Test
  void whatIsKeptBesideOthersMayBePromised() {
    Situation busy = situation(900);
    Objective shop = guaranteed("shop", 800);
    assertEquals(Optional.empty(), GuaranteeCheck.refusal(busy, shop, 850, 50, 2, 0));
    assertTrue(GuaranteeCheck.refusal(busy, shop, 850, 51, 2, 0).isPresent());
  }

  /** Nodes count 1,500 a second, of which the shop has 800. */
  @Test
  void whatTheClientsOfAnObjectiveHaveIsNotThatOfOthers() {
    Situation few = situation(400);
    Situation now =
        new Situation(
            few.objectives(),
            few.loads(),
            few.nodes(),
            few.caps(),
            true,
            few.next(),
            few.spare(),
            few.relief(),
            few.tables(),
            true,
            1_500);
    assertEquals(700, now.perSecondOfOthers(), 1e-9);
    Objective mail = guaranteed("mail", 10);
    assertEquals(700, now.perSecondOfOthers(mail, Optional.empty()), 1e-9);
    assertEquals(200, now.perSecondOfOthers(mail, figures(500)), 1e-9);
    assertEquals(0, now.perSecondOfOthers(mail, figures(900)), 1e-9);
    // Of the shop 800 are counted already: 100 are on tables that are not among its own yet.
    Objective more = guaranteed("shop", 10, "users");
    assertEquals(600, now.perSecondOfOthers(more, figures(100)), 1e-9);
    assertEquals(0, now.perSecondOfOthers(more, figures(900)), 1e-9);
    // What it had before of the tables for which it stands is not that of others.
    Objective same = guaranteed("shop", 10);
    assertEquals(700, now.perSecondOfOthers(same, figures(900)), 1e-9);
    assertEquals(0, few.perSecondOfOthers(), 1e-9);
  }

  private static Optional<ServiceFigures> figures(long perSecond) {
    return Optional.of(new ServiceFigures(0, 10_000, 10 * perSecond, 0, 0, 1, 1, 1));
  }

  /** Nodes can do what they do: an objective that is kept may be promised at the rate it has. */
  @Test
  void whatIsKeptNowMayBePromised() {
    Situation busy = situation(900);
    assertEquals(Optional.empty(), refusal(busy, guaranteed("shop", 800), 850, 2));
    assertTrue(refusal(busy, guaranteed("shop", 800), 799, 2).isPresent());
    assertTrue(refusal(busy, guaranteed("mail", 100), 1_200, 2).isPresent(), "never measured");
  }

  /** Its clients had 800 a second, of no tables by name. */
  @Test
  void whatIsKeptOfOtherTablesOrAtALowerRateSaysNothing() {
    Situation busy = situation(900);
    String more = refusal(busy, guaranteed("shop", 801), 850, 2).orElseThrow();
    // Two nodes at 90 % take 850 a second, at 80 % eight ninths of that.
    assertTrue(more.contains("a rate of 755/s would fit"), more);
    assertTrue(refusal(busy, guaranteed("shop", 800, "users"), 850, 2).isPresent());
  }

  /** 8.333 of 20 ms of no tables by name, which nodes at 40 % have until they are at 75 %. */
  @Test
  void howBusyNodesMayBecomeIsNotSaidByOtherTables() {
    Situation now = situation(400);
    assertTrue(refusal(now, guaranteed("shop", 1_590), 800, 2).isPresent());
    assertEquals(Optional.empty(), refusal(now, guaranteed("shop", 1_590, "users"), 800, 2));
    String more = refusal(now, guaranteed("shop", 1_610, "users"), 800, 2).orElseThrow();
    assertTrue(more.contains("is kept up to 80 %; a rate of 1600/s would fit"), more);
  }
}
