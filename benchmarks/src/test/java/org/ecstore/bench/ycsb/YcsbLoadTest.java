package org.ecstore.bench.ycsb;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.ecstore.bench.load.Load;
import org.ecstore.bench.load.LoadOutcome;
import org.ecstore.bench.store.BenchDb;
import org.ecstore.bench.store.MemoryTarget;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import site.ycsb.ByteIterator;
import site.ycsb.Utils;

class YcsbLoadTest {
  private static final int RECORDS = 500;
  private static final int OPERATIONS = 4000;

  private final MemoryTarget target = new MemoryTarget();

  @ParameterizedTest
  @CsvSource({
    "A,         0.5, 0.5,  0,    0,    0",
    "B,         0.95,0.05, 0,    0,    0",
    "C,         1,   0,    0,    0,    0",
    "D,         0.95,0,    0.05, 0,    0",
    "E,         0,   0,    0.05, 0.95, 0",
    "F,         0.5, 0,    0,    0,    0.5",
    "write-only,0,   1,    0,    0,    0",
    "WRITE-HEAVY,0.5,0.5,  0,    0,    0",
    "read-heavy,0.95,0.05, 0,    0,    0",
    "read-only, 1,   0,    0,    0,    0",
    "scan-100,  0,   0,    0,    1,    0"
  })
  void operationsComeInTheSharesOfTheWorkload(
      String title,
      double reads,
      double updates,
      double inserts,
      double scans,
      double readModifyWrites)
      throws Exception {
    YcsbWorkload workload = YcsbWorkload.of(title).orElseThrow();
    YcsbLoad load = new YcsbLoad(target, workload, RECORDS, "zipfian");
    load.inserts().run(() -> {});
    assertEquals(RECORDS, target.size());
    Map<String, Integer> counts = new TreeMap<>();
    long records = 0;
    try (Load.Client client = load.client(0, 1)) {
      for (int i = 0; i < OPERATIONS; i++) {
        LoadOutcome outcome = client.next();
        assertTrue(outcome.error().isEmpty(), outcome::toString);
        counts.merge(outcome.kind(), 1, Integer::sum);
        records += outcome.records();
      }
    }
    Map<String, Double> expected =
        Map.of(
            "read", reads,
            "update", updates,
            "insert", inserts,
            "scan", scans,
            "read-modify-write", readModifyWrites);
    expected.forEach(
        (kind, share) ->
            // Six standard deviations at the most.
            assertEquals(share, counts.getOrDefault(kind, 0) / (double) OPERATIONS, 0.05, kind));
    counts.keySet().forEach(kind -> assertTrue(expected.getOrDefault(kind, 0.0) > 0, kind));
    if (workload == YcsbWorkload.E || workload == YcsbWorkload.SCAN_100) {
      assertTrue(records > 20L * OPERATIONS, records + " records");
    }
  }

  /** Else they would write over what the run before has inserted, and nothing would grow. */
  @Test
  void insertsOfALaterRunAreOfNewRecords() throws Exception {
    new YcsbLoad(target, YcsbWorkload.C, RECORDS, "zipfian").inserts().run(() -> {});
    List<YcsbLoad> runs =
        Stream.of(YcsbWorkload.D, YcsbWorkload.E, YcsbWorkload.D)
            .map(kind -> new YcsbLoad(target, kind, RECORDS, "zipfian"))
            .toList();
    int had = RECORDS;
    for (YcsbLoad run : runs) {
      int inserted = 0;
      try (Load.Client client = run.client(0, 1)) {
        for (int i = 0; i < OPERATIONS; i++) {
          inserted += client.next().kind().equals("insert") ? 1 : 0;
        }
      }
      assertTrue(inserted > 0);
      assertEquals(had + inserted, target.size());
      had = target.size();
    }
  }

  @Test
  void recordsAreOfTenFieldsOf100BytesUnderHashedKeys() throws Exception {
    new YcsbLoad(target, YcsbWorkload.C, 3, "uniform").inserts().run(() -> {});
    BenchDb store = target.client();
    for (int i = 0; i < 3; i++) {
      Map<String, ByteIterator> record = new HashMap<>();
      assertTrue(store.read("usertable", "user" + Utils.hash(i), null, record).isOk());
      assertEquals(10, record.size());
      record.values().forEach(field -> assertEquals(100, field.toArray().length));
    }
  }
}
