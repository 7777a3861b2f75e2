package org.ecstore.txn.qos.control;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.ecstore.model.objective.Objective;
import org.ecstore.model.objective.OfferedLoad;
import org.ecstore.model.objective.OfferedLoad.ClientCount;
import org.ecstore.model.objective.OfferedLoad.OperationRate;
import org.ecstore.txn.qos.control.Situation.Served;
import org.ecstore.txn.qos.measured.MeasuredTables;
import org.ecstore.txn.qos.objective.ObjectiveKeeper.Acceptance.Answer;
import org.junit.jupiter.api.Test;

/** Guarantees for numbers of clients, held against a table: p99 is 15 ms and 3 ms for each. */
class TableAdmissionTest {
  private static final MeasuredTables READS =
      new MeasuredTables(ConsultedTables.reads(), List.of());

  private static Objective reading(String application, OfferedLoad load) {
    return NodeChangeTest.objective(application, load, OptionalInt.of(100), Optional.empty());
  }

  /** Where it is known what operations take of nodes. */
  private static Optional<Answer> answer(
      MeasuredTables tables, Objective wanted, int nodesMax, Objective... standing) {
    return answer(tables, wanted, nodesMax, true, standing);
  }

  private static Optional<Answer> answer(
      MeasuredTables tables,
      Objective wanted,
      int nodesMax,
      boolean isRateKnown,
      Objective... standing) {
    List<Served> served = new ArrayList<>();
    for (Objective one : standing) {
      served.add(new Served(one, Optional.empty(), 0));
    }
    Situation now = NodeChangeTest.situation(2, tables, served);
    return TableAdmission.answer(now, wanted, 0, nodesMax, isRateKnown);
  }

  /** 60 ms are 15 and 3 times as many as there are clients for each node: 30 on two. */
  @Test
  void whatFitsIsAcceptedAndNoMore() {
    Answer fits = answer(READS, reading("shop", new ClientCount(30)), 2).orElseThrow();
    assertTrue(fits.isAccepted(), fits::why);
    assertEquals(
        "by table reads: 30 clients on 2 nodes, p99 of shop would be 60 ms, of 60 ms (cells 16 on"
            + " 2, 32 on 2)",
        fits.why());
    Answer more = answer(READS, reading("shop", new ClientCount(31)), 2).orElseThrow();
    assertFalse(more.isAccepted(), more::why);
    assertTrue(more.why().contains("61.5 ms, of 60 ms"), more::why);
    assertTrue(more.why().endsWith("; 30 clients would fit, or more nodes: see qos mode"));
    assertTrue(answer(READS, reading("shop", new ClientCount(31)), 3).orElseThrow().isAccepted());
  }

  /** As measured of nodes of a fifth of a processor: with few clients each node has less to do. */
  @Test
  void whereTwoNodesAreFasterThanThreeTwoKeepIt() {
    MeasuredTables odd =
        new MeasuredTables(
            List.of(
                ConsultedTables.of(
                    "odd",
                    100,
                    true,
                    (clients, nodes) ->
                        ConsultedTables.millis(clients, nodes) + (nodes == 3 ? 10 : 0))),
            List.of());
    Objective shop = reading("shop", new ClientCount(30));
    Answer two = answer(odd, shop, 3).orElseThrow();
    assertTrue(two.isAccepted(), two::why);
    assertTrue(two.why().contains("30 clients on 2 nodes, p99 of shop would be 60 ms"), two::why);
    Answer more = answer(odd, reading("shop", new ClientCount(31)), 3).orElseThrow();
    assertFalse(more.isAccepted(), more::why);
    assertTrue(more.why().contains("; 30 clients would fit"), more::why);
    Situation three =
        NodeChangeTest.situation(3, odd, List.of(new Served(shop, Optional.empty(), 0)));
    assertFalse(TableAdmission.answer(three, shop, 0, 3, true).orElseThrow().isAccepted());
  }

  @Test
  void clientsOfAllGuaranteesAreAddedUp() {
    Objective mail = reading("mail", new ClientCount(20));
    Answer fits = answer(READS, reading("shop", new ClientCount(10)), 2, mail).orElseThrow();
    assertTrue(fits.isAccepted(), fits::why);
    Answer more = answer(READS, reading("shop", new ClientCount(11)), 2, mail).orElseThrow();
    assertFalse(more.isAccepted());
    assertTrue(more.why().contains("; 10 clients would fit"), more::why);
    // What it had before is replaced.
    Objective before = reading("shop", new ClientCount(20));
    assertTrue(
        answer(READS, reading("shop", new ClientCount(30)), 2, before).orElseThrow().isAccepted());
  }

  /** 1000/s of 20 ms are 20 clients: with ten others 30, at which a mean response takes 20 ms. */
  @Test
  void aRateCountsAsWhatItHasUnderWay() {
    Objective mail = reading("mail", new OperationRate(1_000));
    Answer fits = answer(READS, reading("shop", new ClientCount(9)), 2, mail).orElseThrow();
    assertTrue(fits.isAccepted(), fits::why);
    assertFalse(
        answer(READS, reading("shop", new ClientCount(12)), 2, mail).orElseThrow().isAccepted());
    Objective shop = reading("shop", new ClientCount(9));
    Answer rate = answer(READS, reading("mail", new OperationRate(1_500)), 2, shop).orElseThrow();
    assertFalse(rate.isAccepted());
    assertTrue(rate.why().contains("; a rate of 10"), rate::why);
  }

  @Test
  void aTableThatEndsBeforeIsNoPromise() {
    Answer more = answer(READS, reading("shop", new ClientCount(100)), 4).orElseThrow();
    assertFalse(more.isAccepted());
    assertTrue(more.why().contains("more would be under way on 4 nodes"), more::why);
    assertTrue(more.why().contains("; 60 clients would fit"), more::why);
  }

  @Test
  void whereATableIsFasterThanTheClusterItIsNotTrusted() {
    Objective mail = reading("mail", new ClientCount(16));
    // 16 clients have 26 ms where the table has 13.
    Situation slow =
        NodeChangeTest.situation(2, READS, List.of(NodeChangeTest.served(mail, 16_000.0 / 26, 26)));
    Answer none =
        TableAdmission.answer(slow, reading("shop", new ClientCount(1)), 0, 2, true).orElseThrow();
    assertFalse(none.isAccepted(), none::why);
    assertTrue(none.why().contains("p99 of mail"), none::why);
    assertTrue(none.why().contains("times as slow as there"), none::why);
  }

  /**
   * 16 clients have 37 ms beside 1,600/s without an objective. By the table more than its 64
   * clients would be under way on two nodes: those of its last row have a p99 of 111 ms, and mail
   * has 148.
   */
  @Test
  void whereMoreIsUnderWayThanATableHasItsLastRowSaysHowSlowItIs() {
    Objective mail = reading("mail", new ClientCount(16));
    Situation now =
        NodeChangeTest.beside(
            NodeChangeTest.situation(
                2, READS, List.of(NodeChangeTest.served(mail, 16_000.0 / 37, 37))),
            1_600);
    assertEquals(1_600, now.perSecondOfOthers(), 1e-6);
    // As fast as in the table four nodes would have 42 under way, and a p99 of 46 ms.
    Answer none =
        TableAdmission.answer(now, reading("shop", new ClientCount(1)), 1_600, 4, true)
            .orElseThrow();
    assertFalse(none.isAccepted(), none::why);
    assertTrue(none.why().contains("it is now 1.3 times as slow as there"), none::why);
  }

  /** 16 clients of a shop had 26 ms, where the table has 13; from now on it is of other tables. */
  @Test
  void howSlowItsFormerTablesWereSaysNothing() {
    Objective shop = reading("shop", new ClientCount(16));
    Situation slow =
        NodeChangeTest.situation(2, READS, List.of(NodeChangeTest.served(shop, 16_000.0 / 26, 26)));
    Answer same = TableAdmission.answer(slow, shop, 0, 2, true).orElseThrow();
    assertFalse(same.isAccepted(), same::why);
    assertTrue(same.why().contains("times as slow as there"), same::why);
    Answer other = TableAdmission.answer(slow, shop.tables("users"), 0, 2, true).orElseThrow();
    assertTrue(other.isAccepted(), other::why);
    assertTrue(other.why().contains("p99 of shop would be 39 ms, of 60 ms"), other::why);
  }

  /**
   * On two nodes 30 clients have a p99 of 60 ms and a mean of 20: they do 1,500 operations a second
   * as long as nothing else is known of nodes.
   */
  @Test
  void aRateIsHeldAgainstATableWhereNothingIsKnownOfOperations() {
    Objective much = reading("shop", new OperationRate(1_000_000));
    assertEquals(Optional.empty(), answer(READS, much, 2, true));
    Answer more = answer(READS, much, 2, false).orElseThrow();
    assertFalse(more.isAccepted(), more::why);
    assertTrue(more.why().startsWith("by table reads: with this, more would be under way"));
    String fits = more.why().replaceAll(".*; a rate of (\\d+)/s would fit.*", "$1");
    assertEquals(1_500, Integer.parseInt(fits), 1, more::why);
    Objective fitting = reading("shop", new OperationRate(Integer.parseInt(fits)));
    Answer fit = answer(READS, fitting, 2, false).orElseThrow();
    assertTrue(fit.isAccepted(), fit::why);
    assertTrue(fit.why().contains(" clients on 2 nodes, p99 of shop would be "), fit::why);
    Objective beyond = reading("shop", new OperationRate(Integer.parseInt(fits) + 2));
    assertFalse(answer(READS, beyond, 2, false).orElseThrow().isAccepted());
    // A node more has 30 clients do 2,000 a second, and 45 clients have 60 ms there.
    assertTrue(answer(READS, beyond, 3, false).orElseThrow().isAccepted());
  }

  @Test
  void ratesOfAllGuaranteesAreAddedUp() {
    Objective mail = reading("mail", new OperationRate(1_000));
    Answer more =
        answer(READS, reading("shop", new OperationRate(600)), 2, false, mail).orElseThrow();
    assertFalse(more.isAccepted(), more::why);
    assertTrue(more.why().matches(".*; a rate of (499|50[01])/s would fit.*"), more::why);
    assertTrue(
        answer(READS, reading("shop", new OperationRate(490)), 2, false, mail)
            .orElseThrow()
            .isAccepted());
  }

  /** 1000/s without an objective are 20 clients, as 1000/s that are promised are. */
  @Test
  void whatNothingCanLimitCountsAsWell() {
    Situation now = NodeChangeTest.situation(2, READS, List.of());
    Answer fits =
        TableAdmission.answer(now, reading("shop", new ClientCount(9)), 1_000, 2, true)
            .orElseThrow();
    assertTrue(fits.isAccepted(), fits::why);
    Answer more =
        TableAdmission.answer(now, reading("shop", new ClientCount(12)), 1_000, 2, true)
            .orElseThrow();
    assertFalse(more.isAccepted(), more::why);
    assertTrue(
        more.why()
            .contains(
                "; 1000/s are of applications without an objective, which cannot be limited; 10"
                    + " clients would fit"),
        more::why);
  }

  /** It is accepted, and said why nothing says anything of it. */
  @Test
  void aRateOfWhichNoTableSaysAnythingIsAccepted() {
    Objective much = reading("shop", new OperationRate(1_000_000));
    Answer unchecked = answer(MeasuredTables.NONE, much, 2, false).orElseThrow();
    assertTrue(unchecked.isAccepted());
    assertTrue(unchecked.why().startsWith("it is not held against anything: "), unchecked::why);
    assertEquals(Optional.empty(), answer(MeasuredTables.NONE, much, 2, true));
    Objective other =
        NodeChangeTest.objective(
            "shop", new OperationRate(1_000_000), OptionalInt.empty(), Optional.empty());
    Answer answer = answer(READS, other, 2, false).orElseThrow();
    assertTrue(answer.isAccepted());
    assertEquals(
        "it is not held against a table: table reads: how many operations of shop are reads is not"
            + " known (slo set --reads)",
        answer.why());
    // It may be none that others, of which a table speaks, are too slow beside.
    Objective mail = reading("mail", new OperationRate(1_000));
    assertFalse(answer(READS, other, 2, false, mail).orElseThrow().isAccepted());
  }

  @Test
  void withoutATableItIsAsBefore() {
    Objective shop = reading("shop", new ClientCount(1_000));
    Answer answer = answer(MeasuredTables.NONE, shop, 2).orElseThrow();
    assertTrue(answer.isAccepted());
    assertEquals("it is not held against a table: no table is kept", answer.why());
    assertEquals(Optional.empty(), answer(READS, reading("shop", new OperationRate(1_000_000)), 2));
    Answer single = answer(READS, shop, 1).orElseThrow();
    assertTrue(single.isAccepted());
    assertTrue(single.why().contains("table reads has 1 to 64 clients on 2 to 4 nodes"));
  }
}
