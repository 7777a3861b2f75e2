package org.ecstore.bench.transactions;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.ecstore.bench.cost.CostModel;
import org.ecstore.bench.transactions.TransactionLoad.Outcome;
import org.ecstore.bench.transactions.TransactionLoad.Transaction;
import org.ecstore.key.Bytes;
import org.ecstore.model.ReadLevel;
import org.ecstore.model.Route;
import org.ecstore.sim.CostedCluster;
import org.ecstore.sim.world.SimRandom;
import org.junit.jupiter.api.Test;

class ShopTransactionsTest {
  private static final int NODES = 3;

  /** So many transactions of a mix, and what the nodes did of them. */
  private static Outcome run(PaperMix mix, boolean together, List<Transaction> into) {
    CostModel costs = CostModel.TYPICAL;
    CostedCluster cluster =
        new CostedCluster(
            NODES,
            NODES,
            List.of(Bytes.utf8("g"), Bytes.utf8("p")),
            new CostedCluster.Delays(costs.network(), costs.logAppend()),
            new TransactionCosts(costs, 1),
            5);
    SimRandom random = new SimRandom(5);
    return TransactionLoad.run(
        cluster,
        1,
        20,
        300,
        ranges -> {
          Supplier<Transaction> all =
              new ShopTransactions(mix, ReadLevel.LOCAL, 1_000, together, ranges, random);
          return () -> {
            into.add(all.get());
            return into.getLast();
          };
        },
        random.fork("retries"));
  }

  private static List<Transaction> drawn(PaperMix mix) {
    List<Route> ranges =
        new CostedCluster(
                NODES,
                NODES,
                List.of(Bytes.utf8("g"), Bytes.utf8("p")),
                new CostedCluster.Delays(1_000, 1_000),
                new TransactionCosts(CostModel.TYPICAL, 1),
                5)
            .start();
    return Stream.generate(
            new ShopTransactions(
                mix, ReadLevel.LOCAL, 1_000, true, ranges, new SimRandom(mix.updates())))
        .limit(10_000)
        .toList();
  }

  @Test
  void aMixHasItsShareOfUpdates() {
    for (PaperMix mix : PaperMix.values()) {
      List<Transaction> drawn = drawn(mix);
      double updates = drawn.stream().filter(each -> !each.writes().isEmpty()).count();
      assertEquals(mix.updates() / 100.0, updates / drawn.size(), 0.02);
    }
  }

  @Test
  void transactionsAreThoseOfThePaper() {
    Set<Bytes> orders = new HashSet<>();
    int carts = 0;
    for (Transaction each : drawn(PaperMix.ORDERING)) {
      int reads = each.reads().size();
      int writes = each.writes().size();
      assertTrue(reads + writes == 1 || (reads == 1 && writes == 1), each::toString);
      assertEquals(Optional.empty(), each.interval());
      if (reads == 1 && writes == 1) {
        assertTrue(orders.add(each.writes().getFirst()), "each order is another one");
      } else {
        carts += writes;
      }
    }
    assertTrue(carts > 0 && !orders.isEmpty());
  }

  @Test
  void ordersTouchTwoNodesWhereTheirCartsLieElsewhere() {
    assertEquals(1, run(PaperMix.ORDERING, true, new ArrayList<>()).onOneNode());
    // One of four transactions is an order, of which two of three have another node's cart.
    double apart = run(PaperMix.ORDERING, false, new ArrayList<>()).onOneNode();
    assertEquals(1 - 0.25 * 2 / 3, apart, 0.08);
  }

  @Test
  void whatWritesTakesLongerThanWhatReads() {
    Outcome outcome = run(PaperMix.SHOPPING, true, new ArrayList<>());
    assertTrue(outcome.readMillis() < outcome.meanMillis());
    assertTrue(outcome.meanMillis() < outcome.updateMillis());
    assertTrue(outcome.sequencerBusy() > 0 && outcome.sequencerBusy() <= 1, outcome::toString);
    assertTrue(outcome.busy() > 0 && outcome.busy() <= 1, outcome::toString);
    assertTrue(outcome.restarts() < 0.1, outcome::toString);
  }
}
