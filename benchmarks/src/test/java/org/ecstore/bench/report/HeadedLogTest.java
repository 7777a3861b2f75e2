package org.ecstore.bench.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.ecstore.tools.terminal.BadInputException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HeadedLogTest {
  private static final ObjectNode HEAD = JsonNodeFactory.instance.objectNode().put("seed", 1);

  @TempDir private Path temp;
  private Path file = Path.of("");

  @BeforeEach
  void begin() {
    file = temp.resolve("runs.jsonl");
  }

  private List<JsonNode> there() throws IOException {
    return HeadedLog.there(file, HEAD, Optional::of);
  }

  private String refusal() {
    String message =
        String.valueOf(assertThrows(BadInputException.class, this::there).getMessage());
    assertTrue(message.startsWith(file.toString()), message);
    return message;
  }

  @Test
  void whatIsNoTextOrNoJsonIsTheUsersWithItsName() throws IOException {
    Files.write(file, "{\"seed\":\"Grün\"}\n".getBytes(StandardCharsets.ISO_8859_1));
    assertTrue(refusal().endsWith(": is no text in UTF-8"));
    Files.write(file, "{\"seed\":1}\n".getBytes(StandardCharsets.UTF_16));
    assertTrue(refusal().endsWith(": is no text in UTF-8"));
    Files.writeString(file, "junk\n");
    assertTrue(refusal().endsWith(", line 1: is no JSON"));
  }

  /** It is begun anew then, and another's file would be gone. */
  @Test
  void aTornLineIsCutOnlyWhereItIsTheHeads() throws IOException {
    Files.writeString(file, "{\"see");
    assertEquals(List.of(), there());
    HeadedLog.open(file, HEAD);
    assertEquals(Optional.of(HEAD), HeadedLog.head(file));
    Files.writeString(file, "my thesis, in one line");
    assertTrue(refusal().contains("has no whole line"));
    assertEquals("my thesis, in one line", Files.readString(file));
  }

  /** A letter that is two bytes may be torn too. */
  @Test
  void whatIsTornBehindWholeLinesNeedNotBeText() throws IOException {
    byte[] line = "{\"what\":\"Grün".getBytes(StandardCharsets.UTF_8);
    byte[] head = (HEAD + "\n").getBytes(StandardCharsets.UTF_8);
    byte[] all = new byte[head.length + line.length - 2];
    System.arraycopy(head, 0, all, 0, head.length);
    System.arraycopy(line, 0, all, head.length, line.length - 2);
    Files.write(file, all);
    assertEquals(List.of(), there());
  }
}
