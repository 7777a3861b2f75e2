package org.ecstore.tools.plan;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.ecstore.model.AdminRequest;
import org.ecstore.model.AdminRequest.UseTable;
import org.ecstore.model.objective.Statistic;
import org.ecstore.tools.terminal.BadInputException;
import org.ecstore.txn.qos.plan.Demand;
import org.ecstore.txn.qos.predict.Forecast;
import org.ecstore.txn.qos.predict.Forecast.Way;
import org.ecstore.txn.qos.table.PerformanceTable;
import org.ecstore.txn.qos.table.TableReader;
import org.junit.jupiter.api.Test;

/** The table of a plan, as the cluster that is made by the plan is given it. */
class PlannedTableTest {
  private static final PerformanceTable TABLE =
      TableReader.read("# engine: je\n# copies: 1\n8,1,8,1\n");

  private final List<String> said = new ArrayList<>();

  private static PlannedTable of(String file) {
    return PlannedTable.of(
        TablePlan.of(
            file,
            new Forecast(TABLE, Statistic.MEAN, Way.BETTER),
            new Demand(new Demand.Clients(8), Statistic.MEAN, 9)));
  }

  @Test
  void aClusterIsGivenItByTheNameOfItsFile() throws Exception {
    List<AdminRequest> told = new ArrayList<>();
    of("tables/je-small.csv").give(told::add, said::add);
    UseTable request = (UseTable) told.getFirst();
    assertEquals(1, told.size());
    assertEquals("je-small", request.name());
    PerformanceTable given = TableReader.read(request.text());
    assertEquals(TABLE.cells(), given.cells());
    assertEquals(TABLE.subject(), given.subject());
    assertEquals(List.of("the cluster goes by table je-small"), said);
  }

  @Test
  void anyNameOfAFileIsMadeOneOfATable() {
    assertEquals("my_table", of("my table.csv").name());
    assertEquals("reads.tsv", of("/tmp/-reads.tsv").name());
    assertEquals("planned", of("...csv").name());
    String most = of("a".repeat(200) + ".csv").name();
    assertTrue(most.matches(AdminRequest.OfTables.NAME_PATTERN), most);
  }

  /** As of a cluster whose nodes have another capacity than the plan's. */
  @Test
  void aClusterThatRefusesItGoesOnWithout() throws Exception {
    of("je.csv")
        .give(
            _ -> {
              throw new BadInputException("it was measured on capacity 0.2, and n1 has 0.5");
            },
            said::add);
    assertEquals(1, said.size(), said::toString);
    assertTrue(said.getFirst().startsWith("the cluster does not go by table je, "), said::toString);
    assertTrue(said.getFirst().endsWith("capacity 0.2, and n1 has 0.5"), said::toString);
  }
}
