package org.ecstore.check;

/**
 * Text that is shown as it is: none of its characters breaks the line, is taken for a command by a
 * terminal, or turns the direction of what follows.
 */
public final class PlainText {
  private static final int ROOM = 16;

  private PlainText() {}

  /** Whether a text is such. */
  public static boolean is(String text) {
    return text.chars().noneMatch(PlainText::isHidden);
  }

  /** The text with all other characters as {@code \n} or {@code \u001b}. */
  public static String escaped(String text) {
    if (is(text)) {
      return text;
    }
    StringBuilder line = new StringBuilder(text.length() + ROOM);
    text.chars().forEach(letter -> append(line, letter));
    return line.toString();
  }

  private static void append(StringBuilder line, int letter) {
    if (letter == '\n') {
      line.append("\\n");
    } else if (isHidden(letter)) {
      line.append(String.format("\\u%04x", letter));
    } else {
      line.append((char) letter);
    }
  }

  private static boolean isHidden(int letter) {
    return Character.isISOControl(letter)
        || (letter >= '\u2028' && letter <= '\u202e')
        || (letter >= '\u2066' && letter <= '\u2069');
  }
}
