package org.ecstore.bench.hosts;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.ecstore.bench.figure.Claim;
import org.ecstore.bench.figure.Verdict;
import org.ecstore.bench.hosts.HostTable.Cell;
import org.ecstore.bench.load.CountedRun;
import org.ecstore.bench.load.Measured;
import org.ecstore.bench.store.MemoryTarget;
import org.ecstore.cluster.node.NodeResources;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HostsTest {
  private static final long MEBI = 1 << 20;
  private static final long GIBI = 1 << 30;

  @Test
  void sixteenHostsFitInto16GibAndSixtyFourDoNot() {
    HostShare share = new HostShare(16 * GIBI, 100 * GIBI);
    for (int hosts : new int[] {1, 2, 4, 8, 16}) {
      assertEquals(Optional.empty(), share.wrong(hosts, 2, 1_165_000));
      NodeResources each = share.of(hosts);
      assertTrue(
          hosts * (each.heapBytesMax() + HostShare.BESIDE_HEAP_BYTES) <= 16 * GIBI, each::toString);
      assertTrue(each.heapBytesMax() >= 768 * MEBI && each.cacheBytes() < each.heapBytesMax() / 2);
    }
    String wrong = share.wrong(64, 2, 1000).orElseThrow();
    assertTrue(wrong.startsWith("64 hosts do not fit into 16384 MiB"), wrong);
    assertTrue(wrong.endsWith("so 36 of them do"), wrong);
    assertEquals(Optional.empty(), share.wrong(36, 2, 1000));
    assertTrue(share.wrong(37, 2, 1000).isPresent());
  }

  @Test
  void recordsThatDoNotFitOnTheDiskAreRefused() {
    HostShare share = new HostShare(16 * GIBI, GIBI);
    assertEquals(Optional.empty(), share.wrong(1, 2, 50_000));
    String wrong = share.wrong(2, 2, 1_000_000).orElseThrow();
    assertTrue(wrong.contains("there are 1,024 MiB"), wrong);
  }

  @Test
  void theTableIsThatOfThePaper() {
    HostTable table = new HostTable(List.of(5000L, 1_000_000L));
    table.add(2, 5000, SessionLoad.Kind.READ, new Cell(0.0045, 1.04));
    table.add(2, 5000, SessionLoad.Kind.INSERT, new Cell(0.01024, 2.96));
    table.add(2, 1_000_000, SessionLoad.Kind.READ, new Cell(0.0037, 97.2));
    table.add(1, 1_000_000, SessionLoad.Kind.INSERT, new Cell(0.0023, 106.4));
    assertEquals(
        List.of(
            "# of Hosts  5K records              1000K records",
            "            READ        INSERT      READ           INSERT",
            "(1 host)    -           -           -              0.0023,106",
            "(2 hosts)   0.0045,1.0  0.0102,3.0  0.0037,97      -"),
        table.lines());
  }

  private static HostTable table(double[] latencies, double[] growths) {
    HostTable table = new HostTable(List.of(5_000L, 1_000_000L));
    for (int round = 0; round < Claim.REPETITIONS_MIN; round++) {
      for (int i = 0; i < latencies.length; i++) {
        int hosts = 2 << i;
        table.add(hosts, 5_000, SessionLoad.Kind.INSERT, new Cell(0.01, 4));
        table.add(
            hosts, 1_000_000, SessionLoad.Kind.INSERT, new Cell(latencies[i], 4 * growths[i]));
      }
    }
    return table;
  }

  private static List<Verdict> verdicts(HostTable table) {
    return HostClaims.of(table).stream().map(Claim::verdict).toList();
  }

  /** What the command's exit status goes by. */
  private static Verdict together(HostTable table) {
    return new HostResult(table, 2, 50, List.of()).verdict();
  }

  /** Table 1: the row of inserts of a million records. */
  @Test
  void thePapersOwnTableHoldsWhatThePaperClaims() {
    HostTable paper =
        table(
            new double[] {0.0023, 0.0018, 0.0011, 0.0013},
            new double[] {106 / 3.0, 109 / 3.0, 100 / 4.0, 104 / 4.0});
    assertEquals(List.of(Verdict.HOLDS, Verdict.HOLDS, Verdict.HOLDS), verdicts(paper));
    assertEquals(Verdict.HOLDS, together(paper));
  }

  @Test
  void aTableThatContradictsThePaperIsSaidTo() {
    HostTable other =
        table(new double[] {0.001, 0.002, 0.0021, 0.001}, new double[] {200, 190, 180, 170});
    assertEquals(
        List.of(Verdict.DOES_NOT_HOLD, Verdict.DOES_NOT_HOLD, Verdict.DOES_NOT_HOLD),
        verdicts(other));
    assertEquals(Verdict.DOES_NOT_HOLD, together(other));
  }

  @Test
  void oneRoundShowsNothing() {
    HostTable once = new HostTable(List.of(5_000L));
    once.add(2, 5_000, SessionLoad.Kind.INSERT, new Cell(0.02, 2));
    once.add(4, 5_000, SessionLoad.Kind.INSERT, new Cell(0.01, 1));
    assertEquals(List.of(Verdict.NOT_SHOWN), verdicts(once));
    assertEquals(Verdict.NOT_SHOWN, together(once));
    assertEquals(Verdict.NOT_SHOWN, together(new HostTable(List.of(5_000L))), "without a claim");
  }

  @Test
  void aDelayGrowsAsThePaperHasIt() {
    assertEquals(0.8192, ResponseModel.grown(0.0004), 1e-9);
  }

  @Test
  void aResponseIsItsComponentsAndItsWaiting() {
    ResponseModel model =
        ResponseModel.of(
            "read",
            new ResponseModel.Measurements(0.001, 0.002, 0.003, 0.004, 0.005, "measured"),
            0.3,
            0.1);
    assertEquals(ResponseModel.COMPONENTS, model.components().size());
    assertEquals(0.018 + 0.6, model.seconds(), 1e-9);
    assertEquals(0.7, model.responseSeconds(), 1e-9);
    assertEquals(0.082, model.waitingSeconds(), 1e-9);
    assertTrue(model.lines().getLast().contains("23.33%"), model.lines()::toString);
  }

  @Test
  void componentsAreMeasured(@TempDir Path directory) throws Exception {
    MemoryTarget target = new MemoryTarget();
    for (SessionLoad.Kind kind : List.of(SessionLoad.Kind.INSERT, SessionLoad.Kind.READ)) {
      Measured run = run(target, kind, 0, 200);
      ResponseModel.Measurements found = new ResponseProbe(directory).of(kind, run);
      assertTrue(
          found.command() > 0 && found.wire() > 0 && found.disk() > 0 && found.client() >= 0,
          found::toString);
    }
    try (Stream<Path> left = Files.list(directory)) {
      assertEquals(0, left.count());
    }
  }

  @Test
  void aSessionInsertsEachOfItsRecordsOnceAndReadsThose() throws InterruptedException {
    MemoryTarget target = new MemoryTarget();
    assertEquals(300, run(target, SessionLoad.Kind.INSERT, 0, 300).operations());
    assertEquals(300, target.size());
    assertEquals(50, run(target, SessionLoad.Kind.INSERT, 300, 50).operations());
    assertEquals(350, target.size());
    Measured reads = run(target, SessionLoad.Kind.READ, 300, 50);
    assertEquals(50, reads.operations());
    assertEquals(0, reads.failed());
    assertEquals(20, run(target, SessionLoad.Kind.READ, 350, 20).failed());
  }

  private static Measured run(MemoryTarget target, SessionLoad.Kind kind, long first, long count)
      throws InterruptedException {
    return new CountedRun(new SessionLoad(target, kind, first, count), 3, count, List.of(), _ -> {})
        .run();
  }
}
