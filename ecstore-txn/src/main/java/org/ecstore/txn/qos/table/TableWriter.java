package org.ecstore.txn.qos.table;

import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;
import org.ecstore.check.Check;

/** Writes performance tables, so that {@link TableReader} reads the same. */
public final class TableWriter {
  private TableWriter() {}

  /** Table I's form: clients, servers, ms, MB/s, a line a cell. */
  public static String plain(PerformanceTable table) {
    StringBuilder text = new StringBuilder();
    text.append("clients,servers,ms,MB/s\n");
    table
        .cells()
        .forEach(
            (point, cell) ->
                text.append(point.clients())
                    .append(',')
                    .append(point.servers())
                    .append(',')
                    .append(cell.millis())
                    .append(',')
                    .append(cell.megabytesPerSecond())
                    .append('\n'));
    return text.toString();
  }

  /** ecStore's own form: with what was measured, spread, percentiles and runs. */
  public static String full(PerformanceTable table) {
    return full(table, List.of());
  }

  /**
   * As above, with lines for people before the cells.
   *
   * @param remarks none of which reads as a line that says what was measured
   */
  public static String full(PerformanceTable table, List<String> remarks) {
    StringBuilder text = new StringBuilder();
    for (String line : TableSubjectText.lines(table.subject())) {
      text.append("# ").append(line).append('\n');
    }
    for (String remark : remarks) {
      Check.that(TableSubjectText.isRemark(remark), "a remark says no more than that");
      text.append("# ").append(remark).append('\n');
    }
    text.append(TableColumn.titles(List.of(TableColumn.values())).replace(", ", ","));
    text.append('\n');
    table.cells().forEach((point, cell) -> text.append(fullLine(point, cell)).append('\n'));
    return text.toString();
  }

  /** The line of one cell in ecStore's own form. */
  private static String fullLine(GridPoint point, PerformanceCell cell) {
    return String.join(
        ",",
        String.valueOf(point.clients()),
        String.valueOf(point.servers()),
        String.valueOf(cell.millis()),
        String.valueOf(cell.megabytesPerSecond()),
        optional(cell.millisSpread()),
        optional(cell.megabytesSpread()),
        optional(cell.p95Millis()),
        optional(cell.p99Millis()),
        String.format(Locale.ROOT, "%d", cell.runs()));
  }

  private static String optional(OptionalDouble value) {
    return value.isPresent() ? String.valueOf(value.getAsDouble()) : "";
  }
}
