package org.ecstore.txn.qos.table;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.NavigableMap;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import org.ecstore.check.Check;
import org.ecstore.model.objective.Statistic;

/**
 * What clusters of one kind of server were measured to do under one workload: a row for each number
 * of clients, a column for each number of servers, no cell missing. Paper: Cassandra QoS, Table I.
 */
public final class PerformanceTable {
  private final TableSubject subject;
  private final NavigableMap<GridPoint, PerformanceCell> cells;
  private final NavigableSet<Integer> clients = new TreeSet<>();
  private final NavigableSet<Integer> servers = new TreeSet<>();

  /**
   * A table of cells that are all there.
   *
   * @throws Check.Failed if there are none, or gaps between them
   */
  public PerformanceTable(TableSubject subject, NavigableMap<GridPoint, PerformanceCell> cells) {
    this.subject = subject;
    this.cells = Collections.unmodifiableNavigableMap(new TreeMap<>(cells));
    for (GridPoint point : cells.keySet()) {
      clients.add(point.clients());
      servers.add(point.servers());
    }
    Check.that(!cells.isEmpty(), "a table has cells");
    Check.that(gaps(cells.navigableKeySet(), 1).isEmpty(), "a table has no gaps");
  }

  /**
   * Which cells are missing where each row is to have each column.
   *
   * @param most how many to name at most
   */
  public static List<GridPoint> gaps(NavigableSet<GridPoint> points, int most) {
    NavigableSet<Integer> rows = new TreeSet<>();
    NavigableSet<Integer> columns = new TreeSet<>();
    for (GridPoint point : points) {
      rows.add(point.clients());
      columns.add(point.servers());
    }
    List<GridPoint> missing = new ArrayList<>();
    for (int row : rows) {
      for (int column : columns) {
        GridPoint point = new GridPoint(row, column);
        if (missing.size() < most && !points.contains(point)) {
          missing.add(point);
        }
      }
      if (missing.size() >= most) {
        return missing;
      }
    }
    return missing;
  }

  public TableSubject subject() {
    return subject;
  }

  /** The numbers of clients that were measured, ascending. */
  public NavigableSet<Integer> clients() {
    return Collections.unmodifiableNavigableSet(clients);
  }

  /** The numbers of servers that were measured, ascending. */
  public NavigableSet<Integer> servers() {
    return Collections.unmodifiableNavigableSet(servers);
  }

  /** All cells, by clients and then servers. */
  public NavigableMap<GridPoint, PerformanceCell> cells() {
    return cells;
  }

  /** What was measured there; absent if nothing was. */
  public Optional<PerformanceCell> cell(GridPoint point) {
    return Optional.ofNullable(cells.get(point));
  }

  /** Whether each cell has this statistic. */
  public boolean has(Statistic statistic) {
    return cells.values().stream().allMatch(cell -> cell.millis(statistic).isPresent());
  }
}
