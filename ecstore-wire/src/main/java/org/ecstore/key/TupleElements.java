package org.ecstore.key;

import java.math.BigDecimal;
import java.time.Instant;
import java.time.LocalDate;
import java.util.UUID;
import org.ecstore.client.error.WrongArgumentException;
import org.jspecify.annotations.Nullable;

/**
 * The elements of tuples, their order and the tags of their order-preserving bytes, in the manner
 * of FoundationDB's tuple layer. Each element begins with a tag; tags are fixed for ever and never
 * 0xff:
 *
 * <pre>
 *   05           null
 *   10           byte string: the bytes, each 00 as 00 ff; then 00
 *   20           string: its UTF-8, each 00 as 00 ff; then 00
 *   2f - n       long below zero: its n low bytes, as few as tell it (n = 0 for -1)
 *   30 + n       long from zero: its n low bytes, as few as tell it (n = 0 for 0)
 *   40           UUID: 16 bytes
 *   50           instant: seconds of the epoch (8 bytes, sign bit flipped), nanoseconds (4 bytes)
 *   60, 61       false, true
 *   64           double: 8 bytes, all bits flipped if below zero, else the sign bit
 *   68           date: days of the epoch (5 bytes, top bit flipped)
 *   6c, 6d, 6e   decimal below zero, zero, above: see {@link TupleDecimals}
 *   70           descending: the bytes of an element, each inverted, which ends strings by 00 00
 * </pre>
 *
 * <p>Why it orders: a terminating 00 is followed by a tag or nothing, both below the ff that
 * follows a 00 within; more bytes mean a number farther from zero; all else has one length. No
 * element's bytes begin with all of another's, so inverting them turns the order around; a string
 * would but for its second 00, as ff follows a 00 within. Each value has one encoding, and decoding
 * refuses every other.
 */
final class TupleElements {
  static final int NULL = 0x05;
  static final int BYTES = 0x10;
  static final int STRING = 0x20;
  static final int MINUS_ONE = 0x2f;
  static final int ZERO = 0x30;
  static final int UUID_TAG = 0x40;
  static final int INSTANT = 0x50;
  static final int FALSE = 0x60;
  static final int TRUE = 0x61;
  static final int DOUBLE = 0x64;
  static final int DATE = 0x68;
  static final int BELOW_ZERO = 0x6c;
  static final int DECIMAL_ZERO = 0x6d;
  static final int ABOVE_ZERO = 0x6e;
  static final int DESCENDING = 0x70;

  /** Dates are some 2^38.4 days from the epoch at most. */
  static final int DATE_BYTES = 5;

  static final long DATE_OFFSET = 1L << 39;

  /** Follows a zero byte within a string; above every tag. */
  static final int ESCAPED = 0xff;

  private TupleElements() {}

  /** An element as tuples keep it, or the reason why it cannot be one. */
  static @Nullable Object elementOf(int index, @Nullable Object value) {
    if (value instanceof String text) {
      requireWholeSurrogatePairs(index, text);
      return text;
    } else if (value instanceof Integer || value instanceof Short || value instanceof Byte) {
      return ((Number) value).longValue();
    } else if (value instanceof byte[] array) {
      return Bytes.copyOf(array);
    } else if (value instanceof BigDecimal decimal) {
      return TupleDecimals.elementOf(index, decimal);
    } else if (value instanceof Enum<?> constant) {
      return constant.name();
    } else if (value == null
        || value instanceof Long
        || value instanceof UUID
        || value instanceof Instant
        || value instanceof Bytes
        || value instanceof Boolean
        || value instanceof Double
        || value instanceof LocalDate
        || value instanceof Descending) {
      return value;
    }
    throw new WrongArgumentException(
        "a tuple holds String, Long, Integer, Short, Byte, Double, BigDecimal, Boolean, UUID,"
            + " Instant, LocalDate, enums, Bytes, byte[] and null",
        null,
        "element",
        index,
        "class",
        value.getClass().getName());
  }

  private static void requireWholeSurrogatePairs(int index, String text) {
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (Character.isSurrogate(c)) {
        if (Character.isLowSurrogate(c)
            || i + 1 == text.length()
            || !Character.isLowSurrogate(text.charAt(i + 1))) {
          throw new WrongArgumentException(
              "the text has half of a pair of surrogates", null, "element", index, "index", i);
        }
        i++;
      }
    }
  }

  /** The types of elements by name, in the order of their tags. */
  private enum Type {
    NULL("null"),
    BYTES("a byte string"),
    STRING("a string"),
    LONG("a long"),
    UUID("a UUID"),
    INSTANT("an instant"),
    BOOLEAN("a boolean"),
    DOUBLE("a double"),
    DATE("a date"),
    DECIMAL("a decimal"),
    DESCENDING("a descending element");

    private final String text;

    Type(String text) {
      this.text = text;
    }
  }

  static String typeName(@Nullable Object element) {
    return typeOf(element).text;
  }

  private static Type typeOf(@Nullable Object element) {
    if (element == null) {
      return Type.NULL;
    } else if (element instanceof Bytes) {
      return Type.BYTES;
    } else if (element instanceof String) {
      return Type.STRING;
    } else if (element instanceof Long) {
      return Type.LONG;
    } else if (element instanceof UUID) {
      return Type.UUID;
    } else if (element instanceof Instant) {
      return Type.INSTANT;
    } else if (element instanceof Boolean) {
      return Type.BOOLEAN;
    } else if (element instanceof Double) {
      return Type.DOUBLE;
    } else if (element instanceof LocalDate) {
      return Type.DATE;
    } else if (element instanceof BigDecimal) {
      return Type.DECIMAL;
    }
    return Type.DESCENDING;
  }

  static int compare(@Nullable Object a, @Nullable Object b) {
    if (a instanceof Bytes x && b instanceof Bytes y) {
      return x.compareTo(y);
    } else if (a instanceof String x && b instanceof String y) {
      return compareCodePoints(x, y);
    } else if (a instanceof Long x && b instanceof Long y) {
      return x.compareTo(y);
    } else if (a instanceof UUID x && b instanceof UUID y) {
      int high = Long.compareUnsigned(x.getMostSignificantBits(), y.getMostSignificantBits());
      return high != 0
          ? high
          : Long.compareUnsigned(x.getLeastSignificantBits(), y.getLeastSignificantBits());
    } else if (a instanceof Instant x && b instanceof Instant y) {
      return x.compareTo(y);
    } else if (a instanceof Boolean x && b instanceof Boolean y) {
      return x.compareTo(y);
    } else if (a instanceof Double x && b instanceof Double y) {
      return x.compareTo(y);
    } else if (a instanceof LocalDate x && b instanceof LocalDate y) {
      return Long.compare(x.toEpochDay(), y.toEpochDay());
    } else if (a instanceof BigDecimal x && b instanceof BigDecimal y) {
      return x.compareTo(y);
    } else if (a instanceof Descending x && b instanceof Descending y) {
      return x.compareTo(y);
    }
    return typeOf(a).compareTo(typeOf(b));
  }

  /** For {@link Tuple#toString}: a string in quotes. */
  static String text(@Nullable Object element) {
    return element instanceof String ? "\"" + element + '"' : String.valueOf(element);
  }

  /** String.compareTo is by UTF-16 unit, which puts what needs a pair below U+E000 to U+FFFF. */
  private static int compareCodePoints(String a, String b) {
    int both = Math.min(a.length(), b.length());
    for (int i = 0; i < both; i++) {
      char x = a.charAt(i);
      char y = b.charAt(i);
      if (x != y) {
        boolean pairs = Character.isSurrogate(x);
        return pairs == Character.isSurrogate(y) ? Character.compare(x, y) : pairs ? 1 : -1;
      }
    }
    return Integer.compare(a.length(), b.length());
  }

  /** How many low bytes tell a number whose sign is known: 0 for 0 and -1, at most 8. */
  static int bytesOf(long number) {
    long magnitude = number < 0 ? ~number : number;
    return (Long.SIZE - Long.numberOfLeadingZeros(magnitude) + 7) / 8;
  }
}
