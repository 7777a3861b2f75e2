package org.ecstore.server.print;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.ecstore.check.PlainText;

/**
 * Rows of cells as lines of aligned columns. Cells have names that come from others too: what would
 * break the line, or talk to the terminal, is escaped.
 */
public final class Columns {
  /** No column is made narrower. */
  private static final int NARROWEST = 12;

  private static final String GAP = "  ";
  private static final String CLIPPED = "...";

  private Columns() {}

  /** One line a row, all rows having as many cells. */
  public static List<String> align(List<String[]> rows) {
    return align(rows, Integer.MAX_VALUE);
  }

  /**
   * As above, in lines of at most so many characters: what is too long in the widest columns is
   * clipped. They are longer where there are too many columns for that.
   */
  public static List<String> align(List<String[]> rows, int width) {
    return align(rows, width, -1);
  }

  /**
   * As above.
   *
   * @param middle the column whose cells lose their middle, where beginning and end tell them
   *     apart; -1 for none
   */
  public static List<String> align(List<String[]> rows, int width, int middle) {
    return aligned(rows.stream().map(Columns::escaped).toList(), width, middle);
  }

  private static String[] escaped(String[] row) {
    return Arrays.stream(row).map(PlainText::escaped).toArray(String[]::new);
  }

  private static List<String> aligned(List<String[]> rows, int width, int middle) {
    int columns = rows.isEmpty() ? 0 : rows.getFirst().length;
    int[] widths = new int[columns];
    for (String[] row : rows) {
      for (int i = 0; i < columns; i++) {
        widths[i] = Math.max(widths[i], row[i].length());
      }
    }
    narrow(widths, width);
    List<String> lines = new ArrayList<>();
    for (String[] row : rows) {
      StringBuilder line = new StringBuilder();
      for (int i = 0; i < columns; i++) {
        String cell = i == middle ? pinched(row[i], widths[i]) : clipped(row[i], widths[i]);
        line.append(GAP).append(cell).repeat(' ', widths[i] - cell.length());
      }
      lines.add(line.toString().stripTrailing());
    }
    return lines;
  }

  private static void narrow(int[] widths, int width) {
    long tooMany = -(long) width;
    for (int each : widths) {
      tooMany += GAP.length() + each;
    }
    for (; tooMany > 0; tooMany--) {
      int widest = 0;
      for (int i = 1; i < widths.length; i++) {
        widest = widths[i] > widths[widest] ? i : widest;
      }
      if (widths[widest] <= NARROWEST) {
        return;
      }
      widths[widest]--;
    }
  }

  /** Two thirds of what there is room for from the beginning, the rest from the end. */
  private static String pinched(String cell, int width) {
    if (cell.length() <= width) {
      return cell;
    }
    int kept = width - CLIPPED.length();
    int end = kept / 3;
    return cell.substring(0, kept - end) + CLIPPED + cell.substring(cell.length() - end);
  }

  private static String clipped(String cell, int width) {
    return cell.length() <= width ? cell : cell.substring(0, width - CLIPPED.length()) + CLIPPED;
  }
}
