package org.ecstore.bench.cli.offline;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.ecstore.tools.cli.EcStoreMain;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PlotCommandTest {
  @TempDir private Path temp;
  private StringWriter out = new StringWriter();
  private StringWriter err = new StringWriter();

  private int plot(Path source, String... more) {
    out = new StringWriter();
    err = new StringWriter();
    return EcStoreMain.commandLine()
        .setOut(new PrintWriter(out))
        .setErr(new PrintWriter(err))
        .execute(
            Stream.concat(Stream.of("bench", "plot", source.toString()), Stream.of(more))
                .toArray(String[]::new));
  }

  private Path left(String result) throws IOException {
    Path directory = Files.createDirectories(temp.resolve("run"));
    Files.writeString(directory.resolve("result.json"), result);
    return directory;
  }

  private void mustDraw(Path source, List<String> names) throws IOException {
    Path pictures = temp.resolve("pictures");
    assertEquals(0, plot(source, "--out", pictures.toString()), err::toString);
    assertEquals(names, out.toString().lines().toList());
    for (String name : names) {
      assertTrue(Files.readString(pictures.resolve(name)).contains("</svg>"), name);
    }
  }

  @Test
  void aRunIsDrawnOfItsSamples() throws IOException {
    Path run =
        left(
            "{\"benchmark\": \"qos\", \"settings\": {\"p99Millis\": 40, \"floodClients\": 0},"
                + "\"phases\": [{\"name\": \"calm\", \"fromSeconds\": 0}], \"kills\": [],"
                + "\"actions\": [{\"kind\": \"add node\", \"what\": \"add n4\", \"seconds\": 1,"
                + "\"stage\": \"done\"}]}");
    assertEquals(2, plot(run));
    assertTrue(err.toString().contains("samples.jsonl is not there"), err::toString);
    Path samples = run.resolve("samples.jsonl");
    Files.writeString(
        samples,
        "{\"seconds\": 0.5, \"members\": 3, \"places\": 3, \"copiesBeingMade\": 1, \"shop\":"
            + " {\"agoSeconds\": 1, \"slotSeconds\": 5, \"perSecond\": 50, \"millis\":"
            + " {\"mean\": 3, \"p99\": 9}}}\n{\"seconds\": 1.5}\n");
    mustDraw(run, List.of("response-time.svg", "throughput.svg", "nodes.svg"));
    Files.writeString(samples, "{\"seconds\"\n");
    assertEquals(2, plot(run));
    assertTrue(err.toString().contains("samples.jsonl is not what a command has left"));
  }

  /** One without a mean, as older ones are. */
  @Test
  void anElasticityIsDrawnOfItsResult() throws IOException {
    mustDraw(
        left(
            "{\"benchmark\": \"elasticity\", \"rate\": 100, \"phases\": [{\"name\": \"calm\","
                + "\"p99Millis\": 4}, {\"name\": \"adding\", \"begunSeconds\": 1}],"
                + "\"dataMoves\": [{\"from\": 1, \"to\": 2}],"
                + "\"seconds\": [{\"answers\": 90, \"p50Millis\": 1, \"p99Millis\": 4},"
                + "{\"answers\": 99, \"p50Millis\": 1, \"p99Millis\": 5}]}"),
        List.of("response-time.svg", "throughput.svg"));
  }

  private static final String EXPERIMENT =
      "{\"benchmark\": \"mycassandra\", \"rate\": 50, \"rounds\": 1, \"stores\": {\"mixed\": {},"
          + " \"peer\": {}}, \"quorum\": {\"n\": 4, \"w\": 3, \"r\": 2}, \"clusters\": {\"mixed\":"
          + " \"mixed\", \"peer\": \"peer\"}, \"results\": [";

  /** Its curves are of the distributions that its measurements kept. */
  @Test
  void anExperimentIsDrawnOfItsMeasurements() throws IOException {
    String of = "{\"workload\": \"%s\", \"store\": \"%s\", \"throughput\": %d, \"errors\": 0}";
    mustDraw(
        left(
            EXPERIMENT
                + of.formatted("write-only", "mixed", 300)
                + ","
                + of.formatted("read-only", "mixed", 600)
                + "]}"),
        List.of("figure-11-throughput.svg"));
    assertEquals(
        2,
        plot(
            left(
                EXPERIMENT
                    + "{\"workload\": \"read-only\", \"store\": \"mixed\", \"rate\": 50,"
                    + "\"histogram\": \"AAAA\"}]}")));
    assertTrue(err.toString().contains("is not what bench mycassandra has left"), err::toString);
    assertEquals(2, plot(left("{\"benchmark\": \"mycassandra\"}")));
    assertTrue(err.toString().contains("does not say its quorum"), err::toString);
  }

  @Test
  void aTableIsDrawnBesideItselfUnlessToldOtherwise() throws IOException {
    Path table = temp.resolve("shop.csv");
    Files.writeString(table, "clients,servers,ms,MB/s\n8,1,4,2\n16,1,8,2\n8,2,3,3\n16,2,5,3\n");
    List<String> names = List.of("shop-response-time.svg", "shop-throughput.svg");
    mustDraw(table, names);
    assertEquals(0, plot(table), err::toString);
    for (String name : names) {
      assertTrue(Files.exists(temp.resolve(name)), name);
    }
  }

  @Test
  void whatIsNoResultIsRefusedWithWhatToGive() throws IOException {
    assertEquals(2, plot(temp.resolve("nowhere")));
    assertTrue(err.toString().contains("nowhere has no result.json: give a directory"));
    assertEquals(2, plot(left("{\"benchmark\": \"hosts\"}")));
    assertTrue(err.toString().contains("of which there are no pictures here"), err::toString);
    assertEquals(2, plot(left("{")));
    assertTrue(err.toString().contains("result.json is not what a command has left"));
  }

  @Test
  void aResultThatIsNoTextIsRefusedByItsName() throws IOException {
    Path run = left("{}");
    Path file = run.resolve("result.json");
    Files.write(file, "{\"benchmark\": \"Grün\"}".getBytes(StandardCharsets.ISO_8859_1));
    assertEquals(2, plot(run));
    assertTrue(
        err.toString().contains(file + " is not what a command has left: it is no text in UTF-8"),
        err::toString);
  }
}
