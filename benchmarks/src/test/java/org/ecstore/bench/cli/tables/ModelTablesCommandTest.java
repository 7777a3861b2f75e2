package org.ecstore.bench.cli.tables;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.ecstore.server.Release;
import org.ecstore.server.file.DirectoryLock;
import org.ecstore.tools.cli.EcStoreMain;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ModelTablesCommandTest {
  private static final String SMALL =
      "qos model --clients 8,16,32 --nodes 2..3 --requests 200 --class small --out ";

  @TempDir private Path temp;
  private StringWriter out = new StringWriter();
  private StringWriter err = new StringWriter();

  private int run(String arguments) {
    out = new StringWriter();
    err = new StringWriter();
    return EcStoreMain.commandLine()
        .setOut(new PrintWriter(out))
        .setErr(new PrintWriter(err))
        .execute(arguments.split(" ", -1));
  }

  @Test
  void everyFaultIsSaidAtOnce() throws IOException {
    Path file = Files.createFile(temp.resolve("file"));
    int status =
        run(
            "qos model --workload zipf-write,other --class large --clients 8,x --nodes 3..1"
                + " --runs 0 --requests 1 --records 1 --cache 0 --out "
                + file);
    assertEquals(2, status);
    for (String fault :
        List.of(
            "not \"zipf-write\"",
            "not \"other\"",
            "--class is of small, medium, not \"large\"",
            "not \"x\"",
            "not \"3..1\"",
            "--runs is from 1",
            "--requests is from 100",
            "--records is from",
            "--cache is from",
            "is no directory")) {
      assertTrue(err.toString().contains(fault), () -> fault + " in " + err);
    }
    assertEquals(2, run("qos model --requests 1000000 --runs 100 --out " + temp.resolve("tables")));
    assertTrue(err.toString().contains("fewer --requests"), err::toString);
    assertFalse(Files.exists(temp.resolve("tables")));
  }

  @Test
  void tablesArePrintedWrittenAndHeldBesideWhatThePaperSays() throws IOException {
    Path tables = temp.resolve("tables");
    assertEquals(0, run(SMALL + tables), err::toString);
    List<String> lines = out.toString().lines().toList();
    assertEquals("model, class small, zipf-read", lines.getFirst());
    assertTrue(lines.get(1).matches(" *clients +2 nodes +3 nodes *"), out::toString);
    for (String part :
        List.of(
            "model, class small, uniform-read",
            "modelled, not measured",
            "each held out: interpolation off by",
            "goal, by ",
            "  model-small-uniform-read.csv",
            "of what the paper says",
            "Zipf is faster than uniform")) {
      assertTrue(out.toString().contains(part), () -> part + " in " + out);
    }
    for (String name : List.of("model-small-zipf-read", "model-small-uniform-read")) {
      for (String end : List.of(".csv", "-response-time.svg", "-throughput.svg")) {
        assertTrue(Files.exists(tables.resolve(name + end)), name + end);
      }
    }
  }

  @Test
  void oneObjectHasAllOfIt() throws IOException {
    Path tables = temp.resolve("tables");
    assertEquals(0, run(SMALL + tables + " --workload zipf --seed 3 --json"), err::toString);
    assertEquals(1, out.toString().lines().count());
    JsonNode json = new ObjectMapper().readTree(out.toString());
    JsonNode table = json.at("/tables/0");
    assertEquals("model-small-zipf-read", table.path("name").asText());
    assertEquals(3, table.path("seed").asInt());
    assertEquals(6, table.path("cells").size());
    assertTrue(table.at("/cellsHeldOut/curve/median").isNumber(), json::toString);
    assertTrue(table.at("/goal/is").isTextual(), json::toString);
    assertEquals(10_000, json.at("/costsNanos/read").asInt());
    String first = out.toString();
    run(SMALL + tables + " --workload zipf --seed 3 --json");
    assertEquals(first, out.toString(), "the same seed");
  }

  @Test
  void noPlanIsMadeByAModelUnlessThatIsAskedFor() {
    Path tables = temp.resolve("tables");
    assertEquals(0, run(SMALL + tables + " --workload zipf-read"), err::toString);
    String plan =
        "qos plan --clients 16 --response-time 1s --table "
            + tables.resolve("model-small-zipf-read.csv");
    assertEquals(2, run(plan));
    assertTrue(
        err.toString().contains("it was measured on build model, not " + Release.version()),
        err::toString);
    assertEquals(0, run(plan + " --any-build"), err::toString);
  }

  @Test
  void tablesOfItsOwnAreWrittenOverAndNoOthers() throws IOException {
    Path tables = temp.resolve("tables");
    String arguments = SMALL + tables + " --workload zipf";
    assertEquals(0, run(arguments), err::toString);
    assertEquals(0, run(arguments), err::toString);
    Path table = tables.resolve("model-small-zipf-read.csv");
    Files.writeString(table, "128,2,23.37,5.55\n");
    assertEquals(2, run(arguments));
    assertTrue(err.toString().contains("throughput.svg are there, of no qos model"), err::toString);
    assertTrue(err.toString().contains("--out: " + table + ", "), err::toString);
    assertEquals("128,2,23.37,5.55\n", Files.readString(table));
    Files.delete(table);
    assertEquals(2, run(arguments));
    assertTrue(err.toString().contains("throughput.svg are there"), err::toString);
  }

  /** The user can end the other one, or name another directory. */
  @Test
  void aDirectoryThatAnotherCommandUsesIsTheUsersFault() throws IOException {
    Path tables = temp.resolve("tables");
    try (DirectoryLock _ = DirectoryLock.acquire(tables)) {
      assertEquals(2, run(SMALL + tables), err::toString);
      assertTrue(
          err.toString().startsWith("ecstore qos model: " + tables + " is in use by"),
          err::toString);
      assertFalse(err.toString().contains("--debug"), err::toString);
    }
  }
}
