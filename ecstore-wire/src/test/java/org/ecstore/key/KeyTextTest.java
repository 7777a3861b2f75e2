package org.ecstore.key;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class KeyTextTest {
  private static String of(@Nullable Object... elements) {
    return KeyText.of(Tuple.of(elements).encode());
  }

  @Test
  void tupleIsShownWithItsTextsInQuotes() {
    assertEquals("(\"users\", 7, x'0aff', null)", of("users", 7L, Bytes.of(0x0a, 0xff), null));
    assertEquals("()", KeyText.of(Bytes.EMPTY));
    assertEquals("(\"\u00e9\ud83d\ude00\")", of("\u00e9\ud83d\ude00"));
  }

  @Test
  void whatWouldMisleadIsEscaped() {
    assertEquals("(\"a\\\"b\\\\c\")", of("a\"b\\c"));
    assertEquals("(\"\\u000a\\u001b[31m\\u202e\\u0000\")", of("\n\u001b[31m\u202e\0"));
  }

  @Test
  void whatIsNoTupleIsShownAsBytes() {
    assertEquals("x'ff30'", KeyText.of(Bytes.of(0xff, 0x30)));
  }

  @Test
  void endsOfIntervalsHaveNames() {
    Bytes m = Tuple.of("m").encode();
    assertEquals("the beginning", KeyText.start(KeyRange.ALL));
    assertEquals("the end", KeyText.end(KeyRange.ALL));
    assertEquals("from (\"m\") to the end", KeyText.brief(KeyRange.from(m)));
    assertEquals("from the beginning to (\"m\")", KeyText.brief(KeyRange.of(Bytes.EMPTY, m)));
  }

  @Test
  void longKeyIsCutWithinASentence() {
    Bytes key = Tuple.of("k".repeat(5_000)).encode();
    assertEquals(5_004, KeyText.of(key).length());
    String brief = KeyText.brief(key);
    assertTrue(brief.length() < 130 && brief.endsWith("...(" + key.length() + " bytes)"), brief);
  }

  @Test
  void intervalsAreSaidByTheTuplesThatTheirBoundsComeOf() {
    Bytes low = Tuple.of("users", "a").encode();
    Bytes high = Tuple.of("users", 7_000).encode();
    assertEquals("(\"users\", \"a\")", KeyText.interval(KeyRange.single(low)));
    assertEquals("all that begin with (\"users\", \"a\")", KeyText.interval(KeyRange.prefix(low)));
    assertEquals(
        "from (\"users\", \"a\") to before (\"users\", 7000)",
        KeyText.interval(KeyRange.of(low, high)));
    assertEquals(
        "from (\"users\", \"a\") to (\"users\", 7000)",
        KeyText.interval(KeyRange.of(low, high.successor())));
    assertEquals(
        "from (\"users\", \"a\") to all that begin with (\"users\")",
        KeyText.interval(
            KeyRange.of(low, KeyRange.prefix(Tuple.of("users").encode()).end().orElseThrow())));
    assertEquals("from the beginning to the end", KeyText.interval(KeyRange.ALL));
    assertEquals(
        "from x'fd' to before x'ff'",
        KeyText.interval(KeyRange.of(Bytes.of(0xfd), Bytes.of(0xff))));
  }
}
