package org.ecstore.bench.qos;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.ecstore.txn.qos.table.PerformanceTable;
import org.ecstore.txn.qos.table.TableReader;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Measurements of a store that only writes down what is done with it. */
class TableMeasurerTest {
  @TempDir private Path directory;
  private final List<String> done = new ArrayList<>();

  /** Which runs fail, counted from the first of all; a run that kills ends the measurement. */
  private int failing = -1;

  private int killing = -1;

  /** At which size a load fails before any run. */
  private int unsettled = -1;

  /** After which run no other can be kept. */
  private int breaking = -1;

  private int runs;

  private final class Store implements GrownStore {
    private int nodes;

    Store(MeasuredSubject subject) {
      nodes = subject.firstNodes();
      done.add("start " + nodes);
    }

    @Override
    public void grow(int wanted) {
      while (nodes < wanted) {
        nodes++;
        done.add("grow " + nodes);
      }
    }

    @Override
    public void settle(int clients) throws IOException {
      done.add("settle " + clients);
      if (nodes == unsettled) {
        throw new IOException("1 operation failed");
      }
    }

    @Override
    public TableRun run(int clients, int number) throws IOException {
      runs++;
      if (runs == killing) {
        throw new IllegalStateException("killed");
      }
      if (runs == failing) {
        throw new IOException("2 operations failed");
      }
      done.add("run " + clients + "." + number);
      if (runs == breaking) {
        Path file = directory.resolve("je-small-zipf-read" + TableRunLog.ENDING);
        Files.delete(file);
        Files.createDirectory(file);
      }
      return Measuring.run(clients, nodes, number, 10.0 * clients / nodes);
    }

    @Override
    public void close() {
      done.add("end");
    }
  }

  private TableMeasurer.Outcome measure(MeasurePlan plan) throws IOException, InterruptedException {
    return new TableMeasurer(directory, plan, Store::new, _ -> {}).measure(Measuring.SUBJECT);
  }

  private PerformanceTable written() throws IOException {
    return TableReader.read(Files.readString(directory.resolve("je-small-zipf-read.csv")));
  }

  private static MeasurePlan plan() {
    return Measuring.plan(List.of(4, 8), List.of(1, 2), 2);
  }

  @Test
  void aClusterGrowsAndEachNumberOfClientsHasItsTurnInEachRun() throws Exception {
    TableMeasurer.Outcome outcome = measure(plan());
    assertEquals(
        List.of(
            "start 1",
            "settle 8",
            "run 4.1",
            "run 8.1",
            "run 4.2",
            "run 8.2",
            "grow 2",
            "settle 8",
            "run 4.1",
            "run 8.1",
            "run 4.2",
            "run 8.2",
            "end"),
        done);
    assertEquals(List.of(), outcome.failures());
    assertEquals(outcome.table().orElseThrow().table().cells(), written().cells());
    assertEquals(4, written().cells().size());
    for (String plot : List.of("response-time", "throughput")) {
      assertTrue(Files.exists(directory.resolve("je-small-zipf-read-" + plot + ".svg")), plot);
    }
  }

  @Test
  void whatWasKilledGoesOnWithWhatIsMissing() throws Exception {
    for (int killed = 1; killed <= 8; killed++) {
      Files.deleteIfExists(directory.resolve("je-small-zipf-read" + TableRunLog.ENDING));
      done.clear();
      runs = 0;
      killing = killed;
      assertThrows(IllegalStateException.class, () -> measure(plan()));
      assertEquals("end", done.getLast(), "its processes are ended");
      killing = -1;
      long before = done.stream().filter(each -> each.startsWith("run")).count();
      done.clear();
      assertEquals(4, measure(plan()).table().orElseThrow().table().cells().size());
      assertEquals(8 - before, done.stream().filter(each -> each.startsWith("run")).count());
      assertEquals(killed <= 4, done.indexOf("settle 8") < done.indexOf("grow 2"), done::toString);
    }
  }

  @Test
  void aTableThatIsCompleteStartsNothing() throws Exception {
    measure(plan());
    done.clear();
    assertEquals(4, measure(plan()).table().orElseThrow().table().cells().size());
    assertEquals(List.of(), done);
  }

  @Test
  void moreNodesAndClientsAreAdded() throws Exception {
    measure(Measuring.plan(List.of(4), List.of(1), 1));
    done.clear();
    measure(Measuring.plan(List.of(4, 8), List.of(1, 3), 1));
    assertEquals(
        List.of(
            "start 1",
            "settle 8",
            "run 8.1",
            "grow 2",
            "grow 3",
            "settle 8",
            "run 4.1",
            "run 8.1",
            "end"),
        done);
    assertEquals(Set.of(1, 3), Set.copyOf(written().servers()));
  }

  @Test
  void aRunThatFailsIsSaidAndLeftOutAndTheOthersGoOn() throws Exception {
    failing = 6;
    TableMeasurer.Outcome outcome = measure(plan());
    assertEquals(List.of("8 clients on 2, run 1: 2 operations failed"), outcome.failures());
    assertEquals(Set.of(1), Set.copyOf(written().servers()), "2 nodes are not complete");
    failing = -1;
    done.clear();
    assertEquals(List.of(), measure(plan()).failures());
    assertEquals(List.of("start 1", "grow 2", "settle 8", "run 8.2", "end"), done);
  }

  @Test
  void aSizeThatDoesNotSettleIsSaidAndTheNextOnesGoOn() throws Exception {
    unsettled = 2;
    TableMeasurer.Outcome outcome = measure(Measuring.plan(List.of(4, 8), List.of(1, 2, 3), 1));
    assertEquals(List.of("2 nodes, becoming steady: 1 operation failed"), outcome.failures());
    assertEquals(Set.of(1, 3), Set.copyOf(written().servers()));
    unsettled = -1;
    assertEquals(List.of(), measure(Measuring.plan(List.of(4, 8), List.of(1, 2, 3), 1)).failures());
    assertEquals(Set.of(1, 2, 3), Set.copyOf(written().servers()));
  }

  @Test
  void otherClientsLaterLeaveTheFirstOnesInTheTable() throws Exception {
    measure(Measuring.plan(List.of(4, 8), List.of(1, 2), 1));
    measure(Measuring.plan(List.of(16), List.of(1, 2), 1));
    assertEquals(Set.of(4, 8, 16), Set.copyOf(written().clients()));
    assertEquals(6, written().cells().size());
    measure(Measuring.plan(List.of(32), List.of(1), 1));
    assertEquals(Set.of(4, 8, 16), Set.copyOf(written().clients()), "32 were on one node alone");
    measure(Measuring.plan(List.of(32), List.of(2), 1));
    assertEquals(8, written().cells().size());
  }

  /** It says nothing of the cell, and others could not be kept either. */
  @Test
  void aRunThatCannotBeKeptEndsTheMeasurement() {
    breaking = 2;
    assertThrows(IOException.class, () -> measure(plan()));
    assertEquals(List.of("start 1", "settle 8", "run 4.1", "run 8.1", "end"), done);
  }

  @Test
  void noTableIsWrittenBeforeANumberOfNodesIsComplete() {
    killing = 3;
    assertThrows(IllegalStateException.class, () -> measure(plan()));
    assertFalse(Files.exists(directory.resolve("je-small-zipf-read.csv")));
  }

  @Test
  void theEstimateIsOfWhatIsMissing() throws Exception {
    Duration all = plan().estimate(Measuring.SUBJECT, List.of());
    killing = 5;
    assertThrows(IllegalStateException.class, () -> measure(plan()));
    List<TableRun> there = TableRunLog.there(directory, Measuring.SUBJECT);
    assertEquals(4, plan().missing(there));
    Duration left = plan().estimate(Measuring.SUBJECT, there);
    assertTrue(left.compareTo(all) < 0 && left.compareTo(Duration.ofSeconds(60)) > 0);
    killing = -1;
    measure(plan());
    assertEquals(
        Duration.ZERO,
        plan().estimate(Measuring.SUBJECT, TableRunLog.there(directory, Measuring.SUBJECT)));
  }
}
