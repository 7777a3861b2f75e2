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

  private static Optional<Answer> answer(
      MeasuredTables tables, Objective wanted, int nodesMax, Objective... standing) {
    List<Served> served = new ArrayList<>();
    for (Objective one : standing) {
      served.add(new Served(one, Optional.empty(), 0));
    }
    return TableAdmission.answer(NodeChangeTest.situation(2, tables, served), wanted, nodesMax);
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
    assertFalse(TableAdmission.answer(three, shop, 3).orElseThrow().isAccepted());
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
    Answer none = TableAdmission.answer(slow, reading("shop", new ClientCount(1)), 2).orElseThrow();
    assertFalse(none.isAccepted(), none::why);
    assertTrue(none.why().contains("p99 of mail"), none::why);
    assertTrue(none.why().contains("times as slow as there"), none::why);
  }

  /** 16 clients of a shop had 26 ms, where the table has 13; from now on it is of other tables. */
  @Test
  void howSlowItsFormerTablesWereSaysNothing() {
    Objective shop = reading("shop", new ClientCount(16));
    Situation slow =
        NodeChangeTest.situation(2, READS, List.of(NodeChangeTest.served(shop, 16_000.0 / 26, 26)));
    Answer same = TableAdmission.answer(slow, shop, 2).orElseThrow();
    assertFalse(same.isAccepted(), same::why);
    assertTrue(same.why().contains("times as slow as there"), same::why);
    Answer other = TableAdmission.answer(slow, shop.tables("users"), 2).orElseThrow();
    assertTrue(other.isAccepted(), other::why);
    assertTrue(other.why().contains("p99 of shop would be 39 ms, of 60 ms"), other::why);
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
