package org.ecstore.bench.hosts;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/** The table of the paper: a row for each number of hosts, reads and inserts of each session. */
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
  private final TreeMap<Integer, Map<Long, Map<SessionLoad.Kind, Cell>>> rows = new TreeMap<>();

  /** A table for sessions of so many records each. */
  public HostTable(List<Long> records) {
    this.records = List.copyOf(records);
  }

  /** Adds what came of a session. */
  public void add(int hosts, long session, SessionLoad.Kind kind, Cell cell) {
    rows.computeIfAbsent(hosts, absent -> new TreeMap<>())
        .computeIfAbsent(session, absent -> new EnumMap<>(SessionLoad.Kind.class))
        .put(kind, cell);
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
    rows.forEach(
        (hosts, row) -> {
          List<String> cells =
              new ArrayList<>(List.of(hosts == 1 ? "(1 host)" : "(" + hosts + " hosts)"));
          for (long session : records) {
            for (SessionLoad.Kind kind : SessionLoad.Kind.values()) {
              Cell cell = row.getOrDefault(session, Map.of()).get(kind);
              cells.add(cell == null ? "-" : cell.toString());
            }
          }
          all.add(cells);
        });
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
