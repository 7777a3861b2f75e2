package org.ecstore.bench.qos;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import org.ecstore.txn.qos.table.GridPoint;
import org.ecstore.txn.qos.table.PerformanceCell;
import org.ecstore.txn.qos.table.PerformanceTable;
import org.ecstore.txn.qos.table.TableReader;
import org.ecstore.txn.qos.table.TableWriter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MeasuredTableTest {
  @TempDir private Path directory;

  private final List<TableRun> runs =
      new ArrayList<>(
          List.of(
              Measuring.run(4, 1, 1, 10),
              Measuring.run(4, 1, 2, 14),
              Measuring.run(8, 1, 1, 20),
              Measuring.run(8, 1, 2, 20)));

  private static MeasurePlan plan(int times) {
    return Measuring.plan(List.of(4, 8), List.of(1, 2), times);
  }

  private MeasuredTable table() {
    return MeasuredTable.of(Measuring.SUBJECT, plan(2), runs).orElseThrow();
  }

  @Test
  void aCellIsTheMeanOfItsRunsWithTheirDeviation() {
    PerformanceCell cell = table().table().cell(new GridPoint(4, 1)).orElseThrow();
    assertEquals(12, cell.millis());
    assertEquals(OptionalDouble.of(2.8284), cell.millisSpread());
    assertEquals(0.34286, cell.megabytesPerSecond(), "400 and 285.7 operations of 1000 bytes");
    assertEquals(OptionalDouble.of(24), cell.p95Millis());
    assertEquals(OptionalDouble.of(36), cell.p99Millis());
    assertEquals(2, cell.runs());
  }

  @Test
  void aCapacityThatNoNodeSaysIsKeptIsNotSaidToBe() {
    assertTrue(table().remarks().getFirst().endsWith(", kept by the node"));
    runs.replaceAll(
        run ->
            new TableRun(
                run.point(),
                run.number(),
                run.millis(),
                run.p95Millis(),
                run.p99Millis(),
                run.perSecond(),
                run.serverCores(),
                run.clientCores(),
                run.otherCores(),
                run.hitRatio(),
                run.steady(),
                ""));
    assertTrue(table().remarks().getFirst().endsWith(", NOT SAID by nodes who keeps it"));
  }

  @Test
  void aNumberOfNodesThatIsNotCompleteIsLeftOut() {
    assertEquals(Optional.empty(), MeasuredTable.of(Measuring.SUBJECT, plan(3), runs));
    runs.add(Measuring.run(4, 2, 1, 5));
    runs.add(Measuring.run(4, 2, 2, 5));
    runs.add(Measuring.run(8, 2, 1, 9));
    assertEquals(Set.of(1), Set.copyOf(table().table().servers()));
    runs.add(Measuring.run(8, 2, 2, 9));
    assertEquals(Set.of(1, 2), Set.copyOf(table().table().servers()));
  }

  @Test
  void whatEarlierPlansHaveMeasuredStays() {
    runs.add(Measuring.run(16, 1, 1, 40));
    assertEquals(List.of(4, 8, 16), List.copyOf(table().table().clients()));
    PerformanceCell once = table().table().cell(new GridPoint(16, 1)).orElseThrow();
    assertEquals(1, once.runs());
    MeasurePlan later = Measuring.plan(List.of(32), List.of(1), 1);
    runs.add(Measuring.run(32, 1, 1, 80));
    assertEquals(
        List.of(4, 8, 16, 32),
        List.copyOf(
            MeasuredTable.of(Measuring.SUBJECT, later, runs).orElseThrow().table().clients()));
  }

  @Test
  void theLargestWholeTableIsTakenAndTheRestIsNamed() {
    for (int nodes = 2; nodes <= 3; nodes++) {
      for (int clients : List.of(4, 8)) {
        runs.add(Measuring.run(clients, nodes, 1, 5));
        runs.add(Measuring.run(clients, nodes, 2, 5));
      }
    }
    runs.add(Measuring.run(16, 1, 1, 40));
    assertEquals(List.of(4, 8), List.copyOf(table().table().clients()));
    assertEquals(List.of(1, 2, 3), List.copyOf(table().table().servers()));
    assertTrue(says("left out, since each row has to have each column: 16 clients on 1"));
    String written = TableWriter.full(table().table(), table().remarks());
    assertEquals(table().table().cells(), TableReader.read(written).cells());
    runs.removeIf(run -> run.point().servers() == 3);
    // Four cells of two rows, and four of four rows: the same are wanted, and columns go before.
    runs.add(Measuring.run(32, 1, 1, 80));
    assertEquals(List.of(4, 8), List.copyOf(table().table().clients()));
    runs.add(Measuring.run(64, 1, 1, 160));
    assertEquals(List.of(4, 8, 16, 32, 64), List.copyOf(table().table().clients()));
    assertTrue(says("left out, since each row has to have each column: 4 clients on 2, 8 clients"));
  }

  @Test
  void whatIsWrittenIsReadAgain() {
    PerformanceTable table = table().table();
    PerformanceTable read = TableReader.read(TableWriter.full(table, table().remarks()));
    assertEquals(table.cells(), read.cells());
    assertEquals(table.subject(), read.subject());
    assertEquals(Optional.of("small"), read.subject().nodeClass());
    assertEquals(OptionalDouble.of(0.05), read.subject().nodePrice());
  }

  private boolean says(String part) {
    return table().remarks().stream().anyMatch(line -> line.contains(part));
  }

  @Test
  void itSaysWhoKeptNodesToTheirCapacityAndHowBusyTheMachineWas() {
    assertTrue(says("0.2 processors of a machine with 2 processors, kept by the node"));
    assertTrue(says("kept 40 % of the processors busy at most"));
    assertTrue(table().isWithinLoad());
    assertTrue(says("found 90 % of what they looked up"));
    assertFalse(says("TOO MUCH"));
    assertFalse(says("NOT STEADY"));
  }

  @Test
  void itSaysWhereNodesAndClientsTookMoreThanTheyMay() {
    runs.set(2, Measuring.run(8, 1, 1, 20, 1.6));
    assertTrue(says("kept 80 % of the processors busy at most"));
    assertFalse(says("TOO MUCH"), "but the cell's runs together did not");
    runs.set(3, Measuring.run(8, 1, 2, 20, 1.6));
    assertTrue(says("TOO MUCH, more than 70 % with 8 clients on 1"));
    assertFalse(table().isWithinLoad());
  }

  @Test
  void itSaysThatOthersWereBusyAndThatASizeWasNotSteady() {
    TableRun good = runs.get(0);
    runs.set(
        0,
        new TableRun(
            good.point(),
            good.number(),
            good.millis(),
            good.p95Millis(),
            good.p99Millis(),
            good.perSecond(),
            good.serverCores(),
            good.clientCores(),
            OptionalDouble.of(0.7),
            OptionalDouble.empty(),
            false,
            "kernel"));
    assertTrue(says("others on the machine kept 0.70 processors busy at most: TOO MUCH"));
    assertTrue(says("NOT STEADY when it was measured: on [1] nodes"));
    assertTrue(says("kept by the kernel and node"));
    String written = TableWriter.full(table().table(), table().remarks());
    assertTrue(written.contains("\n# unsteady: 1\n"), written);
    assertEquals(List.of(1), TableReader.read(written).subject().setting().unsteady());
  }

  @Test
  void itsHeadHasCopiesAndTheMachine() {
    String written = TableWriter.full(table().table(), table().remarks());
    assertTrue(written.contains("\n# copies: 1\n# processors: 2\n"), written);
    assertFalse(written.contains("# unsteady"), written);
  }

  @Test
  void aTableIsDrawn() throws Exception {
    runs.add(Measuring.run(4, 2, 1, 5));
    runs.add(Measuring.run(4, 2, 2, 6));
    runs.add(Measuring.run(8, 2, 1, 9));
    runs.add(Measuring.run(8, 2, 2, 9));
    TablePlots.draw(table().table(), directory, "table");
    for (String file : List.of("table-response-time.svg", "table-throughput.svg")) {
      String svg = Files.readString(directory.resolve(file));
      assertTrue(svg.contains("<svg") && svg.contains("</svg>"), file);
      // The first two colours of curves.
      assertTrue(svg.contains("rgb(31,95,196)") && svg.contains("rgb(221,122,31)"), file);
    }
  }
}
