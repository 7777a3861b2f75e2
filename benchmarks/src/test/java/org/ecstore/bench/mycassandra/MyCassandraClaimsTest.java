package org.ecstore.bench.mycassandra;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.stream.Stream;
import org.ecstore.bench.figure.Claim;
import org.ecstore.bench.figure.FigureReport;
import org.ecstore.bench.figure.Verdict;
import org.ecstore.bench.plot.Plots;
import org.ecstore.bench.ycsb.YcsbKinds;
import org.ecstore.model.Quorum;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class MyCassandraClaimsTest {
  private static final int ROUNDS = 5;
  private static final Experiment.Clusters CLUSTERS =
      new Experiment.Clusters("lsm", "sql", "memory", "mixed", "cassandra");
  private static final Experiment OF_THREE = new Experiment(new Quorum(3, 2, 2), 3, 200, CLUSTERS);
  private static final Experiment OF_FOUR = new Experiment(new Quorum(4, 3, 2), 4, 200, CLUSTERS);

  private final ObjectNode comparison = new ObjectMapper().createObjectNode().put("rounds", ROUNDS);
  private final ObjectNode stores = comparison.putObject("stores");
  private final ArrayNode results = comparison.putArray("results");

  private void throughput(String store, Mix mix, double perSecond) {
    stores.putObject(store);
    for (int round = 0; round < ROUNDS; round++) {
      results
          .addObject()
          .put("store", store)
          .put("workload", mix.workload())
          .put("throughput", perSecond + round);
    }
  }

  private void latency(String store, Mix mix, double reads, double updates) {
    for (int round = 0; round < ROUNDS; round++) {
      ObjectNode result =
          results.addObject().put("store", store).put("workload", mix.workload()).put("rate", 200);
      ObjectNode kinds = result.putObject("byKind");
      kinds.putObject(YcsbKinds.READ).put("mean", reads).put("p99", 9 * reads);
      kinds.putObject(YcsbKinds.UPDATE).put("mean", updates).put("p99", 2 * updates);
    }
  }

  private static Claim claim(List<FigureReport> reports, String words) {
    return reports.stream()
        .flatMap(report -> report.claims().stream())
        .filter(claim -> claim.paper().contains(words))
        .findFirst()
        .orElseThrow();
  }

  private static Claim claim(FigureReport report, String words) {
    return report.claims().stream()
        .filter(claim -> claim.paper().contains(words))
        .findFirst()
        .orElseThrow();
  }

  @Test
  void claimsAreJudgedByAllRounds() {
    throughput("lsm", Mix.WRITE_ONLY, 1_000);
    throughput("sql", Mix.WRITE_ONLY, 800);
    throughput("memory", Mix.WRITE_ONLY, 1_002);
    throughput("mixed", Mix.WRITE_ONLY, 500);
    throughput("cassandra", Mix.WRITE_ONLY, 400);
    latency("mixed", Mix.WRITE_HEAVY, 100, 900);
    latency("cassandra", Mix.WRITE_HEAVY, 700, 600);
    List<FigureReport> reports = MyCassandraClaims.reports(comparison, OF_THREE);
    FigureReport ofOne = reports.getFirst();
    assertEquals(Verdict.HOLDS, claim(ofOne, "made for writing does more updates").verdict());
    assertEquals(Verdict.HOLDS, claim(ofOne, "wait for the ledger").verdict());
    assertTrue(claim(ofOne, "wait for the ledger").found().contains("1,002"));
    FigureReport several = reports.get(2);
    assertEquals(Verdict.DOES_NOT_HOLD, claim(several, "fewer updates").verdict());
    assertEquals(Verdict.HOLDS, claim(several, "83 % less").verdict());
    assertEquals(Verdict.HOLDS, claim(several, "updates take more time").verdict());
    Claim tail = claim(reports, "figures 13, 14): mixed");
    assertEquals(Verdict.HOLDS, tail.verdict());
    assertEquals("p99 is 9.0 times the mean of reads, 2.0 times that of updates", tail.found());
    assertEquals(Verdict.HOLDS, claim(reports, "77.7 % less").verdict());
    assertEquals(Verdict.NOT_SHOWN, claim(reports, "78.6 % less").verdict(), "not measured");
  }

  /** Cassandra has three copies in any case, and both wait for two that write fast. */
  @Test
  void fourCopiesDoAboutAsManyUpdatesAsCassandra() {
    String words = "neither does 1.5 times as many";
    throughput("mixed", Mix.WRITE_ONLY, 500);
    throughput("cassandra", Mix.WRITE_ONLY, 400);
    assertEquals(
        Verdict.HOLDS, claim(MyCassandraClaims.reports(comparison, OF_FOUR), words).verdict());
    assertThrows(
        NoSuchElementException.class,
        () -> claim(MyCassandraClaims.reports(comparison, OF_THREE), words));
    results.removeAll();
    throughput("mixed", Mix.WRITE_ONLY, 700);
    throughput("cassandra", Mix.WRITE_ONLY, 400);
    Claim far = claim(MyCassandraClaims.reports(comparison, OF_FOUR), words);
    assertEquals(Verdict.DOES_NOT_HOLD, far.verdict());
    assertEquals("702, 402 per s", far.found());
  }

  private void copies(String kinds, int persisting, int hosts) {
    ObjectNode look =
        results
            .addObject()
            .put("store", "mixed")
            .put("workload", Mix.READ_ONLY.workload())
            .putObject(CopyKinds.PLACEMENT);
    look.put(CopyKinds.COPIES_LEAST, 4).put(CopyKinds.HOSTS_LEAST, hosts);
    look.put(CopyKinds.PERSISTING_LEAST, persisting).put(CopyKinds.KINDS, 3);
    look.put(CopyKinds.FAST_WRITES_LEAST, 3).put(CopyKinds.FAST_READS_LEAST, 2);
    look.put(CopyKinds.KINDS_LEAST, 3).put(CopyKinds.UNFIT_PRIMARIES, 0);
    look.putObject(CopyKinds.COPIES).put(kinds, 5);
  }

  private Claim placed(String words) {
    return claim(MyCassandraClaims.reports(comparison, OF_FOUR), words);
  }

  @Test
  void oneLookThatContradictsIsEnough() {
    String durable = "three copies of each range persist";
    assertEquals(Verdict.NOT_SHOWN, placed(durable).verdict());
    copies("mysql 1, redis 1, rocksdb 2", 3, 4);
    copies("mysql 1, redis 1, rocksdb 2", 3, 4);
    assertEquals(Verdict.HOLDS, placed(durable).verdict());
    assertEquals(Verdict.HOLDS, placed("no two on one host").verdict());
    assertEquals(
        "of ranges in 2 looks, mysql 1, redis 1, rocksdb 2: 100 %", placed(durable).found());
    copies("mysql 1, redis 2, rocksdb 1", 2, 3);
    copies("mysql 1, redis 1, rocksdb 2", 3, 4);
    assertEquals(Verdict.DOES_NOT_HOLD, placed(durable).verdict());
    assertEquals("3 of 4 looks agree", placed(durable).decided());
    assertEquals(Verdict.DOES_NOT_HOLD, placed("no two on one host").verdict());
    assertTrue(placed(durable).found().contains("mysql 1, redis 2, rocksdb 1: 25 %"));
    assertEquals(Verdict.HOLDS, placed("Primaries are").verdict());
  }

  @Test
  void whatIsNotKnownOfPlacesIsNoLook() {
    results.addObject().put("store", "mixed").putObject(CopyKinds.PLACEMENT).put("unknown", "gone");
    assertEquals(Verdict.NOT_SHOWN, placed("no two on one host").verdict());
    copies("mysql 1, redis 1, rocksdb 2", 3, 4);
    assertEquals(Verdict.NOT_SHOWN, placed("no two on one host").verdict(), "one of two is silent");
    assertEquals("1 of 1 looks agree, 1 say nothing", placed("no two on one host").decided());
    copies("mysql 1, redis 2, rocksdb 1", 2, 3);
    assertEquals(Verdict.DOES_NOT_HOLD, placed("no two on one host").verdict());
  }

  @Test
  void whatWasNotMeasuredInEachRoundOfBothIsNotShown() {
    throughput("lsm", Mix.WRITE_ONLY, 1_000);
    throughput("sql", Mix.WRITE_ONLY, 800);
    results.remove(results.size() - 1);
    for (FigureReport report : MyCassandraClaims.reports(comparison, OF_THREE)) {
      for (Claim claim : report.claims()) {
        assertEquals(Verdict.NOT_SHOWN, claim.verdict());
        assertTrue(
            claim.found().contains("not every round has it")
                || claim.found().contains("no measurement says where"),
            claim::found);
      }
    }
  }

  /** An hour's run is not lost for a picture with nothing in it. */
  @Test
  void whatWasNotMeasuredIsNotDrawn(@TempDir Path directory) throws IOException {
    throughput("lsm", Mix.WRITE_ONLY, 1_000);
    for (FigureReport report : MyCassandraClaims.reports(comparison, OF_THREE)) {
      assertEquals(List.of(), Plots.draw(report, directory));
    }
    try (Stream<Path> files = Files.list(directory)) {
      assertEquals(0, files.count());
    }
  }
}
