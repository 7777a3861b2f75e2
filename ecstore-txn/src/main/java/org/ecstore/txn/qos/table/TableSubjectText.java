package org.ecstore.txn.qos.table;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.ecstore.check.PlainText;

/**
 * The lines before a table's cells that say what was measured: {@code engine: je}. A line for each
 * {@link SubjectText} and {@link SubjectNumber}, and one for what was not steady.
 */
final class TableSubjectText {
  static final String FORM = "ecStore performance table";
  private static final String UNSTEADY = "unsteady";
  private static final List<String> KEYS =
      Stream.of(
              Arrays.stream(SubjectText.values()).map(SubjectText::key),
              Arrays.stream(SubjectNumber.values()).map(SubjectNumber::key),
              Stream.of(UNSTEADY))
          .flatMap(keys -> keys)
          .toList();
  private static final Pattern COUNTS = Pattern.compile("[0-9]{1,5}( *, *[0-9]{1,5})*");

  /** The remark that is all that tables say of it which were measured before there was the line. */
  private static final Pattern UNSTEADY_ONCE =
      Pattern.compile("NOT STEADY when it was measured: on \\[([0-9]{1,5}(, [0-9]{1,5})*)] nodes");

  private static final int TEXT_MAX = 200;

  /** Takes what is wrong in a line. */
  interface Problems {
    void add(int line, String what);
  }

  private final Problems problems;
  private final Set<String> keys = new TreeSet<>();
  private final Set<Integer> unsteady = new TreeSet<>();
  private TableSubject read = TableSubject.UNKNOWN;

  TableSubjectText(Problems problems) {
    this.problems = problems;
  }

  /** Whether a line, without its mark, says nothing that is read. */
  static boolean isRemark(String line) {
    int colon = line.indexOf(':');
    return line.lines().count() == 1 && (colon < 0 || !KEYS.contains(key(line, colon)));
  }

  /** What is before the colon; as of titles, capital letters are as good as small ones. */
  private static String key(String line, int colon) {
    return line.substring(0, colon).strip().toLowerCase(Locale.ROOT);
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
    String key = key(remark, colon);
    String value = remark.substring(colon + 1).strip();
    if (!KEYS.contains(key)) {
      return;
    }
    if (!keys.add(key)) {
      problems.add(line, key + " is said twice");
    } else if (value.isEmpty() || value.length() > TEXT_MAX) {
      problems.add(line, key + " must be text of 1 to " + TEXT_MAX + " characters");
    } else if (!PlainText.is(value)) {
      problems.add(line, key + " has a control character, or one that turns the direction of text");
    } else if (key.equals(UNSTEADY)) {
      unsteady(line, value);
    } else {
      take(key, value, what -> problems.add(line, what));
    }
  }

  private void take(String key, String value, Consumer<String> problem) {
    for (SubjectText of : SubjectText.values()) {
      if (of.key().equals(key)) {
        read = read.with(of, of.read(value, problem));
      }
    }
    for (SubjectNumber of : SubjectNumber.values()) {
      if (of.key().equals(key)) {
        read = read.with(of, of.read(value, problem));
      }
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

  TableSubject subject() {
    return read.by(read.setting().with(List.copyOf(unsteady)));
  }

  /** The lines of a subject, as {@link #take(int, String)} understands them behind their mark. */
  static List<String> lines(TableSubject subject) {
    List<String> lines = new ArrayList<>();
    lines.add(FORM);
    for (SubjectText of : SubjectText.values()) {
      subject.text(of).ifPresent(text -> lines.add(line(of.key(), text)));
    }
    for (SubjectNumber of : SubjectNumber.values()) {
      subject.number(of).ifPresent(number -> lines.add(line(of.key(), of.written(number))));
    }
    List<Integer> unsteady = subject.setting().unsteady();
    if (!unsteady.isEmpty()) {
      lines.add(
          line(UNSTEADY, unsteady.stream().map(String::valueOf).collect(Collectors.joining(","))));
    }
    return lines;
  }

  private static String line(String key, String value) {
    return key + ": " + value.replaceAll("\\R", " ");
  }
}
