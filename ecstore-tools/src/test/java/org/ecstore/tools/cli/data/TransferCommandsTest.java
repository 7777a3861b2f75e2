package org.ecstore.tools.cli.data;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.ecstore.client.Codec;
import org.ecstore.client.Cursor;
import org.ecstore.client.EcStore;
import org.ecstore.client.Entry;
import org.ecstore.client.ManualSnapshot;
import org.ecstore.client.Table;
import org.ecstore.key.Bytes;
import org.ecstore.key.Tuple;
import org.ecstore.server.ClusterSettings;
import org.ecstore.server.LocalCluster;
import org.ecstore.tools.cli.EcStoreMain;
import org.ecstore.tools.records.RecordExport;
import org.ecstore.tools.records.RecordJson;
import org.ecstore.tools.records.RecordLine;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Files into tables of a cluster of two nodes, and back. */
@Timeout(180)
class TransferCommandsTest {
  @TempDir private static Path directory;
  private static LocalCluster cluster;

  @TempDir private Path files;
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  @BeforeAll
  static void start() throws IOException {
    cluster =
        LocalCluster.start(
            directory,
            ClusterSettings.DEFAULT
                .withNodes(2)
                .withCopies(1)
                .withSplitHints(List.of(Tuple.of("users", 900).encode())));
  }

  @AfterAll
  static void end() throws IOException {
    cluster.close();
  }

  private int run(String command, String... arguments) {
    out.getBuffer().setLength(0);
    err.getBuffer().setLength(0);
    return EcStoreMain.commandLine()
        .setOut(new PrintWriter(out, true))
        .setErr(new PrintWriter(err, true))
        .execute(
            Stream.concat(
                    Stream.of(command, "--connect", cluster.addresses()), Arrays.stream(arguments))
                .toArray(String[]::new));
  }

  private static List<String> users(int count) {
    List<String> lines = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      lines.add(
          "{\"key\":[%d,\"u\"],\"value\":{\"name\":\"user %d\",\"since\":1.50}}".formatted(i, i));
    }
    Collections.shuffle(lines, new Random(count));
    return lines;
  }

  private static void assertSameLines(List<String> expected, Path file) throws IOException {
    assertEquals(
        expected.stream().sorted().toList(), Files.readAllLines(file).stream().sorted().toList());
  }

  @Test
  void whatIsImportedIsExported() throws IOException {
    List<String> lines = users(2_345);
    Path in = Files.write(files.resolve("users.jsonl"), lines);
    assertEquals(0, run("import", "--table", "users", "--file", in.toString()), err::toString);
    assertTrue(
        out.toString().startsWith("imported 2,345 records into table users in "), out::toString);
    Path back = files.resolve("back.jsonl");
    assertEquals(
        0, run("export", "--table", "users", "--file", back.toString(), "--json"), err::toString);
    assertTrue(out.toString().startsWith("{\"table\":\"users\",\"records\":2345,"), out::toString);
    assertSameLines(lines, back);
    List<Long> keys =
        Files.readAllLines(back).stream()
            .map(line -> Long.valueOf(line.substring(8, line.indexOf(','))))
            .toList();
    assertEquals(keys.stream().sorted().toList(), keys, "in the order of keys");
    assertFalse(Files.exists(files.resolve("back.jsonl.part")));
    assertEquals(2, run("export", "--table", "usres", "--file", back.toString(), "--overwrite"));
    assertTrue(err.toString().contains("table usres has no record"), err::toString);
    assertSameLines(lines, back);
    assertEquals(2, run("export", "--table", "users", "--file", files.toString(), "--overwrite"));
    assertTrue(err.toString().contains("is no file of its own"), err::toString);
    assertEquals(2, run("export", "--table", "users", "--file", back.toString()));
    assertTrue(
        err.toString().contains("is there: name another, or give --overwrite"), err::toString);

    Path csv = files.resolve("users.csv");
    String[] asCsv = {"--file", csv.toString(), "--format", "csv"};
    assertEquals(0, run("export", with(asCsv, "--table", "users")), err::toString);
    assertEquals(0, run("import", with(asCsv, "--table", "of csv")), err::toString);
    assertEquals(
        0,
        run("export", "--table", "of csv", "--file", back.toString(), "--overwrite"),
        err::toString);
    assertSameLines(lines, back);
  }

  private static String[] with(String[] arguments, String... more) {
    return Stream.concat(Arrays.stream(arguments), Arrays.stream(more)).toArray(String[]::new);
  }

  private static long count(String table) throws IOException {
    try (EcStore store = EcStore.connect(cluster.addresses())) {
      return store.<Long, RuntimeException>read(
          snapshot -> snapshot.count(Table.of(table, Codec.bytes())));
    }
  }

  @Test
  void anImportGoesOnWhereItStopped() throws IOException {
    List<String> lines = new ArrayList<>(users(3_000));
    lines.set(1_999, "{\"key\":[1,\"u\"],\"valeu\":1}");
    lines.add(0, "");
    Path in = Files.write(files.resolve("users.jsonl"), lines);
    assertEquals(2, run("import", "--table", "again", "--file", in.toString()));
    assertTrue(
        err.toString().contains(in + ", line 2001: a record has no \"valeu\", but \"key\""),
        err::toString);
    assertTrue(
        err.toString()
            .contains("; what stands before record 2000 is imported, and --resume goes on there"),
        err::toString);
    assertEquals(1_999, count("again"));
    assertEquals(2, run("import", "--table", "other", "--file", in.toString(), "--resume"));
    assertTrue(err.toString().contains("no import of " + in + " into table other"), err::toString);

    // The line is mended, and more are added; what is imported is another by its value only.
    lines.set(2_000, "{\"key\":[1,\"v\"],\"value\":{\"longer\":true}}");
    lines.add("{\"key\":[\"one more\"],\"value\":1}");
    String first = lines.set(1, "{\"key\":[1,\"w\"],\"value\":1}");
    Files.write(in, lines);
    assertEquals(2, run("import", "--table", "again", "--file", in.toString(), "--resume"));
    assertTrue(
        err.toString().contains("has other records now among the 1999 that are imported"),
        err::toString);
    lines.set(1, first);
    Files.write(in, lines);
    assertEquals(
        0, run("import", "--table", "again", "--file", in.toString(), "--resume"), err::toString);
    assertTrue(out.toString().startsWith("imported 1,002 records into"), out::toString);
    assertEquals(3_001, count("again"));
    assertEquals(2, run("import", "--table", "again", "--file", in.toString(), "--resume"));
    assertTrue(err.toString().contains("no import of"), err::toString);
    try (Stream<Path> left = Files.list(files)) {
      assertEquals(List.of(in), left.toList(), "nothing is left beside it");
    }
  }

  /** By the header alone nothing tells that the keys are others. */
  @Test
  void anImportDoesNotGoOnWithOtherKeys() throws IOException {
    StringBuilder text = new StringBuilder("id,name\n");
    for (int i = 0; i < 600; i++) {
      text.append(i).append(",x\n");
    }
    Path in = Files.writeString(files.resolve("a.csv"), text + "1\n");
    String[] csv = {"--table", "csv", "--file", in.toString(), "--format", "csv"};
    assertEquals(2, run("import", with(csv, "--key", "id")));
    assertEquals(2, run("import", with(csv, "--key", "id:long", "--resume")));
    assertTrue(err.toString().contains("has other records now"), err::toString);
    assertEquals(2, run("import", with(csv, "--key", "id", "--resume")));
    assertTrue(err.toString().contains("line 602: the line has 1 columns"), err::toString);
  }

  @Test
  void ofAKeyThatComesTwiceTheLastRecordCounts() throws IOException {
    List<String> lines = new ArrayList<>();
    for (int i = 0; i < 5_000; i++) {
      lines.add("{\"key\":[%d],\"value\":%d}".formatted(i % 700, i));
    }
    Path in = Files.write(files.resolve("twice.jsonl"), lines);
    assertEquals(0, run("import", "--table", "twice", "--file", in.toString()), err::toString);
    try (EcStore store = EcStore.connect(cluster.addresses())) {
      Table<String> twice = Table.of("twice", Codec.utf8());
      for (int key = 0; key < 700; key++) {
        int last = key + 700 * ((4_999 - key) / 700);
        Tuple at = Tuple.of(key);
        assertEquals(
            String.valueOf(last),
            store.<String, RuntimeException>read(s -> s.get(twice, at).orElseThrow()));
      }
    }
  }

  @Test
  void whatIsNoJsonIsExportedAsTextOrBytes() throws IOException {
    try (EcStore store = EcStore.connect(cluster.addresses())) {
      Table<Bytes> table = Table.of("mixed", Codec.bytes());
      store.execute(
          tx -> {
            tx.put(table, Tuple.of(1), Bytes.utf8("two words"));
            tx.put(table, Tuple.of(2), Bytes.of(0xff));
          });
    }
    Path file = files.resolve("mixed.jsonl");
    assertEquals(0, run("export", "--table", "mixed", "--file", file.toString()), err::toString);
    assertEquals(
        List.of("{\"key\":[1],\"text\":\"two words\"}", "{\"key\":[2],\"base64\":\"/w==\"}"),
        Files.readAllLines(file));
  }

  @Test
  void columnsOfAValueHaveTypes() throws IOException {
    Path in =
        Files.writeString(
            files.resolve("sales.csv"),
            "id,amount,count,paid,day,note\n1,1.50,7,true,2026-01-31,x\n2,,,,,\n");
    String[] csv = {
      "--table", "sales", "--file", in.toString(), "--format", "csv", "--key", "id:long"
    };
    String[] types = {"--types", "amount:decimal,count:long,paid:boolean,day:date"};
    assertEquals(0, run("import", with(csv, types)), err::toString);
    Path back = files.resolve("sales.jsonl");
    assertEquals(0, run("export", "--table", "sales", "--file", back.toString()), err::toString);
    assertEquals(
        List.of(
            "{\"key\":[1],\"value\":{\"amount\":1.50,\"count\":7,\"paid\":true,"
                + "\"day\":\"2026-01-31\",\"note\":\"x\"}}",
            "{\"key\":[2],\"value\":{\"amount\":null,\"count\":null,\"paid\":null,"
                + "\"day\":null,\"note\":\"\"}}"),
        Files.readAllLines(back));
    Files.writeString(in, "id,amount\n3,much\n");
    assertEquals(2, run("import", with(csv, "--types", "amount:decimal")));
    assertTrue(err.toString().contains("column \"amount\" is no decimal: \"much\""), err::toString);
  }

  @Test
  void aNewTableOfJsonIsKnownAsSuchAndOneOfRecordsTakesNone() throws IOException {
    Path in = Files.writeString(files.resolve("a.jsonl"), "{\"key\":[1],\"value\":{\"a\":1}}\n");
    assertEquals(0, run("import", "--table", "entered", "--file", in.toString()), err::toString);
    try (EcStore store = EcStore.connect(cluster.addresses())) {
      assertEquals(List.of("JSON"), store.catalog().schema("entered").orElseThrow().formats());
      Table<Long> numbers = Table.of("numbers", Codec.longs());
      store.catalog().open(numbers);
      store.execute(tx -> tx.put(numbers, Tuple.of(7), 0x3132333435363738L));
    }
    assertEquals(2, run("import", "--table", "numbers", "--file", in.toString()));
    assertTrue(
        err.toString().contains("line 1: the value is JSON, and those of table numbers are stored"),
        err::toString);
    Path back = files.resolve("numbers.jsonl");
    assertEquals(0, run("export", "--table", "numbers", "--file", back.toString()), err::toString);
    assertEquals(List.of("{\"key\":[7],\"base64\":\"MTIzNDU2Nzg=\"}"), Files.readAllLines(back));
    assertEquals(0, run("import", "--table", "numbers", "--file", back.toString()), err::toString);
    assertEquals(1, count("numbers"));
  }

  /** What is behind the mark is cut off; what was changed since does not show. */
  @Test
  void anExportGoesOnWhereItStopped() throws IOException {
    List<String> lines = users(1_000);
    Path in = Files.write(files.resolve("u.jsonl"), lines);
    assertEquals(0, run("import", "--table", "stops", "--file", in.toString()), err::toString);
    Path file = files.resolve("out.jsonl");
    String[] export = {"--table", "stops", "--file", file.toString(), "--resume"};
    assertEquals(2, run("export", export));
    assertTrue(err.toString().contains("no export of table stops"), err::toString);
    ExportMark mark = new ExportMark(files, "out.jsonl.part.at", Tuple.of("stops", "JSONL"));
    try (EcStore store = EcStore.connect(cluster.addresses());
        ManualSnapshot snapshot = store.snapshot()) {
      Table<Bytes> table = Table.of("stops", Codec.bytes());
      Cursor<Bytes> cursor = snapshot.scan(table).cursor();
      StringBuilder part = new StringBuilder();
      for (int i = 0; i < 300; i++) {
        Entry<Bytes> entry = cursor.next();
        part.append(
            new String(
                new RecordJson("stops").bytes(new RecordLine(entry.key(), entry.value())),
                StandardCharsets.UTF_8));
      }
      Files.writeString(files.resolve("out.jsonl.part"), part + "{\"key\":[3");
      mark.write(part.length(), new RecordExport.From(300, cursor.continuation().orElseThrow()));
      store.execute(tx -> tx.delete(table, Tuple.of(900, "u")));
    }
    assertEquals(0, run("export", export), err::toString);
    assertTrue(out.toString().startsWith("exported 1,000 records of table stops"), out::toString);
    assertSameLines(lines, file);
    try (Stream<Path> left = Files.list(files)) {
      assertEquals(List.of(file, in), left.sorted().toList(), "nothing is left beside them");
    }
    assertEquals(2, run("export", with(export, "--overwrite")));
    assertTrue(err.toString().contains("no export of table stops"), err::toString);
  }

  @Test
  void oneExportAtATimeWritesIntoAFile() throws IOException {
    Path in = Files.write(files.resolve("u.jsonl"), users(10));
    assertEquals(0, run("import", "--table", "at once", "--file", in.toString()), err::toString);
    Path file = files.resolve("out.jsonl");
    Path part = Files.writeString(files.resolve("out.jsonl.part"), "what another has written");
    ExportMark mark = new ExportMark(files, "out.jsonl.part.at", Tuple.of("at once", "JSONL"));
    mark.write(4, new RecordExport.From(1, "token"));
    String[] export = {"--table", "at once", "--file", file.toString()};
    try (FileChannel other = FileChannel.open(part, StandardOpenOption.WRITE);
        FileLock _ = other.lock()) {
      for (String[] each : List.of(export, with(export, "--overwrite"), with(export, "--resume"))) {
        assertEquals(2, run("export", each), err::toString);
        assertTrue(err.toString().contains("is written by another export"), err::toString);
      }
    }
    assertEquals("what another has written", Files.readString(part));
    assertEquals(4, mark.read().orElseThrow().bytes());
    assertFalse(Files.exists(file));
    assertEquals(0, run("export", export), err::toString);
    assertEquals(10, Files.readAllLines(file).size());
    assertFalse(Files.exists(part) || mark.exists());
  }

  @Test
  void aFileThatIsOfNoExportIsNotWrittenOver() throws IOException {
    Path in = Files.write(files.resolve("u.jsonl"), users(10));
    assertEquals(0, run("import", "--table", "kept", "--file", in.toString()), err::toString);
    Path part = Files.writeString(files.resolve("out.jsonl.part"), "of a user");
    String[] export = {"--table", "kept", "--file", files.resolve("out.jsonl").toString()};
    assertEquals(2, run("export", export));
    assertTrue(err.toString().contains("is of no export"), err::toString);
    assertEquals("of a user", Files.readString(part));
    assertEquals(0, run("export", with(export, "--overwrite")), err::toString);
  }

  @Test
  void whatCannotBeIsRefusedBeforeAnythingIsDone() throws IOException {
    Path in = Files.writeString(files.resolve("a.csv"), "id,name\n1,x\n");
    for (String[] each :
        new String[][] {
          {"--file", in + ".no", "no such file"},
          {"--file", files.toString(), "is a directory"},
          {"--file", in.toString(), "--key", "id", "--key is for --format csv"},
          {"--file", in.toString(), "--format", "csv", "has no column \"key\""},
          {"--file", in.toString(), "--format", "csv", "--key", "ID", "has no column \"ID\""},
          {"--file", in.toString(), "--format", "csv", "--key", "id:int", "no type \"int\""},
          {"--file", in.toString(), "--format", "csv", "--key", "id", "--types", "x", "\"x\""},
          {"--file", in.toString(), "--format", "csv", "--types", "name", "--key: all else"},
          {"--file", "-", "--resume", "--resume is for a file"},
          {"--file", in.toString(), "--resume", "no import of"},
        }) {
      String[] arguments = Arrays.copyOf(each, each.length - 1);
      assertEquals(
          2, run("import", with(arguments, "--table", "none")), () -> Arrays.toString(each));
      assertTrue(err.toString().contains(each[each.length - 1]), err::toString);
    }
    assertEquals(2, run("import", "--table", "", "--file", in.toString()));
    assertTrue(err.toString().contains("a table's name is of 1 to 255"), err::toString);
    assertEquals(0, count("none"));
  }
}
