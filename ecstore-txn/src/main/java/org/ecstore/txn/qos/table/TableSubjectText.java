package org.ecstore.txn.qos.table;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.regex.Pattern;

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
  private static final List<String> KEYS =
      List.of(ENGINE, CLASS, WORKLOAD, BUILD, CAPACITY, READS, RECORD, DATA, PRICE);
  private static final Pattern PROCESSORS = Pattern.compile("[0-9]{1,4}(\\.[0-9]{1,2})?");
  private static final int TEXT_MAX = 200;
  private static final double PRICE_MAX = 1_000_000;
  private static final double BYTES_MAX = 1L << 50;

  /** Takes what is wrong in a line. */
  interface Problems {
    void add(int line, String what);
  }

  private final Problems problems;
  private final Map<String, String> texts = new TreeMap<>();
  private final Map<String, Double> numbers = new TreeMap<>();

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
    int colon = remark.indexOf(':');
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
        default -> {}
      }
    }
  }

  private void capacity(int line, String value) {
    if (!value.equals(TableSubject.WHOLE) && !PROCESSORS.matcher(value).matches()) {
      problems.add(
          line,
          "%s must be %s, or processors with two decimals at most, as 0.3, not \"%s\""
              .formatted(CAPACITY, TableSubject.WHOLE, value));
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
        number(PRICE));
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
    return lines;
  }

  private static String line(String key, String value) {
    return key + ": " + value.replaceAll("\\R", " ");
  }
}
