package org.ecstore.txn.qos.table;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.OptionalDouble;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.ecstore.check.PlainText;

/**
 * Reads a performance table. A line is a cell: clients, servers, ms, MB/s, with commas, semicolons
 * or tabs between ({@link TableLineText}), which is Table I's form; a first line with titles may
 * name these in another order, and the further columns of ecStore's own form. The order of lines
 * means nothing. Lines that begin with {@code #} say what was measured, as {@code # engine: je}
 * ({@link TableSubjectText}), or are titles where most of what they have are some, or else remarks.
 */
public final class TableReader {
  /** The longest text that is read, in characters. */
  public static final int TEXT_MAX = 1 << 20;

  /** The most clients of a cell. */
  public static final int CLIENTS_MAX = 1_000_000;

  /** The most servers of a cell. */
  public static final int SERVERS_MAX = 10_000;

  private static final int CELLS_MAX = 10_000;
  private static final int PROBLEMS_MAX = 20;
  private static final int GAPS_SHOWN = 5;

  /** As people write it: no hexadecimal, no "NaN", no letter for a type. */
  private static final Pattern NUMBER =
      Pattern.compile("[-+]?([0-9]{1,18}(\\.[0-9]{0,18})?|\\.[0-9]{1,18})([eE][-+]?[0-9]{1,3})?");

  private static final int SHOWN = 40;
  private static final double MILLIS_MAX = 3_600_000;
  private static final double MEGABYTES_MAX = 1_000_000;

  private final List<String> problems = new ArrayList<>();
  private final TableSubjectText subject = new TableSubjectText(this::problem);
  private final NavigableMap<GridPoint, PerformanceCell> cells = new TreeMap<>();
  private final NavigableMap<GridPoint, Integer> lines = new TreeMap<>();
  private List<TableColumn> columns = TableColumn.needed();
  private TableLineText form = TableLineText.COMMAS;
  private boolean begun;
  private boolean readable = true;

  private TableReader() {}

  /**
   * Reads a text.
   *
   * @throws InvalidTableException with all that is wrong, twenty at most
   */
  public static PerformanceTable read(String text) {
    TableReader reader = new TableReader();
    reader.take(text);
    if (!reader.problems.isEmpty()) {
      throw new InvalidTableException(
          reader.problems.subList(0, Math.min(PROBLEMS_MAX, reader.problems.size())));
    }
    return new PerformanceTable(reader.subject.subject(), reader.cells);
  }

  private void take(String text) {
    if (text.length() > TEXT_MAX) {
      problems.add("it is longer than " + TEXT_MAX / 1024 + " KiB: no performance table is");
      return;
    }
    int number = 0;
    for (String line : (Iterable<String>) text.lines()::iterator) {
      number++;
      take(number, line.replace("\uFEFF", ""));
      if (problems.size() >= PROBLEMS_MAX || !readable) {
        return;
      }
    }
    if (cells.isEmpty() && problems.isEmpty()) {
      problems.add(
          "it has no cells: a line is \""
              + TableColumn.titles(TableColumn.needed())
              + "\", as 128,2,23.37,5.55");
    }
    if (problems.isEmpty()) {
      gaps();
    }
  }

  private void gaps() {
    List<GridPoint> missing = PerformanceTable.gaps(cells.navigableKeySet(), GAPS_SHOWN);
    missing.forEach(
        gap ->
            problems.add(
                "there is no cell of %d clients on %d servers: each row has to have each column"
                    .formatted(gap.clients(), gap.servers())));
    long rows = cells.keySet().stream().map(GridPoint::clients).distinct().count();
    long columns = cells.keySet().stream().map(GridPoint::servers).distinct().count();
    long more = rows * columns - cells.size() - missing.size();
    if (more > 0) {
      problems.add(more + " more cells are missing");
    }
  }

  private void problem(int line, String what) {
    problems.add("line " + line + ": " + what);
  }

  /** With the blanks around it: tabs at its end are between fields that are empty. */
  private void take(int number, String line) {
    String text = line.strip();
    if (text.isEmpty()) {
      return;
    }
    if (text.startsWith("#") && (begun || !isMarkedTitle(text))) {
      subject.take(number, text.substring(1).strip());
      return;
    }
    if (!begun) {
      form = TableLineText.of(text);
    }
    List<String> fields = form.fields(form == TableLineText.TABS ? line : text);
    if (!begun && isTitle(withoutEmpty(fields, 1))) {
      titles(number, withoutEmpty(fields, 1));
    } else {
      cell(number, withoutEmpty(fields, columns.size()));
    }
    begun = true;
  }

  /** Without the empty ones at the end, which are below no title, but so many at least. */
  private static List<String> withoutEmpty(List<String> fields, int least) {
    int size = fields.size();
    while (size > least && fields.get(size - 1).isEmpty()) {
      size--;
    }
    return fields.subList(0, size);
  }

  private static boolean isTitle(List<String> fields) {
    String first = fields.getFirst();
    return 2 * named(fields) >= fields.size()
        || (!first.isEmpty() && Character.isLetter(first.charAt(0)) && !isNoNumber(first));
  }

  private static long named(List<String> fields) {
    return fields.stream().filter(field -> TableColumn.named(field).isPresent()).count();
  }

  /**
   * Whether a line that looks like a remark has titles: as many fields as a cell at least, half of
   * which are known. What is unknown among them is said then: passed by, the order of columns would
   * be another one, and no line below would tell.
   */
  private static boolean isMarkedTitle(String line) {
    List<String> fields = withoutEmpty(TableLineText.of(line).fields(line), 1);
    return fields.size() >= TableColumn.needed().size() && 2 * named(fields) >= fields.size();
  }

  /** A number of its kind that is written in letters. */
  private static boolean isNoNumber(String field) {
    return field.equalsIgnoreCase("nan") || field.equalsIgnoreCase("infinity");
  }

  private void titles(int number, List<String> fields) {
    List<TableColumn> named = new ArrayList<>();
    for (String field : fields) {
      var column = TableColumn.named(field);
      if (column.isEmpty()) {
        wrongTitles(
            number,
            "there is no column \"%s\": the columns are %s (docs/planning.md has other spellings)"
                .formatted(shown(field), TableColumn.titles(List.of(TableColumn.values()))));
        return;
      }
      if (named.contains(column.get())) {
        wrongTitles(number, "column " + column.get().title() + " is there twice");
        return;
      }
      named.add(column.get());
    }
    List<TableColumn> missing = new ArrayList<>(TableColumn.needed());
    missing.removeAll(named);
    if (missing.isEmpty()) {
      columns = named;
    } else {
      wrongTitles(number, "columns are missing: " + TableColumn.titles(missing));
    }
  }

  /** No line below can be understood. */
  private void wrongTitles(int number, String why) {
    problem(number, why);
    readable = false;
  }

  private void cell(int number, List<String> fields) {
    if (fields.size() != columns.size()) {
      problem(
          number,
          "%d fields, where %d are needed: %s"
              .formatted(fields.size(), columns.size(), TableColumn.titles(columns)));
      return;
    }
    int before = problems.size();
    Map<TableColumn, Double> values = new EnumMap<>(TableColumn.class);
    for (int i = 0; i < fields.size(); i++) {
      field(number, columns.get(i), fields.get(i), values);
    }
    if (problems.size() == before) {
      add(number, values);
    }
  }

  private void add(int number, Map<TableColumn, Double> values) {
    GridPoint point =
        new GridPoint(count(values, TableColumn.CLIENTS), count(values, TableColumn.SERVERS));
    Integer earlier = lines.putIfAbsent(point, number);
    if (earlier != null) {
      problem(
          number,
          "the cell of %d clients on %d servers is in line %d already"
              .formatted(point.clients(), point.servers(), earlier));
    } else if (cells.size() >= CELLS_MAX) {
      problem(number, "more than " + CELLS_MAX + " cells");
      readable = false;
    } else {
      cells.put(point, cell(values));
    }
  }

  private static PerformanceCell cell(Map<TableColumn, Double> values) {
    return new PerformanceCell(
        values.getOrDefault(TableColumn.MILLIS, Double.NaN),
        values.getOrDefault(TableColumn.MEGABYTES, Double.NaN),
        optional(values, TableColumn.MILLIS_SPREAD),
        optional(values, TableColumn.MEGABYTES_SPREAD),
        optional(values, TableColumn.P95),
        optional(values, TableColumn.P99),
        count(values, TableColumn.RUNS));
  }

  private static int count(Map<TableColumn, Double> values, TableColumn column) {
    return values.getOrDefault(column, 0.0).intValue();
  }

  private static OptionalDouble optional(Map<TableColumn, Double> values, TableColumn column) {
    Double value = values.get(column);
    return value == null ? OptionalDouble.empty() : OptionalDouble.of(value);
  }

  private void field(
      int number, TableColumn column, String field, Map<TableColumn, Double> values) {
    if (field.isEmpty() && !TableColumn.needed().contains(column)) {
      return;
    }
    OptionalDouble value = number(field);
    if (value.isPresent() && fits(column, value.getAsDouble())) {
      values.put(column, value.getAsDouble());
    } else {
      problem(
          number,
          "%s must be %s, not \"%s\"".formatted(column.title(), words(column), shown(field)));
    }
  }

  private static String shown(String field) {
    return PlainText.escaped(field.substring(0, Math.min(SHOWN, field.length())));
  }

  private static OptionalDouble number(String field) {
    return NUMBER.matcher(field).matches()
        ? OptionalDouble.of(Double.parseDouble(field))
        : OptionalDouble.empty();
  }

  private static boolean fits(TableColumn column, double value) {
    return switch (column) {
      case CLIENTS -> isWhole(value, 1, CLIENTS_MAX);
      case SERVERS -> isWhole(value, 1, SERVERS_MAX);
      case MILLIS, P95, P99 -> value > 0 && value <= MILLIS_MAX;
      case MEGABYTES -> value > 0 && value <= MEGABYTES_MAX;
      case MILLIS_SPREAD -> value >= 0 && value <= MILLIS_MAX;
      case MEGABYTES_SPREAD -> value >= 0 && value <= MEGABYTES_MAX;
      case RUNS -> isWhole(value, 0, CLIENTS_MAX);
    };
  }

  private static boolean isWhole(double value, int least, int most) {
    return value >= least && value <= most && value == Math.rint(value);
  }

  private static String words(TableColumn column) {
    return switch (column) {
      case CLIENTS -> "a whole number from 1 to " + CLIENTS_MAX;
      case SERVERS -> "a whole number from 1 to " + SERVERS_MAX;
      case MILLIS, P95, P99 -> "milliseconds above 0, an hour at most";
      case MEGABYTES -> "megabytes per second above 0, " + (int) MEGABYTES_MAX + " at most";
      case MILLIS_SPREAD -> "milliseconds, none below 0";
      case MEGABYTES_SPREAD -> "megabytes per second, none below 0";
      case RUNS -> "a whole number, none below 0";
    };
  }
}
