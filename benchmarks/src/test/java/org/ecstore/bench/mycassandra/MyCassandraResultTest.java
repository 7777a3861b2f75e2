package org.ecstore.bench.mycassandra;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import org.HdrHistogram.Histogram;
import org.ecstore.bench.ycsb.YcsbKinds;
import org.ecstore.model.Quorum;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Distributions of an experiment, as JSON, as text and as pictures. */
final class MyCassandraResultTest {
  private static final int ROUNDS = 2;
  private static final Experiment EXPERIMENT =
      new Experiment(
          new Quorum(4, 3, 2),
          4,
          100,
          new Experiment.Clusters("lsm", "sql", "memory", "mixed", "cassandra"));

  private final ObjectNode result = JsonNodeFactory.instance.objectNode().put("rounds", ROUNDS);
  private final ObjectNode stores = result.putObject("stores");
  private final ArrayNode results = result.putArray("results");

  /** So many operations that took so many milliseconds, in HdrHistogram's own form. */
  private static String histogram(int count, double millis) {
    Histogram nanos = new Histogram(600_000_000_000L, 3);
    nanos.recordValueWithCount((long) (millis * 1e6), count);
    ByteBuffer into = ByteBuffer.allocate(nanos.getNeededByteBufferCapacity());
    int length = nanos.encodeIntoCompressedByteBuffer(into);
    return Base64.getEncoder().encodeToString(Arrays.copyOf(into.array(), length));
  }

  private ObjectNode measured(String store, Mix mix) {
    stores.putObject(store);
    ObjectNode one = results.addObject().put("store", store).put("workload", mix.workload());
    return one.put("rate", 100).put("errors", 0).put("undone", 0);
  }

  private void both(String store, int count, double reads, double updates) {
    ObjectNode kinds = measured(store, Mix.WRITE_HEAVY).putObject("byKind");
    kinds.putObject(YcsbKinds.READ).put("histogram", histogram(count, reads));
    kinds.putObject(YcsbKinds.UPDATE).put("histogram", histogram(count, updates));
  }

  private JsonNode described() {
    EXPERIMENT.describe(result);
    MyCassandraResult.of(result).describe(result);
    return result;
  }

  private String text() {
    EXPERIMENT.describe(result);
    return String.join("\n", MyCassandraResult.of(result).lines());
  }

  @Test
  void roundsAreOneDistributionAndKindsAreApart() {
    both("mixed", 450, 2, 20);
    both("mixed", 50, 8, 40);
    measured("mixed", Mix.READ_ONLY).put("histogram", histogram(700, 3));
    JsonNode all = described().get("distributions");
    assertEquals(3, all.size());
    JsonNode reads = all.get(0);
    assertEquals("write-heavy", reads.get("mix").asText());
    assertEquals("read", reads.get("kind").asText());
    assertEquals(2, reads.get("rounds").asInt());
    assertEquals(500, reads.get("count").asInt());
    assertEquals(2.6, reads.get("meanMillis").asDouble(), 0.01);
    assertEquals(2, reads.at("/percentilesMillis/p50").asDouble(), 0.01);
    assertEquals(2, reads.at("/percentilesMillis/p90").asDouble(), 0.01);
    assertEquals(8, reads.at("/percentilesMillis/p99").asDouble(), 0.01);
    assertEquals("update", all.get(1).get("kind").asText());
    assertEquals(40, all.get(1).at("/percentilesMillis/p99").asDouble(), 0.1);
    assertEquals("read-only", all.get(2).get("mix").asText(), "all of a mix of one kind");
    List<JsonNode> ys = List.copyOf(reads.get("percent").valueStream().toList());
    assertEquals(reads.get("millis").size(), ys.size());
    assertEquals(100, ys.getLast().asDouble());
  }

  /** Of 700 operations seven took longer than the p99, and none is a thousandth part. */
  @Test
  void aPercentileOfTooFewIsNotSaid() {
    measured("mixed", Mix.READ_ONLY).put("histogram", histogram(700, 3));
    measured("sql", Mix.READ_ONLY).put("histogram", histogram(60, 123.4));
    List<String> lines = text().lines().map(line -> line.strip().replaceAll(" +", " ")).toList();
    assertTrue(
        lines.contains("read-only, reads at 100/s, ms rounds count mean p50 p90 p95 p99 p99.9"),
        lines::toString);
    assertTrue(lines.contains("mixed 1 700 3.00 3.00 3.00 3.00 3.00 -"), lines::toString);
    assertTrue(lines.contains("sql 1 60 123 123 123 - - -"), lines::toString);
  }

  @Test
  void aRoundInWhichOperationsFailedOrStoodInLineIsInNone() {
    measured("mixed", Mix.READ_ONLY).put("histogram", histogram(700, 3)).put("errors", 1);
    measured("mixed", Mix.READ_ONLY).put("histogram", histogram(700, 3)).put("undone", 1);
    assertEquals(0, described().get("distributions").size());
    assertFalse(text().contains("reads at 100/s"), this::text);
  }

  @Test
  void whatAnEngineDecidesIsSetBesideThePaper() {
    for (int round = 0; round < ROUNDS; round++) {
      for (String store : List.of("lsm", "sql")) {
        int perSecond = store.equals("lsm") ? 900 + 100 * round : 500;
        measured(store, Mix.WRITE_ONLY).put("throughput", perSecond).remove("rate");
      }
    }
    JsonNode shift = described().get("shifts").get(0);
    assertEquals(11.79, shift.get("paper").asDouble());
    assertEquals(1.8, shift.get("least").asDouble());
    assertEquals(2, shift.get("most").asDouble());
    String text = text().replaceAll(" +", " ");
    assertTrue(text.contains("throughput of updates, write-only 11.79 1.80 (1.80 to 2.00)"), text);
    assertTrue(text.contains("latency of reads, read-heavy 5.08 not measured"), text);
  }

  @Test
  void thereIsAPictureOfEachDistributionAndOfNothingElse(@TempDir Path directory)
      throws IOException {
    both("mixed", 500, 2, 20);
    both("cassandra", 500, 300, 5);
    EXPERIMENT.describe(result);
    List<String> names = MyCassandraResult.of(result).draw(directory);
    assertEquals(
        List.of("distribution-write-heavy-reads.svg", "distribution-write-heavy-updates.svg"),
        names);
    String picture = Files.readString(directory.resolve(names.getFirst()));
    // Words are shapes in it. A curve for each cluster, and the mark of 99 of 100.
    for (String curve : List.of("rgb(31,95,196)", "rgb(221,122,31)", "rgb(233,196,189)")) {
      assertTrue(picture.contains("stroke:" + curve), picture);
    }
    assertTrue(picture.contains("</svg>"), picture);
  }

  @Test
  void aResultSaysItsExperiment() {
    assertThrows(IllegalArgumentException.class, () -> MyCassandraResult.of(result));
    EXPERIMENT.describe(result);
    assertEquals(EXPERIMENT, Experiment.of(result));
  }
}
