package org.ecstore.bookstore.web;

import java.util.ArrayList;
import java.util.List;
import org.springframework.web.util.HtmlUtils;

/**
 * Title and author on a cover, in lines that fit whatever font a browser takes: the width of a
 * letter is estimated, and a line that may be wider than its room is drawn together.
 */
final class CoverText {
  private static final int[] SIZES = {26, 23, 20, 17, 14};
  private static final int ROOM = 158;
  private static final int TITLE_TOP = 26;
  private static final int TITLE_HEIGHT = 108;
  private static final int AUTHOR_SIZE = 14;
  private static final int AUTHOR_BASE = 279;

  /** How wide letters are in the widest bold serif fonts, in parts of their size. */
  private static final double NARROW_LETTER = 0.38;

  private static final double LETTER = 0.58;
  private static final double LARGE_LETTER = 0.8;
  private static final double WIDE_LETTER = 1.0;

  private static final double LINE = 1.15;
  private static final char CUT = '…';

  private CoverText() {}

  /** Draws a title in the largest size in which it has room, cut if it has none in the least. */
  static void title(StringBuilder svg, String title, int left, String fill) {
    int size = SIZES[SIZES.length - 1];
    for (int each : SIZES) {
      List<String> lines = lines(title, each);
      boolean wide = lines.stream().anyMatch(line -> width(line, each) > ROOM);
      if (!wide && lines.size() <= linesMax(each)) {
        size = each;
        break;
      }
    }
    List<String> lines = lines(title, size);
    int most = linesMax(size);
    for (int i = 0; i < Math.min(lines.size(), most); i++) {
      String line = i == most - 1 && lines.size() > most ? lines.get(i) + CUT : lines.get(i);
      line(svg, line, left, (int) (TITLE_TOP + size * (0.8 + LINE * i)), size, "bold", fill);
    }
  }

  /** Draws an author's names at the foot. */
  static void author(StringBuilder svg, String author, int left, String fill) {
    String name = author.strip();
    if (!name.isEmpty()) {
      line(svg, shortened(name, AUTHOR_SIZE), left, AUTHOR_BASE, AUTHOR_SIZE, "normal", fill);
    }
  }

  private static int linesMax(int size) {
    return (int) (TITLE_HEIGHT / (size * LINE));
  }

  private static double width(String line, int size) {
    return size * line.codePoints().mapToDouble(CoverText::width).sum();
  }

  private static double width(int letter) {
    if (" iljtfr.,:;'!|".indexOf(letter) >= 0) {
      return NARROW_LETTER;
    } else if (letter == 'm'
        || letter == 'w'
        || letter == 'M'
        || letter == 'W'
        || letter > 0x2E7F) {
      return WIDE_LETTER;
    }
    return Character.isUpperCase(letter) ? LARGE_LETTER : LETTER;
  }

  /** Words side by side as long as they have room; a word that has none alone is cut. */
  private static List<String> lines(String text, int size) {
    List<String> lines = new ArrayList<>();
    StringBuilder line = new StringBuilder();
    for (String word : text.strip().split("\\s+", -1)) {
      if (!line.isEmpty() && width(line + " " + word, size) > ROOM) {
        lines.add(line.toString());
        line.setLength(0);
      }
      line.append(line.isEmpty() ? "" : " ").append(shortened(word, size));
    }
    lines.add(line.toString());
    return lines;
  }

  /** Half as wide again as the room at most: it can be drawn together as far as that. */
  private static String shortened(String word, int size) {
    String shown = word;
    while (width(shown, size) > ROOM * 1.5) {
      int letters = shown.codePointCount(0, shown.length());
      shown = shown.substring(0, shown.offsetByCodePoints(0, letters * 3 / 4 - 1)) + CUT;
    }
    return shown;
  }

  private static void line(
      StringBuilder svg, String text, int left, int base, int size, String weight, String fill) {
    svg.append(
        "<text x=\"%d\" y=\"%d\" font-family=\"Georgia, 'Times New Roman', serif\" font-size=\"%d\""
            .formatted(left, base, size));
    svg.append(" font-weight=\"%s\" fill=\"%s\"".formatted(weight, fill));
    if (width(text, size) > ROOM) {
      svg.append(" textLength=\"%d\" lengthAdjust=\"spacingAndGlyphs\"".formatted(ROOM));
    }
    svg.append('>').append(HtmlUtils.htmlEscapeDecimal(drawable(text), "UTF-8")).append("</text>");
  }

  /** Without what no XML may have. */
  private static String drawable(String text) {
    return text.codePoints()
        .filter(letter -> letter >= ' ' && (letter < 0xD800 || letter > 0xDFFF) && letter < 0xFFFE)
        .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
        .toString();
  }
}
