package org.ecstore.server.print;

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
    StringBuilder line = new StringBuilder(Math.min(text.length(), LENGTH_MAX) + 16);
    for (int i = 0; i < text.length(); i++) {
      if (i == LENGTH_MAX) {
        return line.append("... (").append(text.length()).append(" characters)").toString();
      }
      append(line, text.charAt(i));
    }
    return line.toString();
  }

  private static void append(StringBuilder line, char letter) {
    if (letter == '\n') {
      line.append("\\n");
    } else if (Character.isISOControl(letter) || isHidden(letter)) {
      line.append(String.format("\\u%04x", (int) letter));
    } else {
      line.append(letter);
    }
  }

  /** What breaks lines, or turns the direction of the text that follows. */
  private static boolean isHidden(char letter) {
    return (letter >= '\u2028' && letter <= '\u202e') || (letter >= '\u2066' && letter <= '\u2069');
  }
}
