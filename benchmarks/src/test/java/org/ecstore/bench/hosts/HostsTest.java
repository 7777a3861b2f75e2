package org.ecstore.bench.hosts;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Optional;
import org.ecstore.bench.hosts.HostTable.Cell;
import org.ecstore.bench.load.CountedRun;
import org.ecstore.bench.load.Measured;
import org.ecstore.bench.store.MemoryTarget;
import org.ecstore.cluster.node.NodeResources;
import org.junit.jupiter.api.Test;

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
