package org.ecstore.tools.shell;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Instant;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import org.ecstore.key.Bytes;
import org.ecstore.key.Tuple;
import org.ecstore.tools.shell.Words.Word;
import org.junit.jupiter.api.Test;

class WordsTest {
  private static void assertWrong(String reason, String line) {
    ShellException wrong = assertThrows(ShellException.class, () -> Words.of(line));
    assertTrue(String.valueOf(wrong.getMessage()).contains(reason), wrong::getMessage);
  }

  @Test
  void wordsEndAtBlanksUnlessQuoted() {
    assertEquals(
        List.of(
            new Word.Text("put", true),
            new Word.Text("two words", false),
            new Word.Text("it's", false),
            new Word.Text("", false),
            new Word.Text("42", true),
            new Word.Hex(Bytes.of(0, 255))),
        Words.of("put \"two words\"\t'it\\'s' \"\" 42 x'00ff'"));
  }

  @Test
  void emptyLinesAndRemarksHaveNoWords() {
    assertEquals(List.of(), Words.of("  "));
    assertEquals(List.of(), Words.of(" # put a b c"));
    assertEquals(2, Words.of("get #1").size());
  }

  @Test
  void tuplesHaveTypedElements() {
    UUID id = new UUID(1, 2);
    Instant at = Instant.parse("2026-01-31T10:00:00Z");
    assertEquals(
        List.of(
            new Word.Parenthesized(
                Tuple.of("a b", "42", -7L, null, id, at, Bytes.of(1), "x, y", "nul"))),
        Words.of("(a b, \"42\", -7, null, " + id + ", " + at + ", x'01', 'x, y', nul)"));
    assertEquals(List.of(new Word.Parenthesized(Tuple.EMPTY)), Words.of("( )"));
  }

  @Test
  void whatIsNotClosedOrMalformedIsRefused() {
    assertWrong("quote \" is not closed", "put \"a");
    assertWrong("parenthesis is not closed", "get t (a, b");
    assertWrong("must be commas, not b", "get t (\"a\" b)");
    assertWrong("element of the tuple is empty", "get t (a, )");
    assertWrong("is no bytes", "get t x'0g'");
    assertWrong("too large for a number", "get t (9223372036854775808)");
    assertWrong("is no instant", "get t (2026-13-31T10:00:00Z)");
  }

  /** What the shell prints for a key it reads as that key. */
  @Test
  void shownKeysAreReadAgain() {
    Random random = new Random(11);
    String letters = "ab #(),'\"\\x7u00e9\u00e9 \n\u202e-12";
    for (int round = 0; round < 2_000; round++) {
      Object[] elements = new Object[1 + random.nextInt(3)];
      for (int i = 0; i < elements.length; i++) {
        StringBuilder text = new StringBuilder();
        random
            .ints(random.nextInt(5), 0, letters.length())
            .forEach(c -> text.append(letters.charAt(c)));
        elements[i] =
            switch (random.nextInt(4)) {
              case 0 -> random.nextLong();
              case 1 -> Bytes.utf8(text.toString());
              default -> text.toString();
            };
      }
      Tuple key = Tuple.of(elements);
      String shown = Shown.key(key);
      Tuple read = Words.key(Words.of("get " + shown).get(1));
      assertEquals(key, read, shown);
    }
  }

  /** As {@code Tuple.of} in a program. */
  @Test
  void keyOfOneElementIsThatElement() {
    UUID id = new UUID(1, 2);
    for (String both : List.of("42", "-7", "alice", "null", id.toString())) {
      assertEquals(
          Words.key(Words.of("(" + both + ")").getFirst()),
          Words.key(Words.of(both).getFirst()),
          both);
    }
    assertEquals(Tuple.of(42), Words.key(Words.of("42").getFirst()));
    assertEquals(Tuple.of("42"), Words.key(Words.of("\"42\"").getFirst()));
    assertEquals("42", Shown.key(Tuple.of(42)));
    assertEquals("\"42\"", Shown.key(Tuple.of("42")));
    assertEquals("alice", Shown.key(Tuple.of("alice")));
  }

  @Test
  void valuesAreShownAsTextAsTupleOrAsBytes() {
    assertEquals("zwei  und", Shown.value(Bytes.utf8("zwei  und")));
    assertEquals("(\"a\", 7)", Shown.value(Tuple.of("a", 7L).encode()));
    assertEquals("x'fffe'", Shown.value(Bytes.of(0xff, 0xfe)));
  }
}
