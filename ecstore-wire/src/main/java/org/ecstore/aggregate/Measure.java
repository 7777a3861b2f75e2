package org.ecstore.aggregate;

import java.util.Locale;
import org.ecstore.wire.MalformedMessageException;
import org.ecstore.wire.WireReader;
import org.ecstore.wire.WireWriter;

/**
 * What is found of the records that count, beside their number: the sum, the least or the greatest
 * of an element of their keys. Keys without the element, or with null there, leave it as it is.
 *
 * @param element its index in the key, behind the prefix; {@link #VALUE} for the value, which is a
 *     number of 8 bytes
 */
public record Measure(Kind kind, int element) {
  /** In the place of an element: the record's value. */
  public static final int VALUE = -1;

  /** What is found. The numbers are fixed for ever. */
  public enum Kind {
    SUM(0),
    MIN(1),
    MAX(2);

    private final int number;

    Kind(int number) {
      this.number = number;
    }
  }

  /** Whether it is of values. */
  public boolean isOfValues() {
    return element == VALUE;
  }

  /** As {@code sum of element 1}. */
  @Override
  public String toString() {
    String what = isOfValues() ? "values" : "element " + element;
    return kind.name().toLowerCase(Locale.ROOT) + " of " + what;
  }

  static void write(WireWriter out, Measure measure) {
    out.u8(measure.kind.number).varint(measure.element + 1L);
  }

  static Measure read(WireReader in) {
    int kind = in.u8();
    if (kind >= Kind.values().length) {
      throw new MalformedMessageException("unknown kind of measure " + kind);
    }
    long element = in.natural();
    if (element > Aggregate.ELEMENTS_MAX) {
      throw new MalformedMessageException("a measure of element " + element);
    }
    return new Measure(Kind.values()[kind], (int) element - 1);
  }
}
