package org.ecstore.server.print;

import org.ecstore.check.PlainText;

/**
 * Text for one line of a log. Names, addresses and reasons come from clients and other nodes too: a
 * line break in one would let its sender write lines of its own, and an escape sequence would let
 * it talk to the operator's terminal.
 */
public final class LogText {
  private static final int LENGTH_MAX = 2_000;

  private LogText() {}

  /** The text with control characters as {@code \n} or {@code \u001b}, and not endless. */
  public static String of(Object value) {
    String text = String.valueOf(value);
    return text.length() <= LENGTH_MAX
        ? PlainText.escaped(text)
        : "%s... (%d characters)"
            .formatted(PlainText.escaped(text.substring(0, LENGTH_MAX)), text.length());
  }
}
