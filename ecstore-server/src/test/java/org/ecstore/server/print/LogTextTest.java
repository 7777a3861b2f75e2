package org.ecstore.server.print;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class LogTextTest {
  @Test
  void aNameWithLineBreaksStaysInItsLine() {
    assertEquals("a\\nb\\u000dc\\u2028d\\u0085", LogText.of("a\nb\rc\u2028d\u0085"));
  }

  @Test
  void aNameDoesNotTalkToTheTerminal() {
    assertEquals("\\u001b[2J\\u202e", LogText.of("\u001b[2J\u202e"));
    assertEquals("J\u00fcrgen \ud83d\ude00", LogText.of("J\u00fcrgen \ud83d\ude00"));
  }

  @Test
  void aNameIsNotEndless() {
    String line = LogText.of("x".repeat(1 << 20));
    assertTrue(line.length() < 2_100);
    assertTrue(line.endsWith("... (1048576 characters)"), line);
  }
}
