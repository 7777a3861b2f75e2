package org.ecstore.cluster.provision;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CommandWordsTest {
  private static List<String> words(String text) {
    return CommandWords.parse(text).words();
  }

  @Test
  void wordsHaveBlanksBetweenUnlessTheyAreQuoted() {
    assertEquals(List.of("/bin/node"), words("/bin/node"));
    assertEquals(List.of("ssh", "-p", "22", "host"), words("  ssh -p\t22   host "));
    assertEquals(List.of("/a b/node", "--dir", "c d"), words("\"/a b/node\" --dir \"c d\""));
    assertEquals(List.of("--dir=c d", "", "e"), words("--dir=\"c d\" \"\" e"));
  }

  @Test
  void noShellLooksAtThem() {
    assertEquals(
        List.of("node", "$HOME", "*", "~", "a\\b", "'c", "d'", ";", "|", "&"),
        words("node $HOME * ~ a\\b 'c d' ; | &"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "  ", "\"\" add", "\"  \"", "node \"a", "\""})
  void whatIsNoCommandIsRefusedWithWhatToDo(String text) {
    IllegalArgumentException refused =
        assertThrows(IllegalArgumentException.class, () -> CommandWords.parse(text));
    assertTrue(String.valueOf(refused.getMessage()).contains(": "), refused::toString);
  }

  @Test
  void wordsAreWrittenAsTheyAreRead() {
    List<String> words = List.of("sh", "/a b/provision.sh", "", "c");
    CommandWords command = CommandWords.of(words);
    assertEquals("sh \"/a b/provision.sh\" \"\" c", command.text());
    assertEquals(words, command.words());
    assertThrows(IllegalArgumentException.class, () -> CommandWords.of(List.of("a\"b")));
  }
}
