package org.ecstore.verify.history;

import java.io.IOException;
import java.io.Reader;
import org.jspecify.annotations.Nullable;

/** Lines of what may be no text at all, and have no end of a line or of itself. */
public final class BoundedLines {
  private final Reader from;
  private final int lengthMax;

  /**
   * The lines of a text.
   *
   * @param from buffered: it is read letter by letter
   * @param lengthMax of a line, in characters
   */
  public BoundedLines(Reader from, int lengthMax) {
    this.from = from;
    this.lengthMax = lengthMax;
  }

  /**
   * The next line without its end, which is a line feed; null after the last one. One that is too
   * long comes as one character more than there may be, and what is left of it comes next.
   */
  public @Nullable String next() throws IOException {
    int letter = from.read();
    if (letter < 0) {
      return null;
    }
    StringBuilder line = new StringBuilder();
    while (letter >= 0 && letter != '\n') {
      line.append((char) letter);
      if (line.length() > lengthMax) {
        break;
      }
      letter = from.read();
    }
    return line.toString();
  }

  /** Whether a line that was read is longer than it may be. */
  public boolean isTooLong(String line) {
    return line.length() > lengthMax;
  }
}
