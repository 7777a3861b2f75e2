package org.ecstore.bench.qos;

import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashSet;
import java.util.NavigableMap;
import java.util.NavigableSet;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.ecstore.txn.qos.table.GridPoint;

/** The largest part of some cells that is a whole table: each of its rows has each column. */
final class LargestGrid {
  /** Columns that are tried at most; of rows that have the same ones there is one try. */
  private static final int TRIES_MAX = 1_000;

  private final NavigableMap<Integer, NavigableSet<Integer>> columnsOfRow = new TreeMap<>();
  private final Set<Integer> wanted;

  private LargestGrid(Collection<GridPoint> cells, Set<Integer> wanted) {
    for (GridPoint cell : cells) {
      columnsOfRow.computeIfAbsent(cell.clients(), _ -> new TreeSet<>()).add(cell.servers());
    }
    this.wanted = wanted;
  }

  /**
   * Finds it. Of two as large it is the one with more of the rows that are wanted, then the one
   * with more columns.
   *
   * @param cells one at least
   * @param wanted numbers of clients
   */
  static NavigableSet<GridPoint> of(Collection<GridPoint> cells, Set<Integer> wanted) {
    LargestGrid grid = new LargestGrid(cells, wanted);
    return grid.common().stream()
        .map(grid::cells)
        .max(
            Comparator.<NavigableSet<GridPoint>>comparingInt(Set::size)
                .thenComparingLong(grid::wantedRows)
                .thenComparingLong(LargestGrid::columns))
        .orElseThrow();
  }

  /** What rows have in common: all that any rows do, unless these are too many. */
  private Set<NavigableSet<Integer>> common() {
    Set<NavigableSet<Integer>> found = new HashSet<>(columnsOfRow.values());
    Deque<NavigableSet<Integer>> open = new ArrayDeque<>(found);
    while (!open.isEmpty() && found.size() < TRIES_MAX) {
      NavigableSet<Integer> some = open.removeFirst();
      for (NavigableSet<Integer> row : columnsOfRow.values()) {
        NavigableSet<Integer> both = new TreeSet<>(some);
        both.retainAll(row);
        if (!both.isEmpty() && found.add(both)) {
          open.addLast(both);
        }
      }
    }
    return found;
  }

  /** Of all rows that have these columns. */
  private NavigableSet<GridPoint> cells(NavigableSet<Integer> columns) {
    NavigableSet<GridPoint> cells = new TreeSet<>();
    columnsOfRow.forEach(
        (clients, there) -> {
          if (there.containsAll(columns)) {
            columns.forEach(servers -> cells.add(new GridPoint(clients, servers)));
          }
        });
    return cells;
  }

  private long wantedRows(NavigableSet<GridPoint> cells) {
    return cells.stream().map(GridPoint::clients).distinct().filter(wanted::contains).count();
  }

  private static long columns(NavigableSet<GridPoint> cells) {
    return cells.stream().map(GridPoint::servers).distinct().count();
  }
}
