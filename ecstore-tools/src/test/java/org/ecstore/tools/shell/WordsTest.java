package org.ecstore.tools.shell;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.math.BigDecimal;
import java.time.Instant;
import java.time.LocalDate;
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
    assertEquals(List.of(new Word.Text("dec'ember", true)), Words.of("dec'ember"));
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
    assertWrong("is no date or instant", "get t (2026-13-31T10:00:00Z)");
    assertWrong("is no date or instant; as text it stands in quotes", "get t (2026-02-30)");
    assertWrong("is no decimal", "get t dec'1,5'");
    assertWrong("one element, not 2", "get t desc(1, 2)");
    assertWrong("parenthesis is not closed", "get t (desc(1)");
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
            switch (random.nextInt(9)) {
              case 0 -> random.nextLong();
              case 1 -> Bytes.utf8(text.toString());
              case 2 -> random.nextBoolean();
              case 3 -> Double.longBitsToDouble(random.nextLong());
              case 4 -> LocalDate.ofEpochDay(random.nextInt());
              case 5 -> BigDecimal.valueOf(random.nextLong(), random.nextInt(-30, 30));
              case 6 -> Tuple.desc(text.toString());
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
    for (String both :
        List.of(
            "42", "-7", "alice", "null", id.toString(), "true", "1.5", "dec'1.5'", "desc(a b)")) {
      assertEquals(
          Words.key(Words.of("(" + both + ")").getFirst()),
          Words.key(Words.of(both).getFirst()),
          both);
    }
    assertEquals(Tuple.of(42), Words.key(Words.of("42").getFirst()));
    assertEquals(Tuple.of("42"), Words.key(Words.of("\"42\"").getFirst()));
    assertEquals("42", Shown.key(Tuple.of(42)));
    assertEquals("\"42\"", Shown.key(Tuple.of("42")));
    assertEquals("\"true\"", Shown.key(Tuple.of("true")));
    assertEquals("\"1.5\"", Shown.key(Tuple.of("1.5")));
    assertEquals("desc(dec'1.5')", Shown.key(Tuple.of(Tuple.desc(new BigDecimal("1.50")))));
    assertEquals("alice", Shown.key(Tuple.of("alice")));
  }

  @Test
  void valuesAreShownAsTextAsTupleOrAsBytes() {
    assertEquals("zwei  und", Shown.value(Bytes.utf8("zwei  und")));
    assertEquals("(\"a\", 7)", Shown.value(Tuple.of("a", 7L).encode()));
    assertEquals("x'fffe'", Shown.value(Bytes.of(0xff, 0xfe)));
  }
}
