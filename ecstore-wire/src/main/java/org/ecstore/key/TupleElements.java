package org.ecstore.key;

import java.time.Instant;
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
 * </pre>
 *
 * <p>Why it orders: a terminating 00 is followed by a tag or nothing, both below the ff that
 * follows a 00 within; more bytes mean a number farther from zero; all else has one length. Each
 * value has one encoding, and decoding refuses every other.
 */
final class TupleElements {
  static final int NULL = 0x05;
  static final int BYTES = 0x10;
  static final int STRING = 0x20;
  static final int MINUS_ONE = 0x2f;
  static final int ZERO = 0x30;
  static final int UUID_TAG = 0x40;
  static final int INSTANT = 0x50;

  /** Follows a zero byte within a string; above every tag. */
  static final int ESCAPED = 0xff;

  private TupleElements() {}

  /** An element as tuples keep it, or the reason why it cannot be one. */
  static @Nullable Object elementOf(int index, @Nullable Object value) {
    if (value instanceof String text) {
      requireWholeSurrogatePairs(index, text);
      return text;
    } else if (value instanceof Integer number) {
      return (long) number;
    } else if (value instanceof byte[] array) {
      return Bytes.copyOf(array);
    } else if (value == null
        || value instanceof Long
        || value instanceof UUID
        || value instanceof Instant
        || value instanceof Bytes) {
      return value;
    }
    throw new WrongArgumentException(
        "a tuple holds String, Long, Integer, UUID, Instant, Bytes, byte[] and null",
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

  static String typeName(@Nullable Object element) {
    return switch (element == null ? NULL : tagOf(element)) {
      case NULL -> "null";
      case BYTES -> "a byte string";
      case STRING -> "a string";
      case ZERO -> "a long";
      case UUID_TAG -> "a UUID";
      default -> "an instant";
    };
  }

  /** The tag, that of zero for all longs: it orders the types. */
  private static int tagOf(@Nullable Object element) {
    if (element == null) {
      return NULL;
    } else if (element instanceof Bytes) {
      return BYTES;
    } else if (element instanceof String) {
      return STRING;
    } else if (element instanceof Long) {
      return ZERO;
    } else if (element instanceof UUID) {
      return UUID_TAG;
    }
    return INSTANT;
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
    }
    return Integer.compare(tagOf(a), tagOf(b));
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
