package org.ecstore.tools.cli.qos;

import java.util.ArrayList;
import java.util.List;
import org.ecstore.server.print.Columns;
import org.ecstore.tools.plan.Figures;
import org.ecstore.txn.qos.table.GridPoint;
import org.ecstore.txn.qos.table.PerformanceTable;

/**
 * A table for people, in the form of Table I: a row for each number of clients, a column for each
 * number of nodes, in each cell response time in ms and throughput in MB/s.
 */
public final class TableText {
  private TableText() {}

  /** Its lines, what was measured first if that is known. */
  public static List<String> lines(PerformanceTable table) {
    List<String> lines = new ArrayList<>();
    if (!table.subject().words().isEmpty()) {
      lines.add(table.subject().words());
    }
    lines.addAll(Columns.align(cells(table)));
    return lines;
  }

  private static List<String[]> cells(PerformanceTable table) {
    List<String[]> rows = new ArrayList<>();
    List<String> head = new ArrayList<>(List.of("clients"));
    table.servers().forEach(servers -> head.add(servers + (servers == 1 ? " node" : " nodes")));
    rows.add(head.toArray(String[]::new));
    for (int clients : table.clients()) {
      List<String> row = new ArrayList<>(List.of(String.valueOf(clients)));
      for (int servers : table.servers()) {
        row.add(
            table
                .cell(new GridPoint(clients, servers))
                .map(
                    cell ->
                        "%s, %s"
                            .formatted(
                                Figures.rounded(cell.millis()).toPlainString(),
                                Figures.rounded(cell.megabytesPerSecond()).toPlainString()))
                .orElse("-"));
      }
      rows.add(row.toArray(String[]::new));
    }
    return rows;
  }
}
