package org.ecstore.wire;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HexFormat;
import org.ecstore.key.Bytes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

class PreambleTest {
  @Test
  void bytesOfPreamblesNeverChange() {
    assertEquals("656353740143", HexFormat.of().formatHex(Preamble.CLIENT.array()));
    assertEquals("65635374014e", HexFormat.of().formatHex(Preamble.NODE.array()));
    assertEquals(Preamble.LENGTH, Preamble.CLIENT.length());
    assertEquals(Preamble.LENGTH, Preamble.NODE.length());
  }

  @Test
  void callersAreToldApart() {
    assertEquals(Preamble.Caller.CLIENT, Preamble.read(Preamble.CLIENT));
    assertEquals(Preamble.Caller.NODE, Preamble.read(Preamble.NODE));
    Preamble.expect(Preamble.Caller.CLIENT, Preamble.CLIENT);
    Preamble.expect(Preamble.Caller.NODE, Preamble.NODE);
    assertMessage(
        "for ecStore clients, not for nodes",
        () -> Preamble.expect(Preamble.Caller.CLIENT, Preamble.NODE));
    assertMessage(
        "for ecStore nodes, not for clients",
        () -> Preamble.expect(Preamble.Caller.NODE, Preamble.CLIENT));
  }

  @Test
  void strangersAreNamedAsSuch() {
    assertMessage(
        "not an ecStore client: the connection begins with \"GET / \"",
        () -> Preamble.read(Bytes.utf8("GET / ")));
    assertMessage("not an ecStore client", () -> Preamble.read(Bytes.EMPTY));
    assertMessage("not an ecStore client", () -> Preamble.read(Preamble.CLIENT.slice(0, 5)));
    assertMessage("not an ecStore client", () -> Preamble.read(Preamble.CLIENT.successor()));
    assertMessage("framing version 2", () -> Preamble.read(Bytes.of('e', 'c', 'S', 't', 2, 'C')));
    assertMessage("neither", () -> Preamble.read(Bytes.of('e', 'c', 'S', 't', 1, 'X')));
  }

  private static void assertMessage(String part, Executable call) {
    String message =
        String.valueOf(assertThrows(MalformedMessageException.class, call).getMessage());
    assertTrue(message.contains(part), () -> message);
  }
}
