package org.ecstore.check;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;

class PlainTextTest {
  @Test
  void whatATerminalTakesForMoreIsSeen() {
    for (String hidden : List.of("\n", "\t", "\u001b[31m", "\u007f", "\u0085", "\u2028")) {
      assertFalse(PlainText.is("a" + hidden), hidden);
    }
    for (String turned : List.of("\u202a", "\u202e", "\u2066", "\u2069")) {
      assertFalse(PlainText.is("a" + turned + "b"), turned);
    }
    for (String plain : List.of("", "m1.small", "J\u00fcrgen \ud83d\ude00", "\u0634\u0631")) {
      assertTrue(PlainText.is(plain), plain);
    }
  }

  @Test
  void whatIsEscapedIsPlainAndStaysSo() {
    String escaped = PlainText.escaped("a\n\u001b[2J\u202eb\ud83d\ude00");
    assertEquals("a\\n\\u001b[2J\\u202eb\ud83d\ude00", escaped);
    assertEquals(escaped, PlainText.escaped(escaped));
  }
}
