package org.ecstore.bench.validate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.ecstore.model.objective.Locality;
import org.ecstore.model.objective.Objective;
import org.ecstore.model.objective.Statistic;
import org.ecstore.tools.terminal.BadInputException;
import org.ecstore.txn.qos.plan.NodePlanner;
import org.ecstore.txn.qos.predict.Forecast;
import org.ecstore.txn.qos.table.PerformanceTable;
import org.ecstore.txn.qos.table.TableReader;
import org.junit.jupiter.api.Test;

class ObjectiveDrawTest {
  private static final PerformanceTable TABLE = Validating.table(Validating.subject("0.23.0", 2));

  private static List<DrawnObjective> draw(PerformanceTable table, int count, long seed) {
    return ObjectiveDraw.draw(
        "table", new Forecast(table, Statistic.MEAN, Forecast.Way.BETTER), count, seed);
  }

  private static List<List<Object>> words(List<DrawnObjective> drawn) {
    return drawn.stream()
        .map(one -> List.<Object>of(one.clients(), one.nodes(), one.targetMillis()))
        .toList();
  }

  @Test
  void eachIsBetweenRowsAndHasThePlanOfAsManyNodes() {
    for (long seed = 1; seed <= 20; seed++) {
      for (DrawnObjective one : draw(TABLE, 9, seed)) {
        String said = "seed %d: %s".formatted(seed, one.found());
        assertTrue(one.clients() > 4 && one.clients() < 32, said);
        assertFalse(TABLE.clients().contains(one.clients()), said);
        double room = one.targetMillis() / one.prediction().millis();
        assertTrue(room > 1.049 && room < 1.501, said);
        assertEquals(
            one.found(),
            NodePlanner.plan(one.plan().forecast(), one.plan().demand()),
            "qos plan says the same");
        one.found()
            .fewer()
            .ifPresent(fewer -> assertTrue(fewer.prediction().millis() > one.targetMillis(), said));
      }
    }
  }

  @Test
  void eachNumberOfNodesHasItsTurnAndNoneIsDrawnTwice() {
    for (long seed = 1; seed <= 20; seed++) {
      List<DrawnObjective> drawn = draw(TABLE, 9, seed);
      for (int from = 0; from < 9; from += 3) {
        assertEquals(
            Set.of(1, 2, 3),
            drawn.subList(from, from + 3).stream()
                .map(DrawnObjective::nodes)
                .collect(Collectors.toSet()),
            "seed " + seed);
      }
      Set<List<Integer>> places = new HashSet<>();
      drawn.forEach(one -> places.add(List.of(one.clients(), one.nodes())));
      assertEquals(9, places.size(), "seed " + seed);
    }
  }

  @Test
  void aSeedDrawsTheSameAndMoreGoOnFromThere() {
    List<List<Object>> nine = words(draw(TABLE, 9, 7));
    assertEquals(nine, words(draw(TABLE, 9, 7)));
    assertEquals(nine.subList(0, 4), words(draw(TABLE, 4, 7)));
    assertNotEquals(nine, words(draw(TABLE, 9, 8)));
  }

  @Test
  void aTableWithoutPlaceIsRefused() {
    for (String text :
        List.of(
            "clients,servers,ms,MB/s\n4,1,10,1\n5,1,12,1\n",
            "clients,servers,ms,MB/s\n4,1,10,1\n4,2,5,1\n")) {
      assertThrows(BadInputException.class, () -> draw(TableReader.read(text), 1, 1), text);
    }
  }

  /** More nodes that are no faster get no plan, so that the others have all turns. */
  @Test
  void nodesThatAreNoFasterAreLeftOut() {
    PerformanceTable table =
        TableReader.read("clients,servers,ms,MB/s\n4,1,10,1\n4,2,10,1\n40,1,100,1\n40,2,100,1\n");
    assertTrue(draw(table, 5, 1).stream().allMatch(one -> one.nodes() == 1));
  }

  @Test
  void theClusterIsToldAGuaranteeOfAsManyClients() {
    DrawnObjective one = draw(TABLE, 1, 1).getFirst();
    Objective objective = one.objective(Validating.subject("0.23.0", 2));
    assertEquals(List.of(), objective.faults());
    assertEquals(Optional.of(Locality.ZIPF), objective.workload().locality());
    assertEquals(one.targetMillis(), objective.targets().getFirst().atMost().toNanos() / 1e6, 1e-6);
  }
}
