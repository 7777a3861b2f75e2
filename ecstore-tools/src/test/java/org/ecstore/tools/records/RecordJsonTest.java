package org.ecstore.tools.records;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.UUID;
import org.ecstore.key.Bytes;
import org.ecstore.key.Tuple;
import org.junit.jupiter.api.Test;

class RecordJsonTest {
  private final RecordJson json = new RecordJson("t");

  private RecordLine read(String line) throws BadRecordException {
    return json.read(line.getBytes(StandardCharsets.UTF_8));
  }

  private String written(RecordLine line) throws IOException {
    return new String(json.bytes(line), StandardCharsets.UTF_8);
  }

  private void assertWrong(String reason, String line) {
    BadRecordException wrong = assertThrows(BadRecordException.class, () -> read(line), line);
    assertTrue(String.valueOf(wrong.getMessage()).contains(reason), wrong::getMessage);
  }

  @Test
  void linesComeBackAsTheyWere() throws Exception {
    for (String line :
        List.of(
            "{\"key\":[\"alice\",7,-1,1.5,true,null],\"value\":{\"b\":1,\"a\":[1.50,1e5,\"\u00e9\"]}}",
            "{\"key\":[],\"value\":null}",
            "{\"key\":[{\"uuid\":\"00112233-4455-6677-8899-aabbccddeeff\"}],\"value\":-0.0}",
            "{\"key\":[{\"instant\":\"2026-01-31T10:00:00Z\"},{\"date\":\"2026-01-31\"}],\"value\":5}",
            "{\"key\":[{\"decimal\":\"1E+1\"},{\"double\":\"NaN\"}],\"value\":\"text\"}",
            "{\"key\":[{\"bytes\":\"AAE=\"},{\"desc\":1}],\"value\":{}}",
            "{\"key\":[1],\"value\":\"\ud83d\ude00\"}",
            "{\"key\":[1],\"text\":\"two words\"}",
            "{\"key\":[1],\"text\":\"\"}",
            "{\"key\":[1],\"base64\":\"/w==\"}")) {
      assertEquals(line + "\n", written(read(line)));
    }
  }

  @Test
  void elementsHaveTheirTypes() throws Exception {
    assertEquals(
        Tuple.of(
            "a",
            1L,
            1.0,
            new UUID(1, 2),
            Instant.EPOCH,
            LocalDate.EPOCH,
            new BigDecimal("1.5"),
            Bytes.of(0),
            Tuple.desc("z")),
        read("{\"text\": \"\", \"key\": [\"a\", 1, 1.0,"
                + " {\"uuid\": \"00000000-0000-0001-0000-000000000002\"},"
                + " {\"instant\": \"1970-01-01T00:00:00Z\"}, {\"date\": \"1970-01-01\"},"
                + " {\"decimal\": \"1.50\"}, {\"bytes\": \"AA==\"}, {\"desc\": \"z\"}]}")
            .key());
    assertEquals(
        Bytes.utf8("{\"a\":[1,2.50]}"),
        read("{\"key\": [1], \"value\": { \"a\" : [1, 2.50] } }").value());
  }

  /** Whether it looks like JSON is left aside. */
  private static RecordLine plain(RecordLine line) {
    return new RecordLine(line.key(), line.value());
  }

  /** Whatever bytes a value has, they are written so that they are read again. */
  @Test
  void anyValueComesBack() throws Exception {
    SplittableRandom random = new SplittableRandom(3);
    String letters = "{}[]\":,1.5e+ antrufls\\\u00e9\n\0";
    for (int round = 0; round < 20_000; round++) {
      StringBuilder text = new StringBuilder();
      random
          .ints(random.nextInt(8), 0, letters.length())
          .forEach(c -> text.append(letters.charAt(c)));
      byte[] bytes = text.toString().getBytes(StandardCharsets.UTF_8);
      if (bytes.length > 0 && random.nextInt(4) == 0) {
        bytes[random.nextInt(bytes.length)] = (byte) random.nextInt(256);
      }
      RecordLine line = new RecordLine(Tuple.of(round), Bytes.wrap(bytes));
      String written = written(line);
      assertEquals(1, written.lines().count(), written);
      assertEquals(line, plain(read(written)), written);
      assertEquals(
          line, plain(csv(new CsvWriter().header(), new CsvWriter().bytes(line))), written);
    }
  }

  /** Of the size and depth that the store takes, in the form that takes most room. */
  @Test
  void theLargestValuesComeBack() throws Exception {
    byte[] zeros = new byte[1 << 20];
    for (byte[] value :
        List.of(
            zeros,
            ("[".repeat(999) + "]".repeat(999)).getBytes(StandardCharsets.UTF_8),
            ("[".repeat(1_000) + "]".repeat(1_000)).getBytes(StandardCharsets.UTF_8),
            ("[".repeat(5_000) + "]".repeat(5_000)).getBytes(StandardCharsets.UTF_8),
            "9".repeat(100_000).getBytes(StandardCharsets.UTF_8))) {
      RecordLine line = new RecordLine(Tuple.of("k"), Bytes.wrap(value));
      byte[] written = json.bytes(line);
      assertEquals(
          line, plain(new JsonLines(new ByteArrayInputStream(written), "t").next().orElseThrow()));
      assertEquals(line, plain(csv(new CsvWriter().header(), new CsvWriter().bytes(line))));
    }
  }

  @Test
  void aFileThatIsNotInUtf8IsRefusedAndOneThatBeginsWithAMarkIsRead() throws Exception {
    List<TypedColumn> id = List.of(TypedColumn.parse("--key", "id"));
    byte[] latin = "id,a\nM\u00fcl,1\n".getBytes(StandardCharsets.ISO_8859_1);
    BadRecordException wrong =
        assertThrows(
            BadRecordException.class,
            () -> new CsvRecords(new ByteArrayInputStream(latin), "t", id, List.of()).next());
    assertEquals("no CSV: it is not in UTF-8", wrong.getMessage());
    byte[] late =
        ("id,a\n" + "x,1\n".repeat(10_000) + "M\u00fcl,1\n").getBytes(StandardCharsets.ISO_8859_1);
    CsvRecords some = new CsvRecords(new ByteArrayInputStream(late), "t", id, List.of());
    wrong =
        assertThrows(
            BadRecordException.class,
            () -> {
              while (some.next().isPresent()) {}
            });
    assertEquals("no CSV: it is not in UTF-8", wrong.getMessage());
    CsvRecords marked =
        new CsvRecords(
            new ByteArrayInputStream("\ufeffid,a\nx,1\n".getBytes(StandardCharsets.UTF_8)),
            "t",
            id,
            List.of());
    assertEquals(Tuple.of("x"), marked.next().orElseThrow().key());
    for (String header : List.of("id,a,a\n", "id,\"a\n")) {
      byte[] bytes = (header + "1,2,3\n").getBytes(StandardCharsets.UTF_8);
      assertThrows(
          BadRecordException.class,
          () -> new CsvRecords(new ByteArrayInputStream(bytes), "t", id, List.of()));
    }
    byte[] more = "key,kind,value,note\n".getBytes(StandardCharsets.UTF_8);
    assertThrows(
        BadRecordException.class,
        () -> new CsvRecords(new ByteArrayInputStream(more), "t", List.of(), List.of()));
  }

  private static RecordLine csv(byte[] header, byte[] row) throws Exception {
    Bytes file = Bytes.wrap(header).concat(Bytes.wrap(row));
    CsvRecords records =
        new CsvRecords(new ByteArrayInputStream(file.array()), "t", List.of(), List.of());
    RecordLine line = records.next().orElseThrow();
    assertEquals(Optional.empty(), records.next());
    return line;
  }

  @Test
  void whatIsNoRecordIsRefused() {
    assertWrong("is an object with", "[]");
    assertWrong("the key is missing", "{}");
    assertWrong("the value is missing", "{\"key\": []}");
    assertWrong("the key is missing", "{\"value\": 1}");
    assertWrong("one value", "{\"key\": [1], \"value\": 1, \"text\": \"\"}");
    assertWrong("no \"vale\"", "{\"key\": [1], \"vale\": 1}");
    assertWrong("Duplicate field", "{\"key\": [1], \"key\": [2], \"value\": 1}");
    assertWrong("something follows", "{\"key\": [1], \"value\": 1} {}");
    assertWrong("no JSON at character", "{\"key\": [1], \"value\": nul}");
    assertWrong("no JSON", "{\"key\": [1], \"value\": 1");
    assertWrong("an array of its elements", "{\"key\": 1, \"value\": 1}");
    assertWrong("no element of a key", "{\"key\": [[1]], \"value\": 1}");
    assertWrong("too large for a number", "{\"key\": [9223372036854775808], \"value\": 1}");
    assertWrong("no type of elements", "{\"key\": [{\"money\": \"1\"}], \"value\": 1}");
    assertWrong("has one member", "{\"key\": [{}], \"value\": 1}");
    assertWrong("no date", "{\"key\": [{\"date\": \"2026-02-30\"}], \"value\": 1}");
    assertWrong("no uuid", "{\"key\": [{\"uuid\": \"1-1-1-1-1\"}], \"value\": 1}");
    assertWrong("descending already", "{\"key\": [{\"desc\": {\"desc\": 1}}], \"value\": 1}");
    assertWrong("half of a pair", "{\"key\": [\"\\ud800\"], \"value\": 1}");
    assertWrong("half of a pair", "{\"key\": [1], \"text\": \"a\\udc00\"}");
    assertWrong("is a string", "{\"key\": [{\"decimal\": 1.5}], \"value\": 1}");
    assertWrong("no double holds", "{\"key\": [1e400], \"value\": 1}");
    assertWrong("no double", "{\"key\": [{\"double\": \"1d\"}], \"value\": 1}");
    assertWrong("no double", "{\"key\": [{\"double\": \"1e999\"}], \"value\": 1}");
    assertWrong("is a string", "{\"key\": [1], \"text\": 1}");
    assertWrong("\"base64\" is none", "{\"key\": [1], \"base64\": \"*\"}");
    assertWrong("the key takes", "{\"key\": [\"" + "k".repeat(5_000) + "\"], \"value\": 1}");
    assertWrong(
        "the value takes", "{\"key\": [1], \"text\": \"" + "v".repeat((1 << 20) + 1) + "\"}");
    assertWrong("no JSON", "{\"key\": [1], \"value\": " + "[".repeat(5_000));
  }

  @Test
  void columnsOfAnothersFileAreKeyAndValue() throws Exception {
    String file =
        "day,shop,amount\r\n2026-01-31,\"a \"\"b\"\"\n c\",7.50\r\n2026-02-30,x,1\r\n1,2\r\n";
    CsvRecords records =
        new CsvRecords(
            new ByteArrayInputStream(file.getBytes(StandardCharsets.UTF_8)),
            "t",
            List.of(TypedColumn.parse("--key", "shop"), TypedColumn.parse("--key", "day:date")),
            List.of());
    RecordLine line = records.next().orElseThrow();
    assertEquals(Tuple.of("a \"b\"\n c", LocalDate.of(2026, 1, 31)), line.key());
    assertEquals(Bytes.utf8("{\"amount\":\"7.50\"}"), line.value());
    BadRecordException wrong = assertThrows(BadRecordException.class, records::next);
    assertEquals("column \"day\" is no date: \"2026-02-30\"", wrong.getMessage());
    assertEquals(4, records.line());
    wrong = assertThrows(BadRecordException.class, records::next);
    assertEquals("the line has 2 columns, and the header 3", wrong.getMessage());
    assertEquals(3, records.number());
  }
}
