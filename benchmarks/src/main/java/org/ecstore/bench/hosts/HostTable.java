package org.ecstore.bench.hosts;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.ToDoubleFunction;
import org.ecstore.bench.figure.Repeated;

/**
 * The table of the paper: a row for each number of hosts, reads and inserts of each session. A cell
 * of several rounds has their medians.
 */
public final class HostTable {
  private static final int KILO = 1000;

  /**
   * What came of a session.
   *
   * @param latencySeconds on average
   * @param elapsedSeconds in all
   */
  public record Cell(double latencySeconds, double elapsedSeconds) {
    @Override
    public String toString() {
      return String.format(
          Locale.ROOT,
          elapsedSeconds < 10 ? "%.4f,%.1f" : "%.4f,%.0f",
          latencySeconds,
          elapsedSeconds);
    }
  }

  private final List<Long> records;
  private final TreeMap<Integer, Map<Long, Map<SessionLoad.Kind, List<Cell>>>> rows =
      new TreeMap<>();

  /** A table for sessions of so many records each. */
  public HostTable(List<Long> records) {
    this.records = List.copyOf(records);
  }

  /** Numbers of records, the least first. */
  public List<Long> records() {
    return records;
  }

  /** Numbers of hosts, the least first. */
  public List<Integer> hosts() {
    return List.copyOf(rows.keySet());
  }

  /**
   * Something of each round of a session.
   *
   * @throws IllegalArgumentException if there was none
   */
  public Repeated repeated(
      int hosts, long session, SessionLoad.Kind kind, ToDoubleFunction<Cell> what) {
    return new Repeated(cells(hosts, session, kind).stream().mapToDouble(what).boxed().toList());
  }

  /** What came of each round of a session. */
  public List<Cell> cells(int hosts, long session, SessionLoad.Kind kind) {
    return rows.getOrDefault(hosts, Map.of())
        .getOrDefault(session, Map.of())
        .getOrDefault(kind, List.of());
  }

  private String text(int hosts, long session, SessionLoad.Kind kind) {
    return cells(hosts, session, kind).isEmpty()
        ? "-"
        : new Cell(
                repeated(hosts, session, kind, Cell::latencySeconds).median(),
                repeated(hosts, session, kind, Cell::elapsedSeconds).median())
            .toString();
  }

  /** Adds what came of a session. */
  public void add(int hosts, long session, SessionLoad.Kind kind, Cell cell) {
    rows.computeIfAbsent(hosts, absent -> new TreeMap<>())
        .computeIfAbsent(session, absent -> new EnumMap<>(SessionLoad.Kind.class))
        .computeIfAbsent(kind, absent -> new ArrayList<>())
        .add(cell);
  }

  /** Its lines, columns of one width. */
  public List<String> lines() {
    List<List<String>> all = new ArrayList<>();
    List<String> sessions = new ArrayList<>(List.of("# of Hosts"));
    List<String> kinds = new ArrayList<>(List.of(""));
    for (long session : records) {
      for (SessionLoad.Kind kind : SessionLoad.Kind.values()) {
        sessions.add(kind == SessionLoad.Kind.READ ? title(session) : "");
        kinds.add(kind.name());
      }
    }
    all.add(sessions);
    all.add(kinds);
    for (int hosts : rows.keySet()) {
      List<String> cells =
          new ArrayList<>(List.of(hosts == 1 ? "(1 host)" : "(" + hosts + " hosts)"));
      for (long session : records) {
        for (SessionLoad.Kind kind : SessionLoad.Kind.values()) {
          cells.add(text(hosts, session, kind));
        }
      }
      all.add(cells);
    }
    return aligned(all);
  }

  private static String title(long session) {
    return session % KILO == 0 ? session / KILO + "K records" : session + " records";
  }

  private static List<String> aligned(List<List<String>> all) {
    List<String> lines = new ArrayList<>();
    for (List<String> line : all) {
      StringBuilder text = new StringBuilder();
      for (int i = 0; i < line.size(); i++) {
        int column = i;
        int width = all.stream().mapToInt(each -> each.get(column).length()).max().orElse(0);
        text.append(line.get(i)).repeat(' ', width - line.get(i).length() + 2);
      }
      lines.add(text.toString().stripTrailing());
    }
    return lines;
  }
}
