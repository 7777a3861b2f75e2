package org.ecstore.bench.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.ecstore.bench.report.LoadReport;
import org.ecstore.tools.cli.EcStoreMain;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The commands that measure loads, each for a moment on a real node process. */
class LoadCommandsTest {
  /** A quick measurement by few clients on a small node. */
  private static final String[] QUICK = {
    "--json",
    "--clients",
    "4",
    "--seconds",
    "1.2",
    "--warm-up",
    "0.5",
    "--heap",
    "256",
    "--cache",
    "64",
    "--collector",
    "SerialGC"
  };

  @TempDir private Path temp;
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  private int run(String... arguments) {
    return EcStoreMain.commandLine()
        .setOut(new PrintWriter(out))
        .setErr(new PrintWriter(err))
        .execute(
            Stream.concat(Stream.of("bench"), Arrays.stream(arguments)).toArray(String[]::new));
  }

  private List<JsonNode> results(String... arguments) throws IOException {
    int status =
        run(Stream.concat(Arrays.stream(arguments), Arrays.stream(QUICK)).toArray(String[]::new));
    assertEquals(0, status, err.toString());
    List<JsonNode> results = new ArrayList<>();
    for (String line : out.toString().lines().toList()) {
      results.add(new ObjectMapper().readTree(line));
    }
    return results;
  }

  private static void assertMeasured(JsonNode result, String workload, long records) {
    assertEquals("ecstore", result.get("store").asText());
    assertEquals(workload, result.get("workload").asText());
    assertEquals(records, result.get("records").asLong());
    assertEquals("1", result.at("/settings/nodes").asText());
    assertTrue(result.has("warmUpSeconds"), result::toString);
    assertTrue(result.at("/settings/durability").asText().contains("synced"), result::toString);
    long operations = result.get("operations").asLong();
    assertTrue(operations > 0, result::toString);
    assertEquals(0, result.get("errors").asLong(), result::toString);
    JsonNode latency = result.get("latencyMicros");
    assertEquals(operations, latency.get("count").asLong());
    double last = 0;
    for (String percentile : List.of("p50", "p95", "p99", "p99.9", "max")) {
      assertTrue(latency.get(percentile).asDouble() >= last, result::toString);
      last = latency.get(percentile).asDouble();
    }
    assertTrue(last > 0 && latency.get("mean").asDouble() > 0, result::toString);
    double seconds = result.get("seconds").asDouble();
    double throughput = result.get("throughput").asDouble();
    // Seconds are rounded to thousandths, which is much of a short run.
    assertEquals(operations / seconds, throughput, throughput * 0.001 / seconds + 1);
    assertTrue(result.at("/cpuSecondsPer1000").size() == 2, result::toString);
    if (seconds > 1) {
      // Systems count processor time in ticks of 10 ms: a short run may seem to need none.
      assertTrue(result.at("/cpuSecondsPer1000/servers").asDouble() > 0, result::toString);
      assertTrue(result.at("/cpuSecondsPer1000/clients").asDouble() > 0, result::toString);
    }
    assertTrue(result.get("bytesOnDisk").asLong() > records * 100, result::toString);
    assertEquals(
        operations, LoadReport.histogram(result.get("histogram").asText()).getTotalCount());
  }

  @Test
  void anApplicationIsOfEcStoreAndHasAName() {
    for (String[] wrong :
        new String[][] {
          {"--application is for ecstore", "--application", "shop", "--store", "redis"},
          {"--report-every is for clients of an --application", "--report-every", "5s"},
          {"the name of an application is of 1 to 64", "--application", "a\nb"},
          {"a second to 365 days", "--application", "shop", "--report-every", "10ms"},
          {"--report-every must be a time", "--application", "shop", "--report-every", "5"}
        }) {
      String[] options = Arrays.copyOfRange(wrong, 1, wrong.length);
      int status =
          run(
              Stream.concat(Stream.of("ycsb", "--records", "10"), Arrays.stream(options))
                  .toArray(String[]::new));
      assertEquals(2, status, err::toString);
      assertTrue(err.toString().contains(wrong[0]), () -> wrong[0] + " in " + err);
    }
  }

  @Test
  void ycsbMeasuresEachWorkloadInTurn() throws IOException {
    List<JsonNode> results =
        results(
            "ycsb",
            "--records",
            "300",
            "--workload",
            "A,scan-100",
            "--each-second",
            "--settled",
            "1");
    assertEquals(2, results.size());
    for (JsonNode result : results) {
      // Of 1.2 s; each workload is noted by itself.
      assertEquals(2, result.at("/eachSecond/p99Millis").size(), result::toString);
      assertTrue(result.at("/eachSecond/answers/0").asLong() > 0, result::toString);
      long due = result.at("/settled/due").asLong();
      assertTrue(due > 0 && due < result.get("operations").asLong(), result::toString);
    }
    assertMeasured(results.get(0), "A", 300);
    assertTrue(results.get(0).at("/byKind/read/count").asLong() > 0);
    assertTrue(results.get(0).at("/byKind/update/count").asLong() > 0);
    assertMeasured(results.get(1), "scan-100", 300);
    assertEquals("zipfian", results.get(0).at("/load/distribution").asText());
    Path page = temp.resolve("page.html");
    Path file = Files.writeString(temp.resolve("results.json"), out.toString());
    assertEquals(0, run("report", file.toString(), "--out", page.toString()), err.toString());
    assertTrue(Files.readString(page).contains(">scan-100</h2>"));
    Path other = Files.writeString(temp.resolve("other.json"), "{}");
    assertEquals(2, run("report", other.toString(), "--out", page.toString()));
    assertTrue(err.toString().contains("no results in"), err.toString());
    // Some scans begin less than 100 records before the end.
    assertTrue(
        results.get(1).get("recordsPerSecond").asDouble()
            > 20 * results.get(1).get("throughput").asDouble());
  }

  @Tag("nightly")
  @Test
  void theLatestAreAskedForWhateverIsSaid() throws IOException {
    List<JsonNode> results =
        results("ycsb", "--records", "300", "--workload", "D", "--distribution", "uniform");
    assertEquals("latest", results.getFirst().at("/load/distribution").asText());
  }

  @Tag("nightly")
  @Test
  void whatHadToBeGivenUpMakesTheExitStatusOne() {
    assertEquals(
        1,
        run(
            "ycsb",
            "--records",
            "100",
            "--rate",
            "2000000",
            "--clients",
            "1",
            "--seconds",
            "0.2",
            "--warm-up",
            "0",
            "--heap",
            "256",
            "--cache",
            "64"));
    assertTrue(out.toString().contains("had not begun when it was given up"), out.toString());
  }

  @Tag("nightly")
  @Test
  void repetitionsSayWhatTheServersObjectsTake() throws IOException {
    List<JsonNode> results =
        results("ycsb", "--records", "300", "--workload", "read-heavy", "--repeat", "2");
    assertEquals(2, results.size());
    for (int i = 0; i < 2; i++) {
      assertMeasured(results.get(i), "read-heavy", 300);
      assertEquals(i + 1, results.get(i).get("repetition").asInt());
      assertEquals(1, results.get(i).get("liveHeapBytes").size());
      assertTrue(results.get(i).at("/liveHeapBytes/0").asLong() > 1_000_000);
    }
  }

  @Test
  void friendsAreMadeAlongEdges() throws IOException {
    Path edges =
        Files.writeString(temp.resolve("edges.txt"), "# a square\n7 9\n9,20\n20 31\n31 7\n");
    List<JsonNode> results = results("social", "--edges", edges.toString());
    assertEquals(2, results.size());
    assertMeasured(results.get(0), "befriend", 4);
    assertEquals("edges of edges.txt", results.get(0).at("/load/distribution").asText());
    assertMeasured(results.get(1), "read-only", 4);
    assertTrue(results.get(0).has("aborts"));
    assertEquals(0, results.get(1).get("aborts").asLong(), "what only reads never conflicts");
    assertEquals(
        4 * results.get(0).get("throughput").asDouble(),
        results.get(0).get("recordsPerSecond").asDouble(),
        1);
  }

  @Tag("nightly")
  @Test
  void photosOfDaysAreScanned() throws IOException {
    List<JsonNode> results =
        results("photos", "--days", "31", "--photos-per-day", "5", "--workload", "7-days,1-month");
    assertEquals(2, results.size());
    for (int i = 0; i < 2; i++) {
      JsonNode result = results.get(i);
      assertMeasured(result, i == 0 ? "7-days" : "1-month", 155);
      assertEquals(
          (i == 0 ? 35 : 150) * result.get("throughput").asDouble(),
          result.get("recordsPerSecond").asDouble(),
          10);
    }
  }

  @Test
  @Tag("slow")
  void aSerializableBankHasNoAnomalies() throws IOException {
    JsonNode result = results("smallbank", "--records", "50", "--hotspot", "3").getFirst();
    assertMeasured(result, "smallbank", 50);
    assertEquals("hotspot of 3", result.at("/load/distribution").asText());
    JsonNode checked = result.get("checked");
    assertTrue(
        checked.get("transactions").asLong() >= result.get("operations").asLong()
            && checked.get("all").asBoolean(),
        result::toString);
    assertTrue(checked.get("moneyConserved").asBoolean(), result::toString);
    assertEquals(checked.get("moneyExpected"), checked.get("moneyFound"));
    assertTrue(checked.get("serializable").asBoolean(), result::toString);
    for (String none : List.of("anomalies", "missingPenalties", "lostUpdates")) {
      assertEquals(0, checked.get(none).asLong(), none);
    }
  }

  @Test
  @Tag("slow")
  void indexesAreWrittenAndRead() throws IOException {
    List<JsonNode> results =
        results(
            "indexes",
            "--records",
            "60",
            "--workload",
            "write-3-indexes,find-unique,scan-20-covering");
    assertEquals(3, results.size());
    assertMeasured(results.get(0), "write-3-indexes", 60);
    assertMeasured(results.get(1), "find-unique", 60);
    assertMeasured(results.get(2), "scan-20-covering", 60);
    results.forEach(result -> assertTrue(result.get("indexesRight").asBoolean()));
    assertEquals(
        results.get(1).get("throughput").asDouble(),
        results.get(1).get("recordsPerSecond").asDouble(),
        1);
  }

  @Test
  @Tag("slow")
  void commitsAreFollowed() throws IOException {
    List<JsonNode> results = results("changes", "--records", "60", "--readers", "0,2");
    assertEquals(2, results.size());
    assertMeasured(results.get(0), "readers-0", 60);
    assertMeasured(results.get(1), "readers-2", 60);
    JsonNode followed = results.get(1);
    assertEquals(2, followed.get("readers").asInt());
    assertTrue(followed.get("written").asLong() > 0, followed::toString);
    assertEquals(followed.get("written").asLong(), followed.get("leastFollowed").asLong());
    assertTrue(followed.get("lagMicros").get("p50").asLong() > 0, followed::toString);
  }

  @Test
  @Tag("slow")
  void hostsInsertAndReadInSessions() throws IOException {
    int status =
        run(
            "hosts",
            "--hosts",
            "1",
            "--records",
            "150,100",
            "--clients",
            "3",
            "--warm-up",
            "50",
            "--memory",
            "512",
            "--rounds",
            "2",
            "--out",
            temp.resolve("grid").toString(),
            "--json");
    assertEquals(0, status, err.toString());
    List<String> seen = new ArrayList<>();
    for (String line : out.toString().lines().toList()) {
      JsonNode result = new ObjectMapper().readTree(line);
      seen.add(result.get("workload").asText() + " " + result.get("operations"));
      assertMeasured(result, result.get("workload").asText(), result.get("operations").asLong());
      assertEquals(1, result.get("hosts").asInt());
      assertEquals(
          result.at("/latencyMicros/mean").asDouble(),
          result.get("averageLatencySeconds").asDouble() * 1e6,
          1);
      assertTrue(result.get("elapsedSeconds").asDouble() > 0);
    }
    List<String> round = List.of("insert 100", "read 100", "insert 150", "read 150");
    assertEquals(Stream.of(round, round).flatMap(List::stream).toList(), seen);
    JsonNode kept = new ObjectMapper().readTree(temp.resolve("grid/hosts.json").toFile());
    assertEquals(8, kept.get("cells").size());
    assertEquals(1, kept.get("claims").size());
    assertEquals("not shown", kept.get("verdict").asText());
    for (JsonNode response : kept.get("responses")) {
      assertEquals(12, response.get("components").size());
      assertTrue(response.at("/components/9/seconds").asDouble() > 0, response::toString);
    }
    assertEquals(
        List.of("insert of 150 records, 1 host", "read of 150 records, 1 host"),
        kept.get("responses").findValuesAsText("of"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "ycsb --workload G|no workload G",
        "ycsb --distribution normal|--distribution is zipfian or uniform, not normal",
        "ycsb --records 0|--records is at least 1",
        "ycsb --each-second|--each-second is a part of the JSON",
        "ycsb --each-second --json --seconds 7201|--each-second is for --seconds of 7200 at most",
        "ycsb --each-second --json --settled 10|--settled is from 0 to less than --seconds",
        "ycsb --settled 1|--settled is from 0 to less than --seconds, with --each-second",
        "ycsb --nodes 0|--nodes is from 1 to 99, not 0",
        "ycsb --clients 0|--clients is from 1 to 10000, not 0",
        "ycsb --seconds 0|--seconds is from 0.01 to 604800",
        "ycsb --seconds 1e-10|--seconds is from 0.01",
        "ycsb --seconds NaN|--seconds is from 0.01",
        "ycsb --warm-up -1|--warm-up from 0",
        "ycsb --rate -1|--rate is from 0, for none, to 10000000",
        "ycsb --rate Infinity|--rate is from 0",
        "ycsb --repeat 0|--repeat is at least 1",
        "ycsb --heap 512 --cache 512|--cache is from 8 MiB and must leave room in --heap: not 512"
            + " of 512 MiB",
        "ycsb --cache -1|--cache is from 8 MiB",
        "ycsb --heap 10 --cache 1|--heap is from 64 to",
        "ycsb --copies 0|--copies is at least 1, not 0",
        "ycsb --collector Foo|--collector is one of [SerialGC, ParallelGC, G1GC",
        "ycsb --pids 1|--pids is for a store that runs: give --connect too",
        "ycsb --connect 127.0.0.1:1 --pids 999999999|--pids: no process [999999999] runs",
        "ycsb --connect foo:port|--connect: not an address like host or host:port",
        "ycsb --connect 127.0.0.1:1|--connect: nothing listens on 127.0.0.1:1",
        "ycsb --store mariadb --nodes 3|--nodes is for nodes of ecstore that are started here",
        "ycsb --connect 127.0.0.1:1 --heap 4096|--heap is for nodes of ecstore",
        "ycsb --dir pom.xml|pom.xml is no directory",
        "ycsb --loaded|--loaded is for a store that runs: give --connect too",
        "ycsb --level fresh|ecstore.level is session, strong, local, bounded-MILLIS or"
            + " quorum-N-W-R",
        "ycsb --level quorum-3-4-2|W is from 1 to N = 3",
        "ycsb --level quorum-3-2-2 --nodes 1|N is how many copies there are: 1",
        "ycsb --isolation none|ecstore.isolation is serializable or snapshot",
        "social --workload unfriend|no workload unfriend; there are [befriend, befriend-together,"
            + " read-only, count]",
        "social --records 1|--records is at least 2, as friends are two",
        "social --distribution normal|--distribution is uniform or zipfian, not normal",
        "social --edges x --records 5|--edges says who the users are: without --records",
        "social --edges no-such-file|no-such-file",
        "report --out x.html no-such-file|no-such-file",
        "report --out x.html src|src is a directory",
        "report --out pom.xml pom.xml|--out would write over pom.xml, which is read",
        "report --out x.html|Missing required parameter: 'FILE'",
        "report x.json|Missing required option: '--out=FILE'",
        "hosts --hosts 0|--hosts are from 1 to 99, not [0]",
        "hosts --records 0,5|--records are from 1 to",
        "hosts --rounds 0|--rounds is from 1 to 100, not 0",
        "hosts --network-ms -1|--network-ms is from 0 to 60000, not -1",
        "hosts --hosts 1,64 --memory 1024|64 hosts do not fit into 1024 MiB",
        "hosts --records 1000000000|1,000,002,000 records in all on 1 hosts may take",
        "hosts --memory 99999999|--memory 99999999 is more than this machine has",
        "hosts --memory 99999999999999|--memory 99999999999999 is more than this machine has",
        "hosts --memory 17592186060800|--memory 17592186060800 is more than this machine has",
        "photos --workload 1-year|no workload 1-year; there are [7-days, 1-month, 4-months]",
        "photos --days 119|--days is from 120, for 4-months, to 1000000, not 119",
        "photos --photos-per-day 0|--photos-per-day is from 1 to",
        "smallbank --store mariadb|Unknown options: '--store', 'mariadb'",
        "changes --readers -1|--readers are from 0 to 100, not -1",
        "indexes --workload none|no workload none; there are [write-plain",
        "smallbank --records 1|--records is from 2 to",
        "smallbank --distribution normal|--distribution is hotspot or uniform, not normal",
        "smallbank --records 9 --hotspot 10|--hotspot is from 2 to --records, not 10",
      })
  void badOptionsAreRefusedBeforeAnythingIsStarted(String arguments, String message) {
    assertEquals(2, run(arguments.split(" ", -1)));
    assertTrue(err.toString().contains(message), err.toString());
    assertEquals("", out.toString());
  }

  @Test
  void malformedEdgesAreRefusedByTheirLine() throws IOException {
    Path edges = Files.writeString(temp.resolve("edges.txt"), "1 2\n3 x\n");
    assertEquals(2, run("social", "--edges", edges.toString()));
    assertTrue(err.toString().contains("line 2: expected two user ids"), err.toString());
  }
}
