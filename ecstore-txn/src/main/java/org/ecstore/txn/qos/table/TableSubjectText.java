package org.ecstore.txn.qos.table;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** The lines before a table's cells that say what was measured: {@code engine: je}. */
final class TableSubjectText {
  static final String FORM = "ecStore performance table";
  private static final String ENGINE = "engine";
  private static final String CLASS = "class";
  private static final String WORKLOAD = "workload";
  private static final String BUILD = "build";
  private static final String CAPACITY = "capacity";
  private static final String READS = "reads-percent";
  private static final String RECORD = "record-bytes";
  private static final String DATA = "data-bytes";
  private static final String PRICE = "price";
  private static final String COPIES = "copies";
  private static final String PROCESSORS = "processors";
  private static final String UNSTEADY = "unsteady";
  private static final List<String> KEYS =
      List.of(
          ENGINE,
          CLASS,
          WORKLOAD,
          BUILD,
          CAPACITY,
          READS,
          RECORD,
          DATA,
          PRICE,
          COPIES,
          PROCESSORS,
          UNSTEADY);
  private static final Pattern CAPACITIES = Pattern.compile("[0-9]{1,4}(\\.[0-9]{1,2})?");
  private static final Pattern COUNT = Pattern.compile("[0-9]{1,5}");
  private static final Pattern COUNTS = Pattern.compile("[0-9]{1,5}( *, *[0-9]{1,5})*");

  /** The remark that is all that tables say of it which were measured before there was the line. */
  private static final Pattern UNSTEADY_ONCE =
      Pattern.compile("NOT STEADY when it was measured: on \\[([0-9]{1,5}(, [0-9]{1,5})*)] nodes");

  private static final int TEXT_MAX = 200;
  private static final double PRICE_MAX = 1_000_000;
  private static final double BYTES_MAX = 1L << 50;
  private static final double COUNT_MAX = 99_999;

  /** Takes what is wrong in a line. */
  interface Problems {
    void add(int line, String what);
  }

  private final Problems problems;
  private final Map<String, String> texts = new TreeMap<>();
  private final Map<String, Double> numbers = new TreeMap<>();
  private final Set<Integer> unsteady = new TreeSet<>();

  TableSubjectText(Problems problems) {
    this.problems = problems;
  }

  /** Whether a line, without its mark, says nothing that is read. */
  static boolean isRemark(String line) {
    int colon = line.indexOf(':');
    return line.lines().count() == 1
        && (colon < 0 || !KEYS.contains(line.substring(0, colon).strip()));
  }

  /** A line without its mark; one that is of no known key is a remark. */
  void take(int line, String remark) {
    Matcher once = UNSTEADY_ONCE.matcher(remark);
    int colon = remark.indexOf(':');
    if (once.matches()) {
      unsteady(line, once.group(1));
      return;
    }
    if (colon < 0) {
      return;
    }
    String key = remark.substring(0, colon).strip();
    String value = remark.substring(colon + 1).strip();
    if (!KEYS.contains(key)) {
      return;
    }
    if (texts.put(key, value) != null) {
      problems.add(line, key + " is said twice");
    } else if (value.isEmpty() || value.length() > TEXT_MAX) {
      problems.add(line, key + " must be text of 1 to " + TEXT_MAX + " characters");
    } else {
      switch (key) {
        case CAPACITY -> capacity(line, value);
        case READS -> number(line, key, value, 0, 100);
        case RECORD, DATA -> number(line, key, value, 1, BYTES_MAX);
        case PRICE -> number(line, key, value, 0, PRICE_MAX);
        case COPIES, PROCESSORS -> count(line, key, value);
        case UNSTEADY -> unsteady(line, value);
        default -> {}
      }
    }
  }

  private void capacity(int line, String value) {
    if (!value.equals(TableSubject.WHOLE) && !CAPACITIES.matcher(value).matches()) {
      problems.add(
          line,
          "%s must be %s, or processors with two decimals at most, as 0.3, not \"%s\""
              .formatted(CAPACITY, TableSubject.WHOLE, value));
    }
  }

  private void count(int line, String key, String value) {
    if (COUNT.matcher(value).matches()) {
      number(line, key, value, 1, COUNT_MAX);
    } else {
      problems.add(line, key + " must be a whole number, not \"" + value + "\"");
    }
  }

  private void unsteady(int line, String value) {
    if (!COUNTS.matcher(value).matches()) {
      problems.add(
          line, "%s must be numbers of nodes, as 2,4, not \"%s\"".formatted(UNSTEADY, value));
      return;
    }
    for (String nodes : value.split(",", -1)) {
      unsteady.add(Integer.parseInt(nodes.strip()));
    }
  }

  private void number(int line, String key, String value, double least, double most) {
    try {
      double number = Double.parseDouble(value);
      if (number >= least && number <= most) {
        numbers.put(key, number);
        return;
      }
    } catch (NumberFormatException e) {
      problems.add(line, key + " must be a number, not \"" + value + "\"");
      return;
    }
    problems.add(line, "%s must be from %.0f to %.0f, not %s".formatted(key, least, most, value));
  }

  TableSubject subject() {
    return new TableSubject(
        text(ENGINE),
        text(CLASS),
        text(WORKLOAD),
        text(BUILD),
        text(CAPACITY).map(TableSubject::capacityOf),
        number(READS),
        whole(RECORD),
        whole(DATA),
        number(PRICE),
        new TableSetting(count(COPIES), count(PROCESSORS), List.copyOf(unsteady)));
  }

  private OptionalInt count(String key) {
    Double number = numbers.get(key);
    return number == null ? OptionalInt.empty() : OptionalInt.of(number.intValue());
  }

  private Optional<String> text(String key) {
    return Optional.ofNullable(texts.get(key));
  }

  private OptionalDouble number(String key) {
    Double number = numbers.get(key);
    return number == null ? OptionalDouble.empty() : OptionalDouble.of(number);
  }

  private OptionalLong whole(String key) {
    Double number = numbers.get(key);
    return number == null ? OptionalLong.empty() : OptionalLong.of(number.longValue());
  }

  /** The lines of a subject, as {@link #take} understands them behind their mark. */
  static List<String> lines(TableSubject subject) {
    List<String> lines = new ArrayList<>();
    lines.add(FORM);
    subject.engine().ifPresent(text -> lines.add(line(ENGINE, text)));
    subject.nodeClass().ifPresent(text -> lines.add(line(CLASS, text)));
    subject.workload().ifPresent(text -> lines.add(line(WORKLOAD, text)));
    subject.build().ifPresent(text -> lines.add(line(BUILD, text)));
    subject.capacity().ifPresent(text -> lines.add(line(CAPACITY, text)));
    subject.readPercent().ifPresent(number -> lines.add(line(READS, String.valueOf(number))));
    subject.recordBytes().ifPresent(number -> lines.add(line(RECORD, String.valueOf(number))));
    subject.dataBytes().ifPresent(number -> lines.add(line(DATA, String.valueOf(number))));
    subject.nodePrice().ifPresent(number -> lines.add(line(PRICE, String.valueOf(number))));
    setting(subject.setting(), lines);
    return lines;
  }

  private static void setting(TableSetting setting, List<String> lines) {
    setting.copies().ifPresent(count -> lines.add(line(COPIES, String.valueOf(count))));
    setting.processors().ifPresent(count -> lines.add(line(PROCESSORS, String.valueOf(count))));
    if (!setting.unsteady().isEmpty()) {
      String nodes =
          setting.unsteady().stream().map(String::valueOf).collect(Collectors.joining(","));
      lines.add(line(UNSTEADY, nodes));
    }
  }

  private static String line(String key, String value) {
    return key + ": " + value.replaceAll("\\R", " ");
  }
}
