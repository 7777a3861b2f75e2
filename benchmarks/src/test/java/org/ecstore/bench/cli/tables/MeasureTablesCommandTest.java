package org.ecstore.bench.cli.tables;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.ecstore.bench.qos.MeasuredSubject;
import org.ecstore.bench.qos.TableWorkload;
import org.ecstore.cluster.layout.NodeClass;
import org.ecstore.server.Release;
import org.ecstore.tools.cli.EcStoreMain;
import org.ecstore.txn.qos.table.PerformanceTable;
import org.ecstore.txn.qos.table.TableReader;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MeasureTablesCommandTest {
  @TempDir private Path temp;
  private StringWriter out = new StringWriter();
  private StringWriter err = new StringWriter();

  private int run(String arguments) {
    out = new StringWriter();
    err = new StringWriter();
    return EcStoreMain.commandLine()
        .setOut(new PrintWriter(out))
        .setErr(new PrintWriter(err))
        .execute(
            Stream.concat(
                    Stream.of("qos", "measure", "--out", temp.resolve("tables").toString()),
                    Arrays.stream(arguments.split(" ", -1)))
                .toArray(String[]::new));
  }

  @Test
  void everyFaultIsSaidAtOnce() throws IOException {
    Files.createFile(temp.resolve("tables"));
    int status =
        run(
            "--workload zipf --kinds je,oracle --clients 8,x --nodes 3..1 --runs 0 --seconds 0"
                + " --warm-up -1 --settle -1 --records 1 --copies 0 --heap 1 --cache 1"
                + " --capacity 0.001 --price -1 --class a/b");
    assertEquals(2, status);
    for (String fault :
        List.of(
            "--workload is one of zipf-read,",
            "not oracle",
            "--clients are numbers from 1 to 10000, as 1,2,4 or 1..6, not \"x\"",
            "not \"3..1\"",
            "--runs is from 1",
            "--seconds is from",
            "--warm-up is from",
            "--settle is from",
            "--records is from",
            "--copies is from",
            "--heap is from",
            "--cache is from",
            "--capacity is from 0.01",
            "--price is from",
            "--class is letters",
            "is no directory")) {
      assertTrue(err.toString().contains(fault), () -> fault + " in " + err);
    }
    assertEquals("", out.toString());
  }

  @Test
  void aPreviewStartsNothingAndSaysHowLongItTakes() {
    assertEquals(
        0, run("--kinds je,redis --clients 8,16,32,64 --nodes 1..6 --dry-run"), err::toString);
    List<String> lines = out.toString().lines().toList();
    assertEquals(3, lines.size(), out::toString);
    assertTrue(
        lines.get(0).startsWith("je-standard-zipf-read: 72 runs are missing of 72, about "),
        out::toString);
    assertTrue(lines.get(1).startsWith("redis-standard-zipf-read: 72 runs"), out::toString);
    assertTrue(lines.get(2).startsWith("together about "), out::toString);
    assertTrue(err.toString().contains("each node is held to "), err::toString);
    assertFalse(Files.exists(temp.resolve("tables")));
  }

  @Test
  void runsOfAnotherTableAreRefusedBeforeAnyIsMeasured() throws IOException {
    Files.createDirectory(temp.resolve("tables"));
    Files.writeString(
        temp.resolve("tables/je-standard-zipf-read.runs.jsonl"),
        "{\"engine\":\"je\",\"class\":\"standard\",\"build\":\"0.1.0\"}\n");
    assertEquals(2, run("--clients 1 --nodes 1"));
    assertTrue(
        err.toString().contains("build is 0.1.0 there, not " + Release.version()), err::toString);
    assertTrue(
        err.toString()
            .contains("beside it (je-standard-zipf-read.csv, je-standard-zipf-read-*.svg)"),
        err::toString);
  }

  @Test
  @Tag("slow")
  void tablesAreMeasuredOnProcessesAndGrow() throws IOException {
    String small =
        "--clients 1,2 --runs 1 --seconds 0.5 --warm-up 0.2 --settle 0 --records 300"
            + " --class tiny --capacity 0.5 --price 0.01 --heap 256 --cache 32 --nodes ";
    assertEquals(0, run(small + "1"), () -> err + " " + out);
    Path file = temp.resolve("tables/je-tiny-zipf-read.csv");
    PerformanceTable table = TableReader.read(Files.readString(file));
    assertEquals(Set.of(1), Set.copyOf(table.servers()));
    assertEquals(Set.of(1, 2), Set.copyOf(table.clients()));
    assertEquals(Optional.of(Release.version()), table.subject().build());
    assertTrue(out.toString().contains("0.5 processors of a machine with"), out::toString);
    assertTrue(
        out.toString().contains("kept by the node") || out.toString().contains("by the kernel"),
        out::toString);
    assertEquals(0, run(small + "1..2"), () -> err + " " + out);
    PerformanceTable grown = TableReader.read(Files.readString(file));
    assertEquals(Set.of(1, 2), Set.copyOf(grown.servers()));
    table.cells().forEach((point, cell) -> assertEquals(cell, grown.cells().get(point)));
    assertTrue(out.toString().contains("NOT STEADY"), "it had no time to be");
    try (Stream<Path> left = Files.list(temp.resolve("tables"))) {
      assertFalse(left.anyMatch(path -> path.toString().endsWith(".cluster")), "nothing is left");
    }
  }

  private Path begun(int firstNodes) throws IOException {
    Files.createDirectories(temp.resolve("tables"));
    MeasuredSubject subject =
        new MeasuredSubject(
            "je",
            new NodeClass("standard", Optional.empty(), Optional.of(new BigDecimal("0.2"))),
            TableWorkload.of("zipf-read").orElseThrow(),
            Release.version(),
            20_000,
            1,
            384,
            48,
            firstNodes,
            10,
            3,
            Runtime.getRuntime().availableProcessors());
    return Files.writeString(
        temp.resolve("tables/je-standard-zipf-read.runs.jsonl"), subject.json() + "\n");
  }

  /** The cluster grows from the first nodes of what is measured. */
  @Test
  void moreNodesMayBeAddedLaterWithoutTheFirstOnes() throws IOException {
    begun(1);
    String arguments = "--clients 8 --capacity 0.2 --dry-run --nodes ";
    assertEquals(0, run(arguments + "2..3"), err::toString);
    assertTrue(out.toString().contains("6 runs are missing of 6"), out::toString);
    assertEquals(0, run("--clients 8 --dry-run --nodes 2..3"), "of the same capacity");
    assertTrue(err.toString().contains("each node is held to 0.2 processors of"), err::toString);
    assertEquals(2, run("--clients 8 --dry-run --nodes 2..3 --capacity 0.1"));
    assertTrue(err.toString().contains("capacity is 0.2 there, not 0.1;"), err::toString);
    assertEquals(2, run(arguments + "2..3 --records 10000"));
    assertTrue(err.toString().contains("records is 20000 there, not 10000;"), err::toString);
    Path runs = begun(2);
    assertEquals(2, run(arguments + "1..2"));
    assertTrue(
        err.toString().contains(runs + " began with 2 nodes, and a cluster does not shrink"),
        err::toString);
    assertTrue(err.toString().contains("begin --nodes with 2, and what is measured stays"));
  }

  @Test
  void whatItHasNotMadeItselfIsNotWrittenOver() throws IOException {
    Path mine = temp.resolve("tables/je-standard-zipf-read.cluster/thesis.txt");
    Files.createDirectories(mine.getParent());
    Files.writeString(mine, "mine");
    for (String name :
        List.of("je-standard-zipf-read.csv", "je-standard-zipf-read-throughput.svg")) {
      Path file = Files.writeString(temp.resolve("tables").resolve(name), "mine");
      assertEquals(2, run("--clients 8 --nodes 1 --dry-run"), out::toString);
      assertTrue(
          err.toString().contains(file + " is there without the runs that qos measure keeps"),
          err::toString);
      assertTrue(err.toString().contains(mine.getParent() + " is there, and has no mark"));
      assertEquals("mine", Files.readString(file));
      Files.delete(file);
    }
    assertEquals("mine", Files.readString(mine));
  }

  /** Else the user moves one, and is told of the next. */
  @Test
  void allThatIsInTheWayIsSaidAtOnce() throws IOException {
    Path table = temp.resolve("tables/je-standard-zipf-read.csv");
    Files.createDirectories(table.getParent());
    Files.writeString(table, "mine");
    Path plot = table.resolveSibling("je-standard-zipf-read-throughput.svg");
    Files.writeString(plot, "mine");
    assertEquals(2, run("--clients 8 --nodes 1 --dry-run"), out::toString);
    assertTrue(err.toString().contains(table + ", " + plot + " are there without"), err::toString);
  }
}
