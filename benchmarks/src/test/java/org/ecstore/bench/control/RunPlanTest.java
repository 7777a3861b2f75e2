package org.ecstore.bench.control;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.ecstore.bench.qos.MeasuredSubject;
import org.ecstore.bench.validate.MeasuredSource;
import org.ecstore.bench.validate.Validating;
import org.ecstore.tools.terminal.BadInputException;
import org.junit.jupiter.api.Test;

/** Plans of a table of 4 to 32 clients on 1 to 3 nodes. */
class RunPlanTest {
  private static RunPlan of(int clients, double millis) {
    MeasuredSubject subject = Validating.subject("0.23.0", 2);
    return RunPlan.of(
        new MeasuredSource(Path.of("je.csv"), Validating.table(subject), subject),
        clients,
        millis,
        Duration.ZERO);
  }

  @Test
  void theClusterBeginsWithTheFewestNodesThatWillDo() {
    assertEquals(
        List.of(1, 2, 3), List.of(of(8, 4.3).nodes(), of(8, 4.2).nodes(), of(8, 3).nodes()));
    MeasuredSubject cluster = of(8, 4.2).subject(2);
    assertEquals(2, cluster.firstNodes());
    assertEquals(2, cluster.copies());
    assertEquals("small", cluster.nodeClass().name());
    assertEquals(384, cluster.heapMebibytes());
    assertEquals(32, of(8, 4.2).settleClients(), "as before the cells");
    assertEquals(3, of(8, 4.2).nodesMaxUsual());
    assertEquals(4, of(8, 3).nodesMaxUsual(), "one more than planned at least");
  }

  @Test
  void aTargetWithoutPlanIsRefusedWithWhatWouldFit() {
    String slow =
        String.valueOf(assertThrows(BadInputException.class, () -> of(16, 4)).getMessage());
    for (String part :
        List.of(
            "no plan for 16 clients with a mean response time of 4 ms",
            "nearest: 3 nodes: 4.133 ms, 0.1333 ms too slow",
            "these are fast enough for: 15 clients")) {
      assertTrue(slow.contains(part), () -> part + " in " + slow);
    }
    String many =
        String.valueOf(assertThrows(BadInputException.class, () -> of(33, 40)).getMessage());
    assertTrue(many.contains("the table ends at 32 clients, below the 33 asked for"), many);
  }

  @Test
  void whatTwiceTheClientsNeedIsSaid() {
    assertTrue(of(4, 4.9).doubledWords(3).contains("1 node will do for twice the clients too"));
    assertTrue(of(8, 4.2).doubledWords(3).contains("twice the clients need 3 nodes, with 4.13 ms"));
    assertTrue(of(8, 4.2).doubledWords(2).contains("need 3 nodes, more than the 2 of --nodes-max"));
    assertTrue(of(8, 3.2).doubledWords(3).contains("there is no plan for twice the clients"));
    assertTrue(of(32, 12).doubledWords(3).contains("as the table ends at 32 clients"));
  }
}
