package org.ecstore.tools.plan;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.ecstore.tools.plan.TablePlanner.Weighed;
import org.ecstore.tools.terminal.BadInputException;
import org.ecstore.txn.qos.predict.Forecast.Way;
import org.ecstore.txn.qos.table.TableSubject;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which tables there are to plan by, and which of them has the cheapest plan. */
class PlanTablesTest {
  @TempDir private Path directory;

  private Path file(String name, String text) throws IOException {
    Path file = directory.resolve(name);
    Files.createDirectories(file.getParent());
    return Files.writeString(file, text);
  }

  private static Weighed weighed(PlanTables tables) {
    PlannedObjective objective = PlannedObjective.ofOptions(8, null, null, "9ms", null, null);
    return new TablePlanner(objective, TableSubject.UNKNOWN.ofBuild("1.0.0"), Way.BETTER)
        .weigh(tables);
  }

  @Test
  void ofADirectoryAllAreWeighedThatFit() throws IOException {
    file("tables/je-small.csv", "# engine: je\n# price: 1\n8,1,20,1\n8,2,10,1\n8,3,7,1\n");
    file("tables/je-large.csv", "# engine: je\n# price: 4\n8,1,8,1\n8,2,5,1\n");
    Path redis = file("tables/redis-small.csv", "# price: 1\n8,1,10,1\n8,2,8,1\n");
    file("tables/old.csv", "# build: 0.0.1\n# price: 0\n8,1,1,1\n");
    file("tables/torn.csv", "8,1\n");
    file("tables/je-small.runs.jsonl", "{}\n");
    Weighed weighed = weighed(PlanTables.of(List.of(directory.resolve("tables"))));
    assertEquals(redis.toString(), weighed.best().file());
    assertEquals(2, weighed.best().nodes());
    assertEquals(2, weighed.others().size());
    assertEquals(2, weighed.leftOut().size(), weighed.leftOut()::toString);
    String all = String.join("\n", weighed.leftOut());
    assertTrue(all.contains("old.csv does not fit: it was measured on build 0.0.1"), all);
    assertTrue(all.contains("torn.csv: line 1: 2 fields"), all);
  }

  /** A file that opens, and fails when it is read. */
  @Test
  void whatWasFoundAndCannotBeReadIsLeftOut() throws IOException {
    Path broken = Path.of("/proc/self/mem");
    assumeTrue(Files.isRegularFile(broken), "there is no such file here");
    Path good = file("tables/good.csv", "8,1,8,1\n");
    Path link = directory.resolve("tables/broken.csv");
    Files.createSymbolicLink(link, broken);
    Weighed weighed = weighed(PlanTables.of(List.of(directory.resolve("tables"))));
    assertEquals(good.toString(), weighed.best().file());
    assertEquals(1, weighed.leftOut().size(), weighed.leftOut()::toString);
    assertTrue(weighed.leftOut().getFirst().startsWith(link + ": "), weighed.leftOut()::toString);
    assertThrows(IOException.class, () -> PlanTables.of(List.of(link)), "which was named");
  }

  @Test
  void theUsualPlaceIsBelowTheWorkingDirectory() throws IOException {
    assertEquals(Optional.empty(), PlanTables.usual(directory));
    file("tables/note.txt", "8,1,8,1\n");
    assertEquals(Optional.empty(), PlanTables.usual(directory));
    Path table = file("tables/a.csv", "8,1,8,1\n");
    PlanTables found = PlanTables.usual(directory).orElseThrow();
    assertEquals(
        List.of(table.toString()), found.sources().stream().map(PlanTables.Source::name).toList());
    assertTrue(weighed(found).best().isFound());
  }

  private static String refused(PlanTables tables) {
    return String.valueOf(
        assertThrows(BadInputException.class, () -> weighed(tables)).getMessage());
  }

  @Test
  void whereNoneFitsItIsSaidOfEach() throws IOException {
    Path old = file("tables/old.csv", "# build: 0.0.1\n8,1,1,1\n");
    file("tables/torn.csv", "8,1\n");
    String why = refused(PlanTables.of(List.of(directory.resolve("tables"))));
    assertTrue(why.startsWith("no table can be used: "), why);
    assertTrue(why.contains("torn.csv: line 1") && why.contains("on build 0.0.1"), why);
    assertTrue(refused(PlanTables.of(List.of(old))).startsWith(old + " does not fit"));
    Path empty = Files.createDirectories(directory.resolve("empty"));
    BadInputException none =
        assertThrows(BadInputException.class, () -> PlanTables.of(List.of(empty)));
    assertTrue(String.valueOf(none.getMessage()).contains("qos measure --out "), none::toString);
  }

  @Test
  void theRunsBesideATableSayWhatItsNodesHad() throws IOException {
    Path table = file("je.csv", "8,1,8,1\n");
    assertEquals(Optional.empty(), MeasuredNodes.beside(table));
    String head = "{\"engine\":\"je\",\"copies\":2,\"heapMebibytes\":384,\"cacheMebibytes\":48}\n";
    file("je.runs.jsonl", head + "{\"run\":1}\n");
    assertEquals(Optional.of(new MeasuredNodes(384, 48, 2)), MeasuredNodes.beside(table));
    for (String other : List.of("", "{}\n", "no json\n", head.replace("48", "480"))) {
      file("je.runs.jsonl", other);
      assertEquals(Optional.empty(), MeasuredNodes.beside(table), other);
    }
  }

  @Test
  void aPlanIsShownInTwoLinesAndItsNodesAreThoseOfTheTable() throws IOException {
    String head = "# engine: redis\n# class: small\n# capacity: 0.2\n# price: 0.02\n";
    Path table = file("redis.csv", head + "8,1,20,1\n8,2,8,2\n");
    PlannedNodes nodes = PlannedNodes.of(weighed(PlanTables.of(List.of(table))));
    assertEquals(2, nodes.lines().size(), nodes.lines()::toString);
    assertTrue(
        nodes
            .lines()
            .getFirst()
            .startsWith("2 nodes (redis, class small) will do for 8 clients with a mean"),
        nodes.lines()::toString);
    String predicted = nodes.lines().getLast();
    assertTrue(predicted.startsWith("  predicted are 8 ms"), predicted);
    assertTrue(predicted.endsWith("by " + table), predicted);
    assertEquals(2, nodes.count());
    assertTrue(nodes.isOfUnusualEngine());
    assertEquals("0.2", nodes.processors().orElseThrow().toPlainString());
    assertEquals("0.02", nodes.price().orElseThrow().toPlainString());
    assertEquals(OptionalInt.empty(), nodes.copies());
  }

  @Test
  void copiesAreThoseOfTheHeadElseOfTheRuns() throws IOException {
    Path table = file("je.csv", "# copies: 2\n# unsteady: 1\n8,1,8,1\n");
    PlannedNodes nodes = PlannedNodes.of(weighed(PlanTables.of(List.of(table))));
    assertEquals(OptionalInt.of(2), nodes.copies());
    assertEquals(
        "  the table was not steady when it was measured: on 1 node", nodes.lines().getLast());
    file("old.runs.jsonl", "{\"copies\":1,\"heapMebibytes\":384,\"cacheMebibytes\":48}\n");
    Path old = file("old.csv", "8,1,8,1\n");
    assertEquals(OptionalInt.of(1), PlannedNodes.of(weighed(PlanTables.of(List.of(old)))).copies());
  }
}
