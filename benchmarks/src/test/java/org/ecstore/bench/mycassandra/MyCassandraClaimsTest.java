package org.ecstore.bench.mycassandra;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.ecstore.bench.figure.Claim;
import org.ecstore.bench.figure.FigureReport;
import org.ecstore.bench.figure.Verdict;
import org.ecstore.bench.plot.Plots;
import org.ecstore.bench.ycsb.YcsbKinds;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class MyCassandraClaimsTest {
  private static final int ROUNDS = 5;
  private static final MyCassandraClaims.Clusters CLUSTERS =
      new MyCassandraClaims.Clusters("lsm", "sql", "memory", "mixed", "cassandra");

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
      kinds.putObject(YcsbKinds.READ).put("mean", reads).put("p99", reads);
      kinds.putObject(YcsbKinds.UPDATE).put("mean", updates);
    }
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
    List<FigureReport> reports = MyCassandraClaims.reports(comparison, CLUSTERS, 200);
    FigureReport ofOne = reports.getFirst();
    assertEquals(Verdict.HOLDS, claim(ofOne, "made for writing does more updates").verdict());
    assertEquals(Verdict.HOLDS, claim(ofOne, "wait for the ledger").verdict());
    assertTrue(claim(ofOne, "wait for the ledger").found().contains("1,002"));
    FigureReport several = reports.getLast();
    assertEquals(Verdict.DOES_NOT_HOLD, claim(several, "fewer updates").verdict());
    assertEquals(Verdict.HOLDS, claim(several, "83 % less").verdict());
    assertEquals(Verdict.HOLDS, claim(several, "updates take more time").verdict());
  }

  @Test
  void whatWasNotMeasuredInEachRoundOfBothIsNotShown() {
    throughput("lsm", Mix.WRITE_ONLY, 1_000);
    throughput("sql", Mix.WRITE_ONLY, 800);
    results.remove(results.size() - 1);
    for (FigureReport report : MyCassandraClaims.reports(comparison, CLUSTERS, 200)) {
      for (Claim claim : report.claims()) {
        assertEquals(Verdict.NOT_SHOWN, claim.verdict());
        assertTrue(claim.found().contains("not every round has it"), claim::found);
      }
    }
  }

  /** An hour's run is not lost for a picture with nothing in it. */
  @Test
  void whatWasNotMeasuredIsNotDrawn(@TempDir Path directory) throws IOException {
    throughput("lsm", Mix.WRITE_ONLY, 1_000);
    for (FigureReport report : MyCassandraClaims.reports(comparison, CLUSTERS, 200)) {
      assertEquals(List.of(), Plots.draw(report, directory));
    }
    try (Stream<Path> files = Files.list(directory)) {
      assertEquals(0, files.count());
    }
  }
}
