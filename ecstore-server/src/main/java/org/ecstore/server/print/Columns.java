package org.ecstore.server.print;

import java.util.ArrayList;
import java.util.List;

/** Rows of cells as lines of aligned columns. */
public final class Columns {
  private Columns() {}

  /** One line a row, all rows having as many cells. */
  public static List<String> align(List<String[]> rows) {
    int columns = rows.isEmpty() ? 0 : rows.getFirst().length;
    int[] widths = new int[columns];
    for (String[] row : rows) {
      for (int i = 0; i < columns; i++) {
        widths[i] = Math.max(widths[i], row[i].length());
      }
    }
    List<String> lines = new ArrayList<>();
    for (String[] row : rows) {
      StringBuilder line = new StringBuilder();
      for (int i = 0; i < columns; i++) {
        line.append("  ").append(row[i]).repeat(' ', widths[i] - row[i].length());
      }
      lines.add(line.toString().stripTrailing());
    }
    return lines;
  }
}
