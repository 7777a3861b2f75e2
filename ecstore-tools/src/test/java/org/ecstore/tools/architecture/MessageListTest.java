package org.ecstore.tools.architecture;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** The list of messages says what the tables say. */
class MessageListTest {
  private static final String WRITE = "ecstore.messages.write";
  private static final Path LIST =
      Path.of("..").toAbsolutePath().normalize().resolve("docs/protocol-messages.md");

  @Test
  void theListSaysWhatTheTablesSay() throws IOException {
    String right = MessageList.text();
    if (Boolean.getBoolean(WRITE)) {
      Files.writeString(LIST, right);
    }
    assertEquals(
        right,
        Files.readString(LIST),
        "the list is stale: mvn -pl ecstore-tools -am test -Dtest=MessageListTest"
            + " -Dsurefire.failIfNoSpecifiedTests=false -D"
            + WRITE
            + "=true writes it");
  }

  @Test
  void theFirstSentenceOfARecordsJavadocIsItsMeaning() {
    String source =
        """
          /** Not this. */
          record Other(int a) {}

          /**
           * To {@link A.B#c} and {@code d},
           * about {@link E this}: more; and more.
           *
           * @param a none
           */
          record One(int a) {}

          record Bare() {}
        """;
    assertEquals("To c and `d`, about this: more.", MessageList.meaning(source, "One"));
    assertEquals("Not this.", MessageList.meaning(source, "Other"));
    assertThrows(AssertionError.class, () -> MessageList.meaning(source, "Bare"));
  }
}
