package org.ecstore.tools.cli.qos;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.ecstore.cluster.node.ExitStatus;
import org.ecstore.server.Release;
import org.ecstore.tools.cli.EcStoreMain;
import org.ecstore.txn.qos.table.PerformanceTable;
import org.ecstore.txn.qos.table.TableReader;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code qos plan} and {@code qos table}, on tables of the Cassandra QoS paper and on bad ones. */
class PlanCommandTest {
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  @TempDir private Path directory;

  private int run(String... args) {
    return EcStoreMain.commandLine()
        .setOut(new PrintWriter(out, true))
        .setErr(new PrintWriter(err, true))
        .execute(args);
  }

  private String paperTable(int number) throws IOException {
    String name = "cassandra-table-" + number + ".csv";
    Path file = directory.resolve(name);
    try (InputStream in = PerformanceTable.class.getResourceAsStream(name)) {
      assertTrue(in != null, name);
      Files.write(file, in.readAllBytes());
    }
    return file.toString();
  }

  private String table(String text) throws IOException {
    return Files.writeString(Files.createTempFile(directory, "table", ".csv"), text).toString();
  }

  private void refused(String why, String... args) {
    assertEquals(ExitStatus.BAD_INPUT, run(args), out::toString);
    assertTrue(err.toString().contains(why), err::toString);
    assertEquals("", out.toString());
  }

  private JsonNode json() throws IOException {
    return new ObjectMapper().readTree(out.toString().lines().toList().getLast());
  }

  /** Paper: §V, "Validation of the methodology". */
  @Test
  void onTableTwoThePlanIsThePapers() throws IOException {
    String[] plan = {
      "qos",
      "plan",
      "--table",
      paperTable(2),
      "--clients",
      "384",
      "--response-time",
      "40ms",
      "--json"
    };
    assertEquals(ExitStatus.OK, run(plan), err::toString);
    assertEquals(5, json().get("nodes").asInt());
    assertEquals(38.22, json().get("predictedMillis").asDouble());
    assertEquals(9.72, json().get("predictedMegabytesPerSecond").asDouble(), 0.01);
    assertEquals(401, json().get("clientsMax").asInt());
    assertEquals(4, json().get("fewer").get("nodes").asInt());
  }

  @Test
  void peopleReadWhatDecidedAndWhatWouldBreakIt() throws IOException {
    run("qos", "plan", "--table", paperTable(2), "--clients", "384", "--response-time", "40ms");
    String text = out.toString().replaceAll(" +", " ");
    for (String said :
        new String[] {
          "5 nodes (class m1.small, zipf) will do for 384 clients",
          "response time 38.22 ms, from 35.98 to 40.47",
          "interpolated between 256 clients on 5 nodes: 25 ms, 9.65 MB/s",
          "too slow above 401 clients",
          "one step less 4 nodes: 46.65 ms, 6.655 ms too slow",
          "to be sure 6 nodes"
        }) {
      assertTrue(text.contains(said), () -> said + " is not in " + text);
    }
  }

  @Test
  void withoutAPlanTheNearestIsNamedAndTheStatusIsOne() throws IOException {
    String[] plan = {
      "qos", "plan", "--table", paperTable(2), "--clients", "384", "--response-time", "20ms"
    };
    assertEquals(ExitStatus.CHECK_FAILED, run(plan), err::toString);
    String text = out.toString().replaceAll(" +", " ");
    assertTrue(text.contains("nearest 7 nodes: 26.3 ms, 6.305 ms too slow"), text);
    assertTrue(text.contains("these are fast enough for 286 clients"), text);
  }

  @Test
  void ofSeveralTablesTheCheapestIsTaken() throws IOException {
    String small = table("# class: small\n# price: 1\n8,1,20,1\n8,2,10,1\n8,3,7,1\n");
    String large = table("# class: large\n# price: 4\n8,1,8,1\n8,2,5,1\n8,3,4,1\n");
    String[] plan = {
      "qos",
      "plan",
      "--table",
      large,
      "--table",
      small,
      "--clients",
      "8",
      "--response-time",
      "8ms",
      "--json"
    };
    assertEquals(ExitStatus.OK, run(plan), err::toString);
    assertEquals(3, json().get("nodes").asInt());
    assertEquals(small, json().get("table").asText());
    assertEquals(1, json().get("alternatives").get(0).get("nodes").asInt());
    assertEquals(4, json().get("alternatives").get(0).get("pricePerHour").asInt());
  }

  @Test
  void aRateTakesTheRecordsOfTheTable() throws IOException {
    String table = table("# record-bytes: 1000\n8,1,8,1\n8,2,8,3\n");
    run("qos", "plan", "--table", table, "--rate", "2000", "--response-time", "8ms", "--json");
    assertEquals(2, json().get("nodes").asInt(), out::toString);
    refusedAfter("does not say how large its records are", table("8,1,8,1\n"));
  }

  /** 2,000 operations of the table's are 2 MB/s, however large records of the application are. */
  @Test
  void aRateIsOfOperationsAndNotOfBytes() throws IOException {
    String head = "# record-bytes: 1000\n";
    String table = table(head + "8,1,8,1\n8,2,8,3\n");
    for (String size : new String[] {"500B", "2KB"}) {
      out.getBuffer().setLength(0);
      String[] plan = {
        "qos",
        "plan",
        "--table",
        table,
        "--rate",
        "2000",
        "--response-time",
        "8ms",
        "--record-size",
        size,
        "--json"
      };
      assertEquals(ExitStatus.OK, run(plan), err::toString);
      assertEquals(2, json().get("nodes").asInt(), out::toString);
    }
    // Of a table that says nothing the size decides.
    out.getBuffer().setLength(0);
    String silent = table("8,1,8,1\n8,2,8,3\n");
    String[] plan = {
      "qos",
      "plan",
      "--table",
      silent,
      "--rate",
      "2000",
      "--response-time",
      "8ms",
      "--record-size",
      "500B",
      "--json"
    };
    assertEquals(ExitStatus.OK, run(plan), err::toString);
    assertEquals(1, json().get("nodes").asInt(), out::toString);
  }

  @Test
  void tablesOfMuchLargerOrSmallerRecordsAreRefused() throws IOException {
    String table = table("# record-bytes: 1000\n8,1,8,1\n");
    String[] plan = {
      "qos",
      "plan",
      "--table",
      table,
      "--rate",
      "800",
      "--response-time",
      "8ms",
      "--record-size",
      "499B"
    };
    refused(
        "does not fit: it was measured with records of 1000 bytes, not 499: state no record size"
            + " to plan by it all the same",
        plan);
    plan[9] = "2MiB";
    refused("--record-size must be from 1 to 1048576 bytes, not 2097152", plan);
    Path slo =
        Files.writeString(
            directory.resolve("shop.toml"), "clients = 8\nmean = '9ms'\nrecord-size = '100KB'\n");
    String[] ofFile = {"qos", "plan", "--table", table, "--slo", slo.toString()};
    refused("it was measured with records of 1000 bytes, not 100000", ofFile);
    Files.writeString(slo, "clients = 8\nmean = '9ms'\nrecord-size = '2KB'\n");
    assertEquals(ExitStatus.OK, run(ofFile), err::toString);
  }

  private void refusedAfter(String why, String table) {
    out.getBuffer().setLength(0);
    refused(why, "qos", "plan", "--table", table, "--rate", "2000", "--response-time", "8ms");
  }

  @Test
  void tablesOfAnotherBuildOrClassAreRefusedWithWhatDiffers() throws IOException {
    String old = table("# build: 0.0.1\n8,1,8,1\n");
    String[] load = {"--clients", "8", "--response-time", "9ms"};
    refused(
        "it was measured on build 0.0.1, not " + Release.version() + ": measure it anew",
        "qos",
        "plan",
        "--table",
        old,
        load[0],
        load[1],
        load[2],
        load[3]);
    assertEquals(
        ExitStatus.OK,
        run("qos", "plan", "--any-build", "--table", old, load[0], load[1], load[2], load[3]));
    out.getBuffer().setLength(0);
    refused(
        "it was measured on node class m1.small, not m1.medium",
        "qos",
        "plan",
        "--class",
        "m1.medium",
        "--table",
        paperTable(2),
        load[0],
        load[1],
        load[2],
        load[3]);
  }

  @Test
  void tablesOfAnotherMachineAreRefusedUnlessThatIsWanted() throws IOException {
    int processors = Runtime.getRuntime().availableProcessors();
    String other = table("# processors: " + (processors + 1) + "\n8,1,8,1\n");
    String[] plan = {
      "qos", "plan", "--table", other, "--clients", "8", "--response-time", "9ms", "--any-build"
    };
    refused(
        "it was measured on a machine with %d processors, not %d: measure it on this machine"
            .formatted(processors + 1, processors),
        plan);
    plan[8] = "--any-machine";
    assertEquals(ExitStatus.OK, run(plan), err::toString);
    plan[8] = "--json";
    plan[3] = table("# processors: " + processors + "\n8,1,8,1\n");
    assertEquals(ExitStatus.OK, run(plan), err::toString);
    assertEquals(processors, json().get("processors").asInt());
  }

  @Test
  void aPlanSaysOfHowManyCopiesItIsAndWhatWasNotSteady() throws IOException {
    String table = table("# copies: 1\n# unsteady: 1,2\n8,1,8,1\n8,2,7,1\n");
    String[] plan = {
      "qos", "plan", "--table", table, "--clients", "8", "--response-time", "9ms", "--copies", "1"
    };
    assertEquals(ExitStatus.OK, run(plan), err::toString);
    String text = out.toString().replaceAll(" +", " ");
    assertTrue(text.contains("\n copies 1 of each range when measured\n"), text);
    assertTrue(text.contains("\n not steady when measured: on 1 and 2 nodes\n"), text);
    plan[9] = "3";
    out.getBuffer().setLength(0);
    refused("it was measured with 1 copy of each range, not 3", plan);
    plan[8] = "--json";
    plan[9] = "--any-build";
    assertEquals(ExitStatus.OK, run(plan), err::toString);
    assertEquals(1, json().get("copies").asInt());
    assertEquals("[1,2]", json().get("unsteadyNodes").toString());
    out.getBuffer().setLength(0);
    assertEquals(ExitStatus.OK, run("qos", "table", table), err::toString);
    assertTrue(out.toString().contains("not steady when measured: on 1 and 2"), out::toString);
  }

  @Test
  void allThatIsWrongInATableIsSaidInALine() throws IOException {
    refused(
        "line 1: ms must be milliseconds above 0, an hour at most, not \"NaN\"; line 3: the cell of"
            + " 9 clients on 1 servers is in line 2 already",
        "qos",
        "table",
        table("8,1,NaN,1\n9,1,1,1\n9,1,1,1\n"));
  }

  @Test
  void aRateIsANumberAsPeopleWriteIt() throws IOException {
    String good = table("8,1,8,1\n");
    for (String wrong : List.of("0x10p3", "NaN", "1e3", "2000f", "")) {
      refusedRate("it must be a number", good, wrong);
    }
    refusedRate("--rate must be from 1", good, "0.5");
    refusedRate("--rate must be from 1", good, "-3");
  }

  @Test
  void anEngineThatIsNoneIsRefusedAlsoWhereTheTableSaysNothingOfIt() throws IOException {
    String silent = table("8,1,8,1\n");
    refused(
        "--engine is one of ",
        "qos",
        "plan",
        "--table",
        silent,
        "--clients=8",
        "--response-time=9ms",
        "--engine=foo");
  }

  private void refusedRate(String why, String table, String rate) {
    err.getBuffer().setLength(0);
    refused(why, "qos", "plan", "--table", table, "--rate=" + rate, "--response-time", "9ms");
  }

  @Test
  void whatIsMissingOrTooMuchIsSaid() throws IOException {
    String good = table("8,1,8,1\n");
    refused(
        "give the load, by either --clients or --rate",
        "qos",
        "plan",
        "--table",
        good,
        "--response-time",
        "9ms");
    refused("give one of --response-time", "qos", "plan", "--table", good, "--clients", "8");
    refused(
        "--response-time must be a time above 0",
        "qos",
        "plan",
        "--table",
        good,
        "--clients",
        "8",
        "--response-time",
        "-1ms");
    refused(
        "does not have the p99 of each cell",
        "qos",
        "plan",
        "--table",
        good,
        "--clients",
        "8",
        "--p99",
        "1ms");
    refused(
        "--clients must be from 1",
        "qos",
        "plan",
        "--table",
        good,
        "--clients",
        "0",
        "--response-time",
        "9ms");
    refused("qos table", "qos", "table", directory.toString());
  }

  @Test
  void withoutATableItIsSaidWhereOneComesFrom() throws IOException {
    Path slo = Files.writeString(directory.resolve("shop.toml"), "clients = 8\nmean = '9ms'\n");
    refused(
        "measure some, by \"ecstore qos measure --out tables\"",
        "qos",
        "plan",
        "--slo",
        slo.toString());
    refused("or give one by --table FILE", "qos", "plan", "--slo", slo.toString());
    refused(
        "there is no cluster in",
        "qos",
        "plan",
        "--slo",
        slo.toString(),
        "--dir",
        directory.toString());
    refused(
        "no table, no file",
        "qos",
        "plan",
        "--slo",
        slo.toString(),
        "--table",
        directory.toString());
    String table = table("8,1,8,1\n");
    String[] plan = {
      "qos", "plan", "--slo", slo.toString(), "--table", table, "--dir", directory.toString()
    };
    refused("give one of these", plan);
    assertEquals(
        ExitStatus.OK,
        run("qos", "plan", "--slo", slo.toString(), "--table", directory.toString()),
        err::toString);
    assertTrue(out.toString().contains("by table"), out::toString);
    assertTrue(out.toString().contains(table), out::toString);
  }

  /** Of several objectives those that state no load, or no response time, have no plan. */
  @Test
  void theOnlyObjectiveThatCanBePlannedIsMeant() throws IOException {
    Path slo =
        Files.writeString(
            directory.resolve("slo.toml"),
            """
            [shop]
            clients = 8
            mean = "9ms"
            [reports]
            class = "best-effort"
            """);
    String table = table("8,1,8,1\n");
    assertEquals(
        ExitStatus.OK,
        run("qos", "plan", "--table", table, "--slo", slo.toString()),
        err::toString);
    out.getBuffer().setLength(0);
    String[] reports = {
      "qos", "plan", "--table", table, "--slo", slo.toString(), "--application", "reports"
    };
    refused("state a response time (mean, p95 or p99) and a load (rate or clients)", reports);
    reports[7] = "typo";
    refused("has objectives of shop, reports, and none of typo", reports);
  }

  @Test
  void whatATableLacksIsSaidWithWhatToDo() throws IOException {
    String table = table("8,1,8,1\n");
    Path slo =
        Files.writeString(directory.resolve("p99.toml"), "[shop]\nclients = 8\np99 = '9ms'\n");
    String[] plan = {"qos", "plan", "--table", table, "--slo", slo.toString()};
    refused("qos measure --clients 8,16,32,64 --nodes 1..4 --out tables", plan);
    refused("or state mean = \"TIME\" in place of p99 in " + slo, plan);
    refused(
        "or ask for a mean, by --response-time TIME",
        "qos",
        "plan",
        "--table",
        table,
        "--clients",
        "8",
        "--p99",
        "9ms");
    Files.writeString(slo, "[shop]\nrate = 800\nmean = '9ms'\n");
    refused("state record-size = \"1KB\" below [shop] in " + slo, plan);
    refused("or write \"# record-bytes: 1000\" into the table", plan);
    Files.writeString(slo, "[shop]\nrate = 800\nmean = '9ms'\nrecord-size = '1KB'\n");
    assertEquals(ExitStatus.OK, run(plan), err::toString);
  }

  @Test
  void hugeFilesAndThoseThatAreNoTextAreRefused() throws IOException {
    Path huge = directory.resolve("huge");
    Files.write(huge, new byte[TableReader.TEXT_MAX + 1]);
    refused("is longer than 1024 KiB", "qos", "table", huge.toString());
    Path binary = directory.resolve("binary");
    Files.write(binary, new byte[] {(byte) 0xff, (byte) 0xfe});
    refused("is not a text file in UTF-8", "qos", "table", binary.toString());
  }

  @Test
  void aTableIsShownInThePapersForm() throws IOException {
    assertEquals(ExitStatus.OK, run("qos", "table", paperTable(2)), err::toString);
    String text = out.toString().replaceAll(" +", " ");
    assertTrue(text.contains(" 256 49.51, 5.47 37.92, 6.87 32.3, 8.5 25, 9.65 22.4, 11.1"), text);
    assertTrue(
        text.contains(
            "their rows held out: interpolation off by 3.0 % (median 2.8 %, largest 5.9 %), the curve by 4.0 % (median "),
        text);
    assertTrue(text.contains("largest 11.0 %)"), text);
  }

  @Test
  void anObjectiveOfAFileIsPlannedByItsHardestResponseTime() throws IOException {
    Path slo =
        Files.writeString(
            directory.resolve("slo.toml"),
            """
            [shop]
            clients = 384
            mean = "40ms"
            locality = "zipf"
            [reports]
            class = "best-effort"
            """);
    String[] plan = {
      "qos",
      "plan",
      "--table",
      paperTable(2),
      "--slo",
      slo.toString(),
      "--application",
      "shop",
      "--json"
    };
    assertEquals(ExitStatus.OK, run(plan), err::toString);
    assertEquals(5, json().get("nodes").asInt());

    String table =
        table(
            """
            # workload: zipf-read
            # reads-percent: 95
            # data-bytes: 1000
            clients,servers,ms,MB/s,ms spread,MB/s spread,p95 ms,p99 ms,runs
            8,1,10,1,,,12,30,
            8,2,5,1,,,6,8,
            """);
    Path twoTimes =
        Files.writeString(
            directory.resolve("two.toml"),
            "[shop]\nclients = 8\nmean = '10ms'\np99 = '20ms'\nreads = '90%'\n");
    out.getBuffer().setLength(0);
    run("qos", "plan", "--table", table, "--slo", twoTimes.toString());
    String made = "ecstore cluster up --slo " + twoTimes + " --table " + table + " --dir DIR";
    assertTrue(out.toString().contains(made), out::toString);
    out.getBuffer().setLength(0);
    String[] hardest = {"qos", "plan", "--table", table, "--slo", twoTimes.toString(), "--json"};
    assertEquals(ExitStatus.OK, run(hardest), err::toString);
    assertEquals(2, json().get("nodes").asInt());
  }

  @Test
  void aPlanSaysWhatMakesItsCluster() throws IOException {
    Path slo =
        Files.writeString(directory.resolve("a slo.toml"), "[a]\nclients = 8\nmean = '9ms'\n");
    String head = "# engine: redis\n# class: small\n# capacity: 0.2\n# price: 0.02\n";
    String table = table(head + "8,1,8,1\n8,2,5,1\n");
    int status = run("qos", "plan", "--table", table, "--slo", slo.toString());
    assertEquals(ExitStatus.OK, status, err::toString);
    assertTrue(out.toString().contains("ecstore cluster up --slo '" + slo + "'"), out::toString);
    assertTrue(out.toString().contains("' --table " + table + " --dir DIR"), out::toString);
    out.getBuffer().setLength(0);
    String[] more = {"qos", "plan", "--table", table, "--slo", slo.toString(), "--copies", "3"};
    run(more);
    assertTrue(out.toString().contains(table + " --copies 1 --dir DIR"), out::toString);
    out.getBuffer().setLength(0);
    more[6] = "--application";
    more[7] = "a";
    run(more);
    assertTrue(out.toString().contains(table + " --application a --dir DIR"), out::toString);
    out.getBuffer().setLength(0);
    run("qos", "plan", "--table", table, "--clients", "8", "--response-time", "9ms");
    assertFalse(out.toString().contains("cluster up"), out::toString);
  }

  @Test
  void anObjectiveThatTheTableIsNotOfIsRefusedWithWhatDiffers() throws IOException {
    String table =
        table(
            """
            # workload: zipf-read
            # reads-percent: 95
            # data-bytes: 1000
            clients,servers,ms,MB/s
            8,1,10,1
            """);
    Path slo =
        Files.writeString(
            directory.resolve("slo.toml"),
            """
            [shop]
            clients = 8
            mean = "10ms"
            reads = "50%"
            locality = "uniform"
            data-size = "2KB"
            """);
    refused(
        "it was measured with 95% reads, not 50%; it was measured with 1000 bytes of data, fewer"
            + " than 2000; it was measured on workload zipf-read, not uniform",
        "qos", "plan", "--table", table, "--slo", slo.toString());
    refused(
        "give them there alone",
        "qos",
        "plan",
        "--table",
        table,
        "--slo",
        slo.toString(),
        "--clients",
        "8");
    refused("--application is one of --slo", "qos", "plan", "--table", table, "--application", "a");
  }

  /** As many nodes as the curve has would be refused as well: the table has no row for them. */
  @Test
  void beyondTheTablesClientsItIsSaidWhatToMeasure() throws IOException {
    String[] plan = {
      "qos", "plan", "--table", paperTable(2), "--clients", "600", "--response-time", "40ms"
    };
    assertEquals(ExitStatus.CHECK_FAILED, run(plan), err::toString);
    String text = out.toString().replaceAll(" +", " ");
    for (String said :
        new String[] {
          "because the table ends at 512 clients, below the 600 asked for",
          "nearest 7 nodes with 512 clients: 34.6 ms",
          "these are fast enough for 512 clients",
          "needed a table with rows up to 600 clients: measure these",
          "for that perhaps 8 nodes, by the curve through all cells"
        }) {
      assertTrue(text.contains(said), () -> said + " is not in " + text);
    }
    out.getBuffer().setLength(0);
    plan[5] = "1000000";
    assertEquals(ExitStatus.CHECK_FAILED, run(plan), err::toString);
    String many = out.toString().replaceAll(" +", " ");
    assertTrue(many.contains("needed a table with rows up to 1000000 clients"), many);
    assertFalse(many.contains("faster nodes"), many);
  }

  /** {@code cluster up} takes no table of another build, and no way of prediction. */
  @Test
  void whereTheTableIsNotTakenAgainNodesAreMadeByOptions() throws IOException {
    Path slo = Files.writeString(directory.resolve("slo.toml"), "[a]\nclients = 8\nmean = '9ms'\n");
    String head = "# engine: redis\n# class: small\n# capacity: 0.2\n# price: 0.02\n";
    String old = table("# build: 0.0.1\n" + head + "8,1,8,1\n8,2,5,1\n");
    run("qos", "plan", "--any-build", "--table", old, "--slo", slo.toString());
    String made =
        " --hosts 1 --engines redis --relaxed --class small --capacity 0.2 --price 0.02 --dir DIR";
    assertTrue(out.toString().contains(slo + made), out::toString);
    out.getBuffer().setLength(0);
    String cheap = table("# price: 1e-12\n8,1,8,1\n8,2,5,1\n");
    run("qos", "plan", "--predict", "interpolation", "--table", cheap, "--slo", slo.toString());
    assertTrue(out.toString().contains(slo + " --nodes 1 --price 0 --dir DIR"), out::toString);
  }

  @Test
  void copiesAreOneOrMoreAndATableHasAName() throws IOException {
    String table = table("8,1,8,1\n");
    String[] plan = {
      "qos", "plan", "--table", table, "--clients", "8", "--response-time", "9ms", "--copies", "-4"
    };
    refused("--copies must be at least 1, not -4", plan);
    plan[3] = "";
    plan[9] = "1";
    refused("\"\" is no table: give the name of its file", plan);
    refused("\"\" is no table: give the name of its file", "qos", "table", "");
  }

  @Test
  void theNameOfAFileDoesNotTalkToTheTerminal() throws IOException {
    String table = Files.writeString(directory.resolve("a\u001b[31m.csv"), "8,1,8,1\n").toString();
    run("qos", "plan", "--table", table, "--clients", "8", "--response-time", "9ms");
    assertTrue(out.toString().contains("a\\u001b[31m.csv"), out::toString);
    assertFalse(out.toString().contains("\u001b"), out::toString);
    Files.writeString(Path.of(table), "8,1,8\n");
    assertEquals(ExitStatus.BAD_INPUT, run("qos", "table", table));
    assertTrue(err.toString().contains("a\\u001b[31m.csv"), err::toString);
    assertFalse(err.toString().contains("\u001b"), err::toString);
  }
}
