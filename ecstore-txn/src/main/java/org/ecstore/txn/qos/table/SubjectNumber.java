package org.ecstore.txn.qos.table;

import java.util.OptionalDouble;
import java.util.function.Consumer;
import java.util.regex.Pattern;

/**
 * What a table says in numbers of what it was measured on, and how, in the order of its lines,
 * which are behind those of {@link SubjectText}.
 */
public enum SubjectNumber {
  /** How many of 100 operations were reads. */
  READ_PERCENT("reads-percent", 0, 100, Form.ANY),
  /** The size of a record. */
  RECORD_BYTES("record-bytes", 1, 0x1p50, Form.WHOLE),
  /** How much data there was. */
  DATA_BYTES("data-bytes", 1, 0x1p50, Form.WHOLE),
  /** What an hour of a node costs, as {@code node.price}. */
  NODE_PRICE("price", 0, 1_000_000, Form.ANY),
  /** How many copies of each range there were. */
  COPIES("copies", 1, 99_999, Form.COUNT),
  /** Of the machine that nodes and clients shared. */
  PROCESSORS("processors", 1, 99_999, Form.COUNT);

  private enum Form {
    ANY,
    /** What is written behind a point is left out. */
    WHOLE,
    /** Nothing but digits is understood. */
    COUNT
  }

  private static final Pattern COUNTS = Pattern.compile("[0-9]{1,5}");

  private final String key;
  private final double least;
  private final double most;
  private final Form form;

  SubjectNumber(String key, double least, double most, Form form) {
    this.key = key;
    this.least = least;
    this.most = most;
    this.form = form;
  }

  /** Before the colon of its line. */
  String key() {
    return key;
  }

  /**
   * What is written in its line; absent if it cannot be understood.
   *
   * @param problem told why, then
   */
  OptionalDouble read(String written, Consumer<String> problem) {
    if (form == Form.COUNT && !COUNTS.matcher(written).matches()) {
      problem.accept(key + " must be a whole number, not \"" + written + "\"");
      return OptionalDouble.empty();
    }
    try {
      double number = Double.parseDouble(written);
      if (number >= least && number <= most) {
        return OptionalDouble.of(form == Form.ANY ? number : Math.floor(number));
      }
    } catch (NumberFormatException e) {
      problem.accept(key + " must be a number, not \"" + written + "\"");
      return OptionalDouble.empty();
    }
    problem.accept("%s must be from %.0f to %.0f, not %s".formatted(key, least, most, written));
    return OptionalDouble.empty();
  }

  /** As its line has it. */
  String written(double number) {
    return form == Form.ANY ? String.valueOf(number) : String.valueOf((long) number);
  }
}
