package org.ecstore.bench.transactions;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import org.ecstore.bench.cost.CostModel;
import org.ecstore.bench.transactions.TransactionLoad.Transaction;
import org.ecstore.core.port.Engine.EngineBatch;
import org.ecstore.core.port.Engine.VersionedWrite;
import org.ecstore.id.Position;
import org.ecstore.key.Bytes;
import org.ecstore.model.Route;
import org.ecstore.sim.CostedCluster;
import org.ecstore.sim.world.SimRandom;
import org.junit.jupiter.api.Test;

class TransactionCostsTest {
  private static final CostModel COSTS = CostModel.TYPICAL;

  @Test
  void aBatchCostsByItsWrites() {
    VersionedWrite write =
        new VersionedWrite(Bytes.utf8("k"), new Position(1), Optional.of(Bytes.EMPTY));
    TransactionCosts costs = new TransactionCosts(COSTS, 1);
    assertEquals(
        3 * COSTS.write(), costs.apply(new EngineBatch(List.of(write, write, write), List.of())));
    assertEquals(0, costs.apply(new EngineBatch(List.of(), List.of())));
    assertEquals(5 * COSTS.logRecord(), costs.append(5));
  }

  /** Transactions a second of one client at one node, all of whose keys are there. */
  private static double perSecond(CostModel costs) {
    Function<List<Route>, Supplier<Transaction>> workload =
        ranges ->
            () -> {
              List<Bytes> keys = List.of(Bytes.utf8("a"), Bytes.utf8("b"));
              return new Transaction(keys, Optional.empty(), keys, false, Optional.empty());
            };
    CostedCluster cluster =
        new CostedCluster(
            1,
            1,
            List.of(),
            new CostedCluster.Delays(costs.network(), costs.logAppend()),
            new TransactionCosts(costs, 1),
            7);
    return TransactionLoad.run(cluster, 1, 20, 100, workload, new SimRandom(7)).perSecond();
  }

  private static CostModel withRead(long nanos) {
    return new CostModel(
        nanos,
        COSTS.write(),
        COSTS.scan(),
        COSTS.scanRecord(),
        COSTS.message(),
        COSTS.messageRecord(),
        COSTS.network(),
        COSTS.logAppend(),
        COSTS.logRecord());
  }

  @Test
  void validationOnTheCoordinatorsOwnNodeIsCharged() {
    long slow = 1_000_000;
    double free = 1e9 / perSecond(withRead(0));
    double charged = 1e9 / perSecond(withRead(slow));
    // Two keys are read, at the same time but by one node, and validated: four keys' work.
    assertTrue(charged - free > 3.5 * slow, "%.0f and %.0f ns".formatted(free, charged));
  }
}
