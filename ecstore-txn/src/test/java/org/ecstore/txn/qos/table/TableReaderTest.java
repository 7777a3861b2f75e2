package org.ecstore.txn.qos.table;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Random;
import java.util.TreeMap;
import org.ecstore.check.Check;
import org.junit.jupiter.api.Test;

/** What is read as a performance table, and what is said of other texts. */
class TableReaderTest {
  private static final String SMALL = "128,2,20,5\n128,3,15,6\n256,2,40,5\n256,3,30,6\n";

  private static List<String> problems(String text) {
    return assertThrows(InvalidTableException.class, () -> TableReader.read(text)).problems();
  }

  private static void assertProblem(String text, String problem) {
    List<String> problems = problems(text);
    assertTrue(problems.contains(problem), problems::toString);
  }

  @Test
  void theTablesOfThePaperAreReadWhole() {
    assertEquals(18, PaperTables.table(2).cells().size());
    assertEquals(12, PaperTables.table(3).cells().size());
    assertEquals(18, PaperTables.table(4).cells().size());
    assertEquals(12, PaperTables.table(5).cells().size());
    assertEquals(
        new PerformanceCell(18.01, 11.14), PaperTables.table(2).cells().get(new GridPoint(256, 7)));
    assertEquals(Optional.of("m1.medium"), PaperTables.table(5).subject().nodeClass());
    assertEquals(OptionalLong.of(1024), PaperTables.table(5).subject().recordBytes());
  }

  @Test
  void theOrderOfLinesMeansNothing() {
    List<String> lines = new ArrayList<>(SMALL.lines().toList());
    Random random = new Random(4);
    for (int i = 0; i < 20; i++) {
      Collections.shuffle(lines, random);
      assertEquals(
          TableReader.read(SMALL).cells(), TableReader.read(String.join("\n", lines)).cells());
    }
  }

  @Test
  void titlesNameTheColumnsInAnyOrder() {
    PerformanceTable titled =
        TableReader.read("\uFEFF\"MB/s\", nodes , threads,response_ms\r\n\r\n5, 2 ,128, 20\r\n");
    assertEquals(
        new PerformanceCell(20, 5),
        titled.cells().get(new GridPoint(128, 2)),
        titled.cells()::toString);
  }

  private static void assertIsCell(String text) {
    assertEquals(
        new PerformanceCell(20, 5),
        TableReader.read(text).cells().get(new GridPoint(128, 2)),
        () -> text);
  }

  @Test
  void titlesAreKnownByManySpellings() {
    for (String clients :
        List.of(
            "client",
            "Client threads",
            "number of clients",
            "# clients",
            "# of clients",
            "No. of clients",
            "num_clients")) {
      assertIsCell(clients + ",servers,ms,MB/s\n128,2,20,5\n");
    }
    for (String servers :
        List.of("server", "node", "Nodes", "number of servers", "# servers", "# of servers")) {
      assertIsCell("clients," + servers + ",ms,MB/s\n128,2,20,5\n");
      assertIsCell(servers + ",clients,ms,MB/s\n2,128,20,5\n");
    }
    for (String millis :
        List.of(
            "latency",
            "latency_ms",
            "latency (ms)",
            "mean ms",
            "milliseconds",
            "response time (ms)",
            "Response Time")) {
      assertIsCell("clients,servers," + millis + ",MB/s\n128,2,20,5\n");
    }
    for (String megabytes :
        List.of("MB/sec", "throughput (MB/sec)", "Throughput (MB/s)", "megabytesPerSecond")) {
      assertIsCell("clients,servers,ms," + megabytes + "\n128,2,20,5\n");
    }
  }

  @Test
  void otherUnitsThanThoseOfTheTableAreNoTitles() {
    for (String millis : List.of("latency (us)", "response time (s)", "seconds")) {
      assertTrue(
          problems("clients,servers," + millis + ",MB/s\n1,1,1,1\n")
              .getFirst()
              .startsWith(
                  "line 1: there is no column \"" + millis + "\": the columns are clients"));
    }
  }

  /** Else its columns would be taken for those of a table without titles. */
  @Test
  void titlesBehindAMarkAreTitlesAndRemarksAreNone() {
    assertIsCell("# Servers,clients,ms,MB/s\n2,128,20,5\n");
    assertIsCell("#servers;clients;MB/s;ms\n2;128;5;20\n");
    assertIsCell("# engine: je\n# servers,# clients,ms,MB/s\n# a remark\n2,128,20,5\n");
    assertTrue(
        problems("# Servers,clients,ms,speed\n2,128,20,5\n")
            .getFirst()
            .startsWith("line 1: there is no column \"speed\""));
    assertProblem(
        "# Servers,clients,ms,throughput,ms\n2,128,20,5,1\n", "line 1: column ms is there twice");
    assertIsCell("# nodes, clients\n# 2 copies, heap 384 MiB, clients, by us\n128,2,20,5\n");
    assertIsCell("128,2,20,5\n# Servers,clients,ms,MB/s\n");
  }

  @Test
  void semicolonsOrTabsMayBeBetweenFields() {
    assertIsCell("128;2;20;5\n");
    assertIsCell("128\t2\t20\t5\n256\t2\t40\t5\n");
    assertIsCell("128,\t2,\t20,\t5\n");
    assertIsCell("servers\tclients\tms\tMB/s\n2\t128\t20\t5\n");
    assertIsCell("servers;clients;ms;MB/s\n2;128;20;5\n");
    assertIsCell("clients\tservers\tms\tMB/s\tp99 ms\truns\n128\t2\t20\t5\t\t\n");
    assertProblem(
        "128;2;20,5;5\n", "line 1: ms must be milliseconds above 0, an hour at most, not \"20,5\"");
  }

  /** As spreadsheets export them: the same number of fields in each line. */
  @Test
  void emptyFieldsAtTheEndOfEachLineAreNone() {
    assertIsCell("clients\tservers\tms\tMB/s\t\n128\t2\t20\t5\t\n");
    assertIsCell("clients\tservers\tms\tMB/s\t\t\n128\t2\t20\t5\t\t\n\t\t\t\t\t\n");
    assertIsCell("128\t2\t20\t5\t\n256\t2\t40\t5\t\n");
    assertIsCell("# of servers;clients;ms;MB/s;;;;;\n2;128;20;5;;;;;\n");
    assertIsCell("clients,servers,ms,MB/s,\n128,2,20,5,\n");
    assertProblem(
        "clients\tservers\tms\tMB/s\t\n128\t2\t20\t5\t1\n",
        "line 2: 5 fields, where 4 are needed: clients, servers, ms, MB/s");
    assertTrue(problems(",,,,\n").getFirst().startsWith("line 1: "));
  }

  @Test
  void blanksAndSeparatorsWithinQuotesAreNone() {
    assertIsCell("\" 128 \",\"2\", \" 20\" ,5\n");
    assertIsCell("\"# of servers\",\"clients\",\"ms\",\"MB/s\"\n\"2\",\"128\",\"20\",\"5\"\n");
    assertIsCell("clients,servers,ms,\"throughput, MB/s\"\n128,2,20,5\n");
  }

  @Test
  void whatIsWrittenIsReadAgain() {
    TreeMap<GridPoint, PerformanceCell> cells = new TreeMap<>();
    cells.put(
        new GridPoint(8, 1),
        new PerformanceCell(
            0.7312,
            12.5,
            OptionalDouble.of(0.01),
            OptionalDouble.of(0.2),
            OptionalDouble.of(1.5),
            OptionalDouble.of(2.75),
            5));
    cells.put(new GridPoint(16, 1), new PerformanceCell(1.25, 13.125));
    TableSubject subject =
        TableSubject.UNKNOWN
            .with(SubjectText.ENGINE, "je")
            .with(SubjectText.NODE_CLASS, "small")
            .with(SubjectText.WORKLOAD, "zipf-read")
            .with(SubjectText.BUILD, "1.2.3")
            .with(SubjectText.CAPACITY, "0.3")
            .with(SubjectNumber.READ_PERCENT, 95)
            .with(SubjectNumber.RECORD_BYTES, 1000)
            .with(SubjectNumber.DATA_BYTES, 1_000_000)
            .with(SubjectNumber.NODE_PRICE, 0.06)
            .by(new TableSetting(OptionalInt.of(2), OptionalInt.of(8), List.of(3, 1)));
    PerformanceTable table = new PerformanceTable(subject, cells);
    PerformanceTable again = TableReader.read(TableWriter.full(table));
    assertEquals(cells, again.cells());
    assertEquals(subject, again.subject());
    List<String> remarks = List.of("capacity of a node: 0.2", "no colon");
    assertEquals(subject, TableReader.read(TableWriter.full(table, remarks)).subject());
    for (String wrong : List.of("build: 2", " price : 1", "copies: 3", "two\nlines")) {
      assertThrows(Check.Failed.class, () -> TableWriter.full(table, List.of(wrong)), () -> wrong);
    }
    PerformanceTable plain = TableReader.read(TableWriter.plain(table));
    assertEquals(new PerformanceCell(0.7312, 12.5), plain.cells().get(new GridPoint(8, 1)));
    assertEquals(TableSubject.UNKNOWN, plain.subject());
  }

  @Test
  void aCellThatIsThereTwiceIsSaidWithBothLines() {
    assertProblem(
        SMALL + "128,3,15,6\n",
        "line 5: the cell of 128 clients on 3 servers is in line 2 already");
  }

  @Test
  void numbersThatAreNoneAreSaid() {
    for (String field : List.of("NaN", "-1", "0", "Infinity", "1e999", "0x1p3", "5d", "", "many")) {
      assertProblem(
          "128,2," + field + ",5\n",
          "line 1: ms must be milliseconds above 0, an hour at most, not \"" + field + "\"");
    }
    assertProblem(
        "128,2,1,-5\n",
        "line 1: MB/s must be megabytes per second above 0, 1000000 at most, not \"-5\"");
    assertProblem(
        "NaN,2,1,5\n", "line 1: clients must be a whole number from 1 to 1000000, not \"NaN\"");
    assertProblem(
        "1.5,2,1,5\n", "line 1: clients must be a whole number from 1 to 1000000, not \"1.5\"");
    assertProblem(
        "1,10001,1,5\n", "line 1: servers must be a whole number from 1 to 10000, not \"10001\"");
  }

  @Test
  void gapsAreNamed() {
    assertEquals(
        List.of("there is no cell of 256 clients on 3 servers: each row has to have each column"),
        problems("128,2,20,5\n128,3,15,6\n256,2,40,5\n"));
  }

  @Test
  void manyGapsAreNamedInPartAndCounted() {
    StringBuilder text = new StringBuilder();
    for (int i = 1; i <= 9_000; i++) {
      text.append(i).append(',').append(i).append(",1,1\n");
    }
    List<String> problems = problems(text.toString());
    assertEquals(6, problems.size());
    assertEquals(9_000L * 9_000 - 9_000 - 5 + " more cells are missing", problems.getLast());
  }

  @Test
  void allThatIsWrongIsSaidAtOnceUpToALimit() {
    assertEquals(2, problems("128,2,x,y\n").size());
    assertEquals(20, problems("a,b\n".repeat(1_000).replaceFirst("a,b", "1,1,1,1")).size());
  }

  @Test
  void otherTitlesAreRefusedWithTheRightOnes() {
    assertTrue(
        problems("clients,servers,ms,speed\n1,1,1,1\n")
            .getFirst()
            .startsWith("line 1: there is no column \"speed\": the columns are clients, servers"));
    assertProblem("clients,servers,ms\n1,1,1\n", "line 1: columns are missing: MB/s");
    assertProblem("ms,servers,ms,clients\n", "line 1: column ms is there twice");
  }

  @Test
  void textWithoutCellsIsNoTable() {
    for (String text : List.of("", "\n\n", "# a remark\n", "clients,servers,ms,MB/s\n")) {
      assertTrue(problems(text).getFirst().startsWith("it has no cells"), text);
    }
  }

  @Test
  void hugeTextIsRefusedUnread() {
    assertEquals(
        List.of("it is longer than 1024 KiB: no performance table is"),
        problems("x".repeat(TableReader.TEXT_MAX + 1)));
    StringBuilder many = new StringBuilder();
    for (int i = 1; i <= 10_001; i++) {
      many.append(i).append(",1,1,1\n");
    }
    assertEquals(List.of("line 10001: more than 10000 cells"), problems(many.toString()));
    String cut = problems("y".repeat(1_000_000) + ",1,1,1\n1,1,1\n").getFirst();
    assertTrue(cut.length() < 300, cut);
  }

  @Test
  void whatWasMeasuredIsCheckedToo() {
    assertProblem("# engine: je\n# engine: je\n1,1,1,1\n", "line 2: engine is said twice");
    assertProblem(
        "# reads-percent: 101\n1,1,1,1\n", "line 1: reads-percent must be from 0 to 100, not 101");
    assertProblem("# price: cheap\n1,1,1,1\n", "line 1: price must be a number, not \"cheap\"");
    assertEquals(
        TableSubject.UNKNOWN, TableReader.read("# measured by: us\n#\n1,1,1,1\n").subject());
  }

  @Test
  void tablesOfOtherBuildsAndClassesSayWhatDiffers() {
    TableSubject measured =
        TableReader.read("# engine: je\n# class: small\n# build: 1.0.0\n1,1,1,1\n").subject();
    TableSubject wanted =
        TableReader.read("# engine: je\n# class: large\n# build: 2.0.0\n# workload: w\n1,1,1,1\n")
            .subject();
    assertEquals(
        List.of(
            "it was measured on build 1.0.0, not 2.0.0",
            "it was measured on node class small, not large"),
        measured.differencesFrom(wanted));
    assertEquals(List.of(), measured.differencesFrom(TableSubject.UNKNOWN));
    assertEquals(List.of(), measured.differencesFrom(measured));
  }

  @Test
  void howATableWasMeasuredIsRead() {
    String head = "# copies: 2\n# processors: 8\n# unsteady: 4, 2\n";
    TableSetting setting = TableReader.read(head + "1,1,1,1\n").subject().setting();
    assertEquals(new TableSetting(OptionalInt.of(2), OptionalInt.of(8), List.of(2, 4)), setting);
    assertEquals("on 2 and 4 nodes", setting.unsteadyWords());
    assertEquals("on 1 node", setting.with(List.of(1)).unsteadyWords());
    assertEquals("on 1, 2 and 4 nodes", setting.with(List.of(4, 2, 1)).unsteadyWords());
    assertEquals("", setting.with(List.of()).unsteadyWords());
    for (String wrong : List.of("copies: 1.5", "copies: 0", "processors: x", "unsteady: none")) {
      assertTrue(problems("# " + wrong + "\n1,1,1,1\n").getFirst().startsWith("line 1: "), wrong);
    }
  }

  /** A table that was measured before its head had a line for it. */
  @Test
  void theRemarkOfATableThatWasNotSteadyIsUnderstood() {
    String remark = "# NOT STEADY when it was measured: on [3, 4] nodes\n1,1,1,1\n";
    TableSetting setting = TableReader.read(remark).subject().setting();
    assertEquals(TableSetting.UNKNOWN.with(List.of(3, 4)), setting);
    assertEquals(setting, TableReader.read("# unsteady: 3,4\n" + remark).subject().setting());
  }

  @Test
  void tablesOfOtherMachinesAndCopiesSayWhatDiffers() {
    TableSubject measured = TableReader.read("# copies: 1\n# processors: 2\n1,1,1,1\n").subject();
    TableSubject wanted = TableReader.read("# copies: 3\n# processors: 4\n1,1,1,1\n").subject();
    assertEquals(
        List.of(
            "it was measured with 1 copy of each range, not 3",
            "it was measured on a machine with 2 processors, not 4"),
        measured.differencesFrom(wanted));
    assertEquals(List.of(), TableSubject.UNKNOWN.differencesFrom(wanted));
    assertEquals(List.of(), measured.differencesFrom(TableSubject.UNKNOWN));
  }

  /** What is thrown away of a title must not be its unit. */
  @Test
  void aUnitInOtherLettersIsNone() {
    for (String millis :
        List.of(
            "0.02337 (秒)",
            "latency (秒)",
            "response time (с)",
            "latency [µ]",
            "latency ㎲",
            "latency ㎱",
            "latency （ｕｓ）")) {
      assertTrue(
          problems("clients,servers," + millis + ",MB/s\n1,1,1,1\n")
              .getFirst()
              .startsWith("line 1: there is no column \"" + millis + "\""));
    }
    for (String megabits :
        List.of(
            "Mbps",
            "throughput (Mbps)",
            "throughput (mbps)",
            "Mb/s",
            "throughput, Mb/sec",
            "throughput ㎅")) {
      assertTrue(
          problems("clients\tservers\tms\t" + megabits + "\n1\t1\t1\t44.4\n")
              .getFirst()
              .startsWith("line 1: there is no column \"" + megabits + "\""));
    }
    assertIsCell("clients,servers,latency\u00a0(ms) –,MB/s\n128,2,20,5\n");
  }

  @Test
  void nothingInATableTalksToATerminal() {
    for (String key : List.of("engine", "class", "workload", "build", "capacity", "price")) {
      for (String hidden : List.of("x\u001b[31m", "x\u202ey", "x\u0007z")) {
        assertProblem(
            "# " + key + ": " + hidden + "\n1,1,1,1\n",
            "line 1: " + key + " has a control character, or one that turns the direction of text");
      }
    }
    assertProblem(
        "1,1,\u001b[31mred,1\n",
        "line 1: ms must be milliseconds above 0, an hour at most, not \"\\u001b[31mred\"");
  }

  @Test
  void classAndCapacityAreSuchAsNodesMayHave() {
    assertProblem(
        "# class: m1 small (EU)\n1,1,1,1\n",
        "line 1: class must be letters, digits, \".\", \"_\" and \"-\", 64 at most, as node.class,"
            + " not \"m1 small (EU)\"");
    for (String wrong : List.of("0", "0.00", "0.001", "10000", "half")) {
      assertProblem(
          "# capacity: " + wrong + "\n1,1,1,1\n",
          "line 1: capacity must be all, or processors from 0.01 on with two decimals at most, as"
              + " 0.3, not \"%s\"".formatted(wrong));
    }
    assertEquals(
        Optional.of("0.3"), TableReader.read("# capacity: 0.30\n1,1,1,1\n").subject().capacity());
  }

  @Test
  void keysOfTheHeadMayHaveCapitalLettersAsTitlesMay() {
    TableSubject subject = TableReader.read("# Engine: redis\n# BUILD: 0.1.0\n1,1,1,1\n").subject();
    assertEquals(Optional.of("redis"), subject.engine());
    assertEquals(Optional.of("0.1.0"), subject.build());
    assertProblem("# engine: je\n# Engine: je\n1,1,1,1\n", "line 2: engine is said twice");
  }
}
