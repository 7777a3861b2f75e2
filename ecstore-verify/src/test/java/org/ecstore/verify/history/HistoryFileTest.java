package org.ecstore.verify.history;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.ecstore.model.ReadLevel;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The file of a history, and what is refused. */
class HistoryFileTest {
  @TempDir Path directory;

  private static Line line(long index, Line.Type type, MicroOp... value) {
    boolean done = type == Line.Type.OK;
    return new Line(
        index,
        index * 10,
        3,
        type,
        List.of(value),
        done ? OptionalLong.of(40) : OptionalLong.empty(),
        done ? OptionalLong.of(42) : OptionalLong.empty(),
        type == Line.Type.FAIL ? Optional.of("CONFLICT") : Optional.empty(),
        Optional.empty());
  }

  private static Line begun(ReadLevel level) {
    return new Line(
        9,
        90,
        3,
        Line.Type.INVOKE,
        List.of(new MicroOp.ReadValue(7, null)),
        OptionalLong.empty(),
        OptionalLong.empty(),
        Optional.empty(),
        Optional.of(level));
  }

  @Test
  void fileWithoutAnEndIsReadAsFarAsALineGoes() {
    assertEquals(
        "line 1: no line has more than 16777216 characters",
        assertThrows(MalformedHistoryException.class, () -> History.read(Path.of("/dev/zero")))
            .getMessage());
  }

  @Test
  void fileThatIsNoTextInUtf8IsMalformed() throws IOException {
    Path file = directory.resolve("latin.jsonl");
    Files.write(file, "{\"index\":0,\"f\":\"\u00e9\"}\n".getBytes(StandardCharsets.ISO_8859_1));
    assertEquals(
        "it is no text in UTF-8",
        assertThrows(MalformedHistoryException.class, () -> History.read(file)).getMessage());
  }

  /** Two runs of one file would each write at their own place in it. */
  @Test
  void fileThatIsThereIsNotWrittenOver() throws IOException {
    Path file = directory.resolve("history.jsonl");
    List<MicroOp> asked = List.of(new MicroOp.Append(1, 2));
    try (Recorder recorder = new Recorder(file)) {
      assertThrows(FileAlreadyExistsException.class, () -> new Recorder(file).close());
      recorder.invoke(0, asked, ReadLevel.STRONG);
    }
    assertThrows(FileAlreadyExistsException.class, () -> new Recorder(file).close());
    assertEquals(1, Files.readAllLines(file).size());
  }

  @Test
  void linesHaveTheAgreedForm() {
    assertEquals(
        "{\"index\":4,\"time\":40,\"process\":3,\"type\":\"invoke\",\"f\":\"txn\","
            + "\"value\":[[\"append\",7,17],[\"r\",7,null]]}",
        LineJson.write(
            line(4, Line.Type.INVOKE, new MicroOp.Append(7, 17), new MicroOp.ReadList(7, null))));
    assertEquals(
        "{\"index\":5,\"time\":50,\"process\":3,\"type\":\"ok\",\"f\":\"txn\","
            + "\"value\":[[\"append\",7,17],[\"r\",7,[9,17]],[\"r\",8,[]]],\"sts\":40,\"cts\":42}",
        LineJson.write(
            line(
                5,
                Line.Type.OK,
                new MicroOp.Append(7, 17),
                new MicroOp.ReadList(7, Elements.of(9, 17)),
                new MicroOp.ReadList(8, Elements.NONE))));
    assertEquals(
        "{\"index\":6,\"time\":60,\"process\":3,\"type\":\"info\",\"f\":\"txn\","
            + "\"value\":[[\"w\",7,17],[\"r\",7,null]]}",
        LineJson.write(
            line(6, Line.Type.INFO, new MicroOp.Write(7, 17), new MicroOp.ReadValue(7, null))));
    assertEquals(
        "{\"index\":7,\"time\":70,\"process\":3,\"type\":\"fail\",\"f\":\"transfer\","
            + "\"value\":{\"from\":1,\"to\":2,\"amount\":3},\"error\":\"CONFLICT\"}",
        LineJson.write(line(7, Line.Type.FAIL, new MicroOp.Transfer(1, 2, 3))));
    assertEquals(
        "{\"index\":8,\"time\":80,\"process\":3,\"type\":\"ok\",\"f\":\"read\","
            + "\"value\":{\"0\":5,\"1\":6},\"sts\":40,\"cts\":42}",
        LineJson.write(line(8, Line.Type.OK, new MicroOp.ReadBalances(Elements.of(5, 6)))));
    assertEquals(
        "{\"index\":9,\"time\":90,\"process\":3,\"type\":\"invoke\",\"f\":\"txn\","
            + "\"value\":[[\"r\",7,null]],\"level\":\"bounded\",\"lagMillis\":300}",
        LineJson.write(begun(ReadLevel.bounded(Duration.ofMillis(300)))));
  }

  @Test
  void whatIsWrittenIsRead() {
    List<Line> lines =
        List.of(
            line(1, Line.Type.OK, new MicroOp.Append(1, 2), new MicroOp.ReadList(1, Elements.NONE)),
            line(2, Line.Type.INFO, new MicroOp.Write(1, 2), new MicroOp.ReadValue(1, null)),
            line(3, Line.Type.OK, new MicroOp.Write(1, 2), new MicroOp.ReadValue(1, 2L)),
            line(4, Line.Type.OK, new MicroOp.Open(Elements.of(1, 2))),
            line(5, Line.Type.FAIL, new MicroOp.Transfer(1, 2, 3)),
            line(6, Line.Type.INVOKE, new MicroOp.ReadBalances(null)),
            line(7, Line.Type.OK, new MicroOp.ReadBalances(Elements.of(5, -6))),
            begun(ReadLevel.LOCAL),
            begun(ReadLevel.SESSION),
            begun(ReadLevel.bounded(Duration.ofMillis(300))),
            begun(ReadLevel.STRONG));
    for (Line line : lines) {
      assertEquals(line, LineJson.read(LineJson.write(line)));
    }
  }

  @Test
  void recorderWritesWhatHistoryReads() throws IOException, MalformedHistoryException {
    Path file = directory.resolve("history.jsonl");
    List<MicroOp> asked = List.of(new MicroOp.Append(1, 2), new MicroOp.ReadList(1, null));
    List<MicroOp> seen = List.of(new MicroOp.Append(1, 2), new MicroOp.ReadList(1, Elements.of(2)));
    try (Recorder recorder = new Recorder(file)) {
      recorder.invoke(0, asked, ReadLevel.SESSION);
      recorder.invoke(1, asked, ReadLevel.LOCAL);
      recorder.complete(
          0, Line.Type.OK, seen, OptionalLong.of(4), OptionalLong.of(6), Optional.empty());
    }
    History history = History.read(file);
    assertEquals(
        List.of(
            new Attempt(
                0,
                2,
                0,
                Line.Type.OK,
                seen,
                OptionalLong.of(4),
                OptionalLong.of(6),
                Optional.of(ReadLevel.SESSION)),
            new Attempt(
                1,
                Long.MAX_VALUE,
                1,
                Line.Type.INFO,
                asked,
                OptionalLong.empty(),
                OptionalLong.empty(),
                Optional.of(ReadLevel.LOCAL))),
        history.attempts());
    assertEquals(History.Kind.APPEND, history.kind());
    assertEquals(
        List.of("0 true", "1 true", "0 false"),
        history.moments().stream().map(one -> one.attempt() + " " + one.begins()).toList());
  }

  private void assertRefused(String message, String... lines) throws IOException {
    Path file = directory.resolve("refused.jsonl");
    Files.writeString(file, String.join("\n", lines) + "\n");
    MalformedHistoryException refused =
        assertThrows(MalformedHistoryException.class, () -> History.read(file));
    assertEquals(message, refused.getMessage());
  }

  private static String text(long index, long process, String type) {
    return "{\"index\":"
        + index
        + ",\"time\":"
        + index
        + ",\"process\":"
        + process
        + ",\"type\":\""
        + type
        + "\",\"f\":\"txn\",\"value\":[[\"append\",1,"
        + process
        + "]]}";
  }

  @Test
  void whatIsNoHistoryIsRefusedWithItsLine() throws IOException {
    assertRefused("line 1: not a JSON object", "[]");
    assertRefused("line 2: no \"index\"", text(0, 1, "invoke"), "{}");
    assertRefused("line 1: unknown type done", text(0, 1, "done"));
    assertRefused("line 2: index 4 comes after 4", text(4, 1, "invoke"), text(4, 2, "invoke"));
    assertRefused(
        "line 2: process 1 begins a second transaction at the same time",
        text(0, 1, "invoke"),
        text(1, 1, "invoke"));
    assertRefused("line 1: process 1 completes what it did not begin", text(0, 1, "ok"));
    assertRefused(
        "line 3: process 1 goes on after an unknown outcome",
        text(0, 1, "invoke"),
        text(1, 1, "info"),
        text(2, 1, "invoke"));
    assertRefused(
        "line 2: completed is [[\"append\",1,2]], invoked was [[\"append\",1,1]]",
        text(0, 1, "invoke"),
        text(1, 1, "ok").replace("[[\"append\",1,1]]", "[[\"append\",1,2]]"));
    assertRefused(
        "it mixes workloads: line with index 1 is of REGISTER, others are of APPEND",
        text(0, 1, "invoke"),
        text(1, 2, "invoke").replace("append", "w"));
  }
}
