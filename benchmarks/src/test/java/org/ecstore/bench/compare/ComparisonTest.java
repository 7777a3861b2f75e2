package org.ecstore.bench.compare;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.TreeSet;
import org.ecstore.bench.store.BenchDb;
import org.ecstore.bench.store.StartedTarget;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ComparisonTest {
  private static final Cell READS = Cell.of("read-only", 40);
  private static final Cell SCANS = Cell.of("scan-100@16", 40);

  /** A store that only remembers whether it runs. */
  private static class FakeTarget implements StartedTarget {
    private final String name;
    boolean runs;

    FakeTarget(String name) {
      this.name = name;
    }

    @Override
    public String name() {
      return name;
    }

    @Override
    public Map<String, String> settings() {
      return Map.of("durability", "that of " + name);
    }

    @Override
    public BenchDb client() {
      throw new AssertionError("clients are elsewhere");
    }

    @Override
    public List<Long> processes() {
      return List.of(7L);
    }

    @Override
    public OptionalLong bytesOnDisk() {
      return OptionalLong.of(11);
    }

    @Override
    public String address() {
      return "nowhere:1";
    }

    @Override
    public void pause() throws IOException {
      assertTrue(runs, name);
      runs = false;
    }

    @Override
    public void resume() throws IOException {
      assertFalse(runs, name);
      runs = true;
    }

    @Override
    public void close() {}
  }

  private static ObjectNode result(double throughput, double serverCpu) {
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    json.put("throughput", throughput).put("recordsPerSecond", throughput).put("errors", 0);
    json.putObject("latencyMicros").put("p50", 1e6 / throughput).put("p99", 5e6 / throughput);
    json.putObject("cpuSecondsPer1000").put("servers", serverCpu).put("clients", 0.5);
    return json;
  }

  @Test
  void medianIsTheMiddleOrHalfwayBetweenTwo() {
    assertEquals(OptionalDouble.empty(), Medians.median(List.of()));
    assertEquals(OptionalDouble.of(3), Medians.median(List.of(9.0, 1.0, 3.0)));
    assertEquals(OptionalDouble.of(2.5), Medians.median(List.of(9.0, 1.0, 3.0, 2.0)));
  }

  @Test
  void ratiosAreOfMediansAndOfTheFirstStoreByEachOther() {
    Comparison comparison = new Comparison();
    comparison.takesPart("ecstore", new FakeTarget("ecstore"));
    comparison.takesPart("mariadb", new FakeTarget("mariadb"));
    double[] ours = {300, 100, 200};
    double[] theirs = {50, 40, 999};
    for (int i = 0; i < 3; i++) {
      comparison.add(i + 1, "ecstore", READS, result(ours[i], 0.1));
      comparison.add(i + 1, "mariadb", READS, result(theirs[i], 0.4));
    }
    JsonNode cell = comparison.json().at("/workloads/0");
    assertEquals(200, cell.at("/medians/ecstore/throughput").asDouble());
    assertEquals(3, cell.at("/medians/ecstore/rounds").asInt());
    assertEquals(4, cell.at("/ratios/mariadb/throughput").asDouble());
    assertEquals(0.25, cell.at("/ratios/mariadb/serverCpuSecondsPer1000").asDouble());
    assertTrue(cell.at("/ratios/ecstore").isMissingNode());
    assertEquals(
        "that of mariadb", comparison.json().at("/stores/mariadb/settings/durability").asText());
    assertEquals(6, comparison.json().get("results").size());
    assertTrue(comparison.isClean());
  }

  @Test
  void unavailablePeerIsSaidAndFailuresAreNotCounted() {
    Comparison comparison = new Comparison();
    comparison.takesPart("ecstore", new FakeTarget("ecstore"));
    comparison.isUnavailable("cassandra", "there is no JDK 17");
    comparison.add(1, "ecstore", SCANS, result(10, 1));
    comparison.failed(2, "ecstore", SCANS, "it stumbled");
    JsonNode json = comparison.json();
    assertEquals("there is no JDK 17", json.at("/stores/cassandra/unavailable").asText());
    assertEquals(1, json.at("/workloads/0/medians/ecstore/rounds").asInt());
    assertEquals(10, json.at("/workloads/0/medians/ecstore/throughput").asDouble());
    assertTrue(json.at("/workloads/0/ratios").isEmpty());
    assertEquals("it stumbled", json.at("/results/1/failed").asText());
    assertFalse(comparison.isClean());
  }

  @Test
  void aStoreThatCannotBeHadIsNotClean() {
    Comparison comparison = new Comparison();
    comparison.takesPart("ecstore", new FakeTarget("ecstore"));
    comparison.add(1, "ecstore", SCANS, result(10, 1));
    assertTrue(comparison.isClean());
    comparison.isUnavailable("cassandra", "there is no JDK 17");
    assertFalse(comparison.isClean());
  }

  @Test
  void errorsAreNotClean() {
    Comparison comparison = new Comparison();
    comparison.takesPart("ecstore", new FakeTarget("ecstore"));
    comparison.add(1, "ecstore", READS, result(10, 1).put("errors", 1));
    assertFalse(comparison.isClean());
  }

  @Test
  void whatHadNotBegunIsNotCleanAndIsSaid() {
    Comparison comparison = new Comparison();
    comparison.settings().put("rounds", 1).put("seconds", 1).put("records", 5);
    comparison.settings().putArray("clientFlags");
    comparison.takesPart("ecstore", new FakeTarget("ecstore"));
    comparison.add(1, "ecstore", READS.at(500), result(10, 1).put("due", 500).put("undone", 20));
    assertFalse(comparison.isClean());
    StringWriter text = new StringWriter();
    new ComparisonTable(new PrintWriter(text)).print(comparison.json());
    assertTrue(
        text.toString().contains("round 1, ecstore, read-only: 20 of 500 that were due had not"),
        text::toString);
  }

  @Test
  void eachRoundMeasuresEachStoreAloneInAnotherOrder() throws InterruptedException {
    Map<String, StartedTarget> stores = new LinkedHashMap<>();
    List<FakeTarget> all = new ArrayList<>();
    for (String name : List.of("a", "b", "c", "d")) {
      all.add(new FakeTarget(name));
      stores.put(name, all.getLast());
    }
    List<String> seen = new ArrayList<>();
    Comparison comparison = new Comparison();
    stores.forEach(comparison::takesPart);
    new Rounds(
            stores,
            List.of(READS, SCANS),
            (store, cell) -> {
              assertEquals(
                  List.of(store.name()),
                  all.stream().filter(each -> each.runs).map(FakeTarget::name).toList());
              seen.add(store.name() + cell.workload());
              if (store.name().equals("c")) {
                throw new IOException("c fails");
              }
              return result(1, 1);
            },
            () -> {},
            _ -> {})
        .run(4, 1, comparison);
    assertTrue(all.stream().noneMatch(each -> each.runs));
    assertEquals(32, seen.size());
    TreeSet<String> orders = new TreeSet<>();
    for (int round = 0; round < 4; round++) {
      List<String> one = seen.subList(round * 8, round * 8 + 8);
      assertEquals(8, new TreeSet<>(one).size(), one::toString);
      orders.add(one.toString());
    }
    assertTrue(orders.size() > 1, orders::toString);
    assertFalse(comparison.isClean());
    assertEquals(3, comparison.json().at("/workloads/0/medians").size());
  }

  /** What is kept is not measured again, and what failed is. */
  @Test
  void aRunGoesOnWhereItWasInterrupted(@TempDir Path temp) throws Exception {
    Map<String, StartedTarget> stores = new LinkedHashMap<>();
    stores.put("a", new FakeTarget("a"));
    stores.put("b", new FakeTarget("b"));
    Path file = temp.resolve("cells.jsonl");
    List<String> seen = new ArrayList<>();
    for (int run = 0; run < 2; run++) {
      boolean fails = run == 0;
      KeptCells kept = KeptCells.in(file, JsonNodeFactory.instance.objectNode());
      Comparison comparison = new Comparison();
      stores.forEach(comparison::takesPart);
      List<String> said = new ArrayList<>();
      seen.clear();
      new Rounds(
              stores,
              List.of(READS, SCANS),
              (store, cell) -> {
                seen.add(store.name() + " " + cell.workload());
                if (fails && store.name().equals("b") && cell.equals(SCANS)) {
                  throw new IOException("it stumbled");
                }
                return result(1, 1);
              },
              () -> {},
              said::add,
              kept)
          .run(1, 1, comparison);
      assertEquals(4, comparison.json().get("results").size());
      assertEquals(!fails, comparison.isClean());
      assertTrue(said.getLast().startsWith("4 of 4, round 1, "), said::toString);
    }
    assertEquals(List.of("b scan-100"), seen);
  }

  /** The disk is full, or the file is gone. */
  @Test
  void whatCannotBeKeptIsMeasuredAllTheSame(@TempDir Path temp) throws Exception {
    Path file = temp.resolve("cells.jsonl");
    KeptCells kept = KeptCells.in(file, JsonNodeFactory.instance.objectNode());
    Files.delete(file);
    Files.createDirectory(file);
    Comparison comparison = new Comparison();
    FakeTarget store = new FakeTarget("a");
    comparison.takesPart("a", store);
    List<String> said = new ArrayList<>();
    new Rounds(
            Map.of("a", store), List.of(READS), (_, _) -> result(1, 1), () -> {}, said::add, kept)
        .run(1, 1, comparison);
    assertTrue(comparison.isClean());
    assertEquals(1, comparison.json().get("results").size());
    assertTrue(said.getLast().contains("is not kept: "), said::toString);
  }

  @Test
  void storeThatHasEndedIsNotedAndTheOthersGoOn() throws InterruptedException {
    FakeTarget gone =
        new FakeTarget("gone") {
          @Override
          public void resume() throws IOException {
            throw new IOException("it has ended");
          }

          @Override
          public void pause() throws IOException {
            throw new IOException("it has ended");
          }
        };
    Comparison comparison = new Comparison();
    Map<String, StartedTarget> stores = new LinkedHashMap<>();
    for (FakeTarget each : List.of(gone, new FakeTarget("here"))) {
      stores.put(each.name(), each);
      comparison.takesPart(each.name(), each);
    }
    new Rounds(stores, List.of(READS, SCANS), (_, _) -> result(1, 1), () -> {}, _ -> {})
        .run(2, 1, comparison);
    JsonNode json = comparison.json();
    assertEquals(8, json.get("results").size());
    for (JsonNode result : json.get("results")) {
      assertEquals(result.get("store").asText().equals("gone"), result.has("failed"));
    }
  }

  @Test
  void cellsAreReadAsUsersWriteThem() {
    assertEquals(new Cell("ycsb", "scan-100", 16, 0), SCANS);
    assertEquals(new Cell("social", "befriend", 40, 0), Cell.of("befriend", 40));
    assertEquals(new Cell("social", "read-only", 2, 0), Cell.of("social:read-only@2", 40));
    assertEquals(new Cell("photos", "1-month", 40, 0), Cell.of("1-month", 40));
    assertEquals(new Cell("ycsb", "read-only", 2, 500), Cell.of("read-only@2/500", 40));
    assertEquals("read-only, 2 clients, 500 per s", Cell.of("read-only@2/500", 40).title());
    assertFalse(Cell.of("1-month", 40).isOnYcsbRecords());
    assertEquals("social:read-only, 1 client", Cell.of("social:read-only@1", 40).title());
    for (String wrong :
        List.of("", "nothing", "photos:befriend", "A@", "A@0", "A@1@2", "A@123456", "social:A")) {
      assertThrows(IllegalArgumentException.class, () -> Cell.of(wrong, 1), wrong);
    }
  }
}
