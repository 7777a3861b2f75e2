package org.ecstore.bench.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.ecstore.bench.compare.ClientProcess;
import org.ecstore.bench.compare.ComparisonTable;
import org.ecstore.tools.cli.EcStoreMain;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CompareCommandTest {
  @TempDir private Path temp;
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  private int run(String... arguments) {
    return EcStoreMain.commandLine()
        .setOut(new PrintWriter(out))
        .setErr(new PrintWriter(err))
        .execute(arguments);
  }

  @Test
  @Tag("slow")
  void ecStoreAloneIsMeasuredInRoundsByProcessesOfTheirOwn() throws IOException {
    int status =
        run(
            ("bench compare --peers none --workload befriend@2 --rounds 2 --records 300"
                    + " --clients 3 --seconds 0.5 --warm-up 0.1 --settle 0 --prepare 0.1"
                    + " --heap 256 --cache 64 --collector SerialGC --json")
                .split(" ", -1));
    assertEquals(0, status, err.toString());
    JsonNode json = new ObjectMapper().readTree(out.toString());
    assertEquals(2, json.get("results").size());
    for (JsonNode result : json.get("results")) {
      assertEquals("ecstore", result.get("store").asText());
      assertTrue(result.get("operations").isNumber(), result::toString);
      assertEquals(0, result.get("errors").asInt(), result::toString);
      assertTrue(result.at("/cpuSecondsPer1000/servers").isNumber(), result::toString);
      assertEquals(300, result.get("records").asInt());
    }
    assertEquals(1, json.get("workloads").size());
    for (JsonNode workload : json.get("workloads")) {
      JsonNode medians = workload.at("/medians/ecstore");
      assertEquals(2, medians.get("rounds").asInt());
      assertTrue(medians.get("throughput").isNumber(), medians::toString);
    }
    assertTrue(
        json.at("/stores/ecstore/settings/durability").asText().contains("synced"), json::toString);
    assertTrue(err.toString().contains("round 2, ecstore, befriend, 2 clients: "), err::toString);
    out.getBuffer().setLength(0);
    new ComparisonTable(new PrintWriter(out)).print(json);
    assertTrue(out.toString().contains("befriend, 2 clients"), out::toString);
    assertTrue(out.toString().contains("every commit synced"), out::toString);
  }

  /** Runs the classes of this test. */
  private static final String STARTS =
      """
      exec "%s" $ECSTORE_JAVA_OPTS -cp "%s" org.ecstore.tools.cli.EcStoreMain "$@"
      """
          .formatted(
              Path.of(System.getProperty("java.home"), "bin", "java"),
              System.getProperty("java.class.path"));

  /** A checkout whose script does that. */
  private Path checkout(String name, String does) throws IOException {
    Path checkout = temp.resolve(name);
    Path script = checkout.resolve("bin").resolve("ecstore");
    Files.createDirectories(script.getParent());
    Files.writeString(script, "#!/bin/sh\n" + does);
    assertTrue(script.toFile().setExecutable(true));
    return checkout;
  }

  /** One that does not run is unavailable, and the others are measured all the same. */
  @Tag("nightly")
  @Test
  void anotherBuildIsMeasuredWithItsOwnNodesAndClients() throws IOException {
    Path broken = checkout("broken", "echo no JDK here >&2\nexit 3\n");
    int status =
        run(
            ("bench compare --peers build:"
                    + checkout("before", STARTS)
                    + ",build:"
                    + broken
                    + " --workload befriend@2 --rounds 1 --records 300 --seconds 0.5 --warm-up 0.1"
                    + " --settle 0 --prepare 0.1 --heap 256 --cache 64 --collector SerialGC --json")
                .split(" ", -1));
    assertEquals(1, status, err.toString());
    assertTrue(err.toString().contains("does not run: no JDK here"), err::toString);
    int built = err.toString().indexOf("build:before is ecstore");
    assertTrue(built >= 0 && built < err.toString().indexOf("starting ecstore"), err::toString);
    JsonNode json = new ObjectMapper().readTree(out.toString());
    JsonNode workload = json.get("workloads").get(0);
    for (String store : List.of("ecstore", "build:before")) {
      JsonNode medians = workload.at("/medians").get(store);
      assertTrue(medians.get("throughput").asDouble() > 0, json::toString);
      assertTrue(medians.at("/errors").asInt() == 0, json::toString);
    }
    assertTrue(workload.at("/ratios").get("build:before").isObject(), json::toString);
    JsonNode settings = json.at("/stores").get("build:before").get("settings");
    assertTrue(settings.get("build").asText().startsWith("ecstore "), json::toString);
    assertTrue(json.at("/stores").get("build:broken").has("unavailable"), json::toString);
  }

  @Test
  void tableSaysWhoCannotBeHadAndWhatFailed() throws IOException {
    String json =
        """
        {"rounds":1,"seconds":1,"records":5,"clientFlags":["-Xmx1g"],
         "stores":{"ecstore":{"settings":{"durability":"synced"}},
                   "cassandra":{"unavailable":"there is no JDK 17"}},
         "workloads":[{"title":"A","medians":{"ecstore":{"throughput":5,"otherCores":0.9},
                                              "redis":{"throughput":2}},
                       "ratios":{"redis":{"throughput":2.5}}}],
         "results":[{"round":1,"store":"redis","workload":"A","failed":"it fell over"}]}
        """;
    new ComparisonTable(new PrintWriter(out)).print(new ObjectMapper().readTree(json));
    for (String part :
        List.of(
            "UNAVAILABLE: there is no JDK 17",
            "2.50x",
            "FAILED: it fell over",
            "others used 0.9")) {
      assertTrue(out.toString().contains(part), part + " in " + out);
    }
  }

  @Test
  void whatCannotBeComparedIsRefused() {
    for (String wrong :
        List.of(
            "--peers oracle",
            "--peers redis,redis",
            "--peers redis:sometimes",
            "--peers build:/nowhere",
            "--workload nothing",
            "--rounds 0",
            "--seconds 0",
            "--level weak",
            "--cache 9999")) {
      err.getBuffer().setLength(0);
      assertEquals(2, run(("bench compare " + wrong).split(" ", -1)), wrong);
      assertTrue(
          err.toString().contains(wrong.split(" ", -1)[0]) || wrong.contains("weak"),
          err::toString);
    }
    assertEquals(2, run("bench", "ycsb", "--store", "oracle"));
    assertEquals(2, run("bench", "ycsb", "--durability", "periodic"));
    assertTrue(err.toString().contains("ecStore syncs every commit"), err::toString);
  }

  private void assertRefused(String peers, String said) {
    err.getBuffer().setLength(0);
    assertEquals(2, run("bench", "compare", "--peers", peers), peers);
    String words = err.toString().replaceAll("\\s+", " ");
    assertTrue(words.contains(said), words);
  }

  @Test
  void peersThatCannotBeAreRefusedBeforeAnythingStarts() throws IOException {
    assertRefused("build:", "--peers build:DIR is without its directory");
    assertRefused(
        "build:" + temp, "is no checkout of ecStore, for there is no program bin/ecstore");
    assertRefused(
        "build:" + checkout("a/before", "") + ",build:" + checkout("b/before", ""),
        "two builds in folders of one name: build:before");
    assertRefused("none,redis", "none is for ecStore alone, and stands alone");
    assertRefused("redis,none", "none is for ecStore alone, and stands alone");
    assertRefused("r\u001b[31med", "or none alone; not r\\u001b[31med");
    assertRefused("engines:je+je", "names je more than once");
  }

  @Test
  void storeThatIsNotThereIsSaidInTheResultToo() throws IOException {
    assertEquals(2, run("bench", "ycsb", "--store", "redis", "--connect", "127.0.0.1:1", "--json"));
    JsonNode said = new ObjectMapper().readTree(out.toString());
    assertEquals("redis", said.get("store").asText());
    assertTrue(said.get("unavailable").asText().length() > 10, said::toString);
    assertTrue(err.toString().contains("redis is not available"), err::toString);
  }

  @Test
  void clientThatFailsIsSaidWithItsLastLine() {
    ClientProcess client = new ClientProcess(temp, List.of("-Xmx256m"));
    IOException e =
        Assertions.assertThrows(
            IOException.class,
            () -> {
              List<ObjectNode> _ =
                  client.run(
                      List.of("bench", "ycsb", "--nodes", "0"), Duration.ofMinutes(2), _ -> {});
            });
    assertTrue(String.valueOf(e.getMessage()).contains("--nodes is from 1 to 99"), e::getMessage);
  }

  @Test
  void helpTeaches() {
    assertEquals(0, run("bench", "compare", "--help"));
    for (String part : List.of("befriend", "cassandra3", "echo", "--rounds", "medians")) {
      assertTrue(out.toString().contains(part), part);
    }
  }
}
