package org.ecstore.engines.store;

import java.math.BigInteger;
import java.util.Arrays;
import java.util.function.ToLongFunction;
import org.ecstore.key.Bytes;

/**
 * The middle of an interval, by a store's own estimates of what lies below a key: bisection of the
 * space between its first and its last key.
 */
public final class Halving {
  private static final int STEPS_MAX = 128;
  private static final int BYTES_MORE = 8;

  private Halving() {}

  /**
   * A place between two keys below which about half of what lies between them is. It need not be a
   * key that is there.
   *
   * @param below how much lies from the first key to a place, an estimate
   * @return above the first key and at or below the last one
   */
  public static Bytes place(Bytes first, Bytes last, ToLongFunction<Bytes> below) {
    long whole = below.applyAsLong(last);
    Bytes low = first;
    Bytes high = last;
    for (int step = 0; step < STEPS_MAX; step++) {
      Bytes middle = between(low, high);
      if (middle.equals(low)) {
        break;
      }
      long part = below.applyAsLong(middle);
      if (Math.abs(2 * part - whole) <= whole / 8) {
        return middle;
      }
      if (2 * part < whole) {
        low = middle;
      } else {
        high = middle;
      }
    }
    return high;
  }

  /** Half way between two keys, as fractions of the space of keys; the low one if they touch. */
  public static Bytes between(Bytes low, Bytes high) {
    int common = Math.max(0, Arrays.mismatch(low.array(), high.array()));
    int longest = Math.max(low.length(), high.length()) + 1;
    Bytes middle = low;
    for (int length = common + BYTES_MORE; middle.compareTo(low) <= 0; length += BYTES_MORE) {
      middle = half(low, high, Math.min(length, longest));
      if (length >= longest) {
        break;
      }
    }
    return middle.compareTo(low) > 0 && middle.compareTo(high) < 0 ? middle : low;
  }

  private static Bytes half(Bytes low, Bytes high, int length) {
    byte[] sum = number(low, length).add(number(high, length)).shiftRight(1).toByteArray();
    byte[] bytes = new byte[length];
    int taken = Math.min(sum.length, length);
    System.arraycopy(sum, sum.length - taken, bytes, length - taken, taken);
    return Bytes.wrap(bytes);
  }

  private static BigInteger number(Bytes key, int length) {
    return new BigInteger(1, Arrays.copyOf(key.array(), length));
  }
}
