package org.ecstore.aggregate;

import java.math.BigDecimal;
import java.math.BigInteger;
import org.ecstore.wire.MalformedMessageException;
import org.ecstore.wire.WireReader;
import org.ecstore.wire.WireWriter;

/**
 * A sum of longs, doubles and decimals, each exactly what it is: so it is the same in whichever
 * order and parts numbers are added, and so is whether there is one. For one thread.
 */
final class ExactSum {
  /**
   * From the highest digit of any number to the lowest, about. Doubles from 5e-324 to 2^1024 and
   * some thousand digits of decimals are within; numbers farther apart would fill any memory.
   */
  static final int DIGITS_MAX = 6_000;

  /** The same of one page on a node, where it takes time that others wait for. */
  static final int PAGE_DIGITS_MAX = 700;

  private static final double DIGITS_PER_BIT = 0.30103;
  private static final int LONG_DIGITS = 19;
  private static final int UNSCALED_BYTES_MAX = 4 << 10;

  /** Beyond these it stays in the form that has an exponent. */
  private static final int PLAIN_DIGITS_MAX = 40;

  private final int digitsMax;

  /** The sum is this and {@code rest}. */
  private long whole;

  private BigDecimal rest = BigDecimal.ZERO;

  /** Powers of ten of the highest and of the lowest digit that any number had, about. */
  private long highest = Long.MIN_VALUE;

  private long lowest = Long.MAX_VALUE;

  ExactSum(int digitsMax) {
    this.digitsMax = digitsMax;
  }

  void add(long number) {
    reach(LONG_DIGITS, 0);
    addWhole(number);
  }

  private void addWhole(long number) {
    long sum = whole + number;
    if (((whole ^ sum) & (number ^ sum)) < 0) {
      addRest(BigDecimal.valueOf(whole));
      whole = number;
    } else {
      whole = sum;
    }
  }

  void add(double number) {
    if (!Double.isFinite(number)) {
      throw new NoMeasureException(number + " has no sum with other numbers");
    }
    add(new BigDecimal(number));
  }

  void add(BigDecimal number) {
    if (number.signum() != 0) {
      long digits = (long) (number.unscaledValue().bitLength() * DIGITS_PER_BIT) + 1;
      reach(digits - number.scale(), -(long) number.scale());
      addRest(number);
    }
  }

  private void addRest(BigDecimal number) {
    rest = rest.signum() == 0 ? number : rest.add(number);
  }

  private void reach(long high, long low) {
    highest = Math.max(highest, high);
    lowest = Math.min(lowest, low);
    if (highest - lowest > digitsMax) {
      throw new NoMeasureException(
          "numbers are too far apart for an exact sum: it has some "
              + (highest - lowest)
              + " digits");
    }
  }

  void add(ExactSum other) {
    if (other.highest >= other.lowest) {
      reach(other.highest, other.lowest);
    }
    addWhole(other.whole);
    if (other.rest.signum() != 0) {
      addRest(other.rest);
    }
  }

  /** The one form that its value has. */
  BigDecimal value() {
    BigDecimal sum =
        rest.signum() == 0 ? BigDecimal.valueOf(whole) : rest.add(BigDecimal.valueOf(whole));
    BigDecimal least = sum.signum() == 0 ? BigDecimal.ZERO : sum.stripTrailingZeros();
    return least.scale() < 0 && least.scale() > -PLAIN_DIGITS_MAX ? least.setScale(0) : least;
  }

  void write(WireWriter out) {
    out.i64(whole).i64(highest).i64(lowest).i32(rest.scale());
    byte[] unscaled = rest.unscaledValue().toByteArray();
    out.varint(unscaled.length).raw(unscaled);
  }

  static ExactSum read(WireReader in) {
    ExactSum sum = new ExactSum(DIGITS_MAX);
    sum.whole = in.i64();
    sum.highest = in.i64();
    sum.lowest = in.i64();
    int scale = in.i32();
    byte[] unscaled = in.bytes(UNSCALED_BYTES_MAX).array();
    if (unscaled.length == 0) {
      throw new MalformedMessageException("a sum without digits");
    }
    BigDecimal rest = new BigDecimal(new BigInteger(unscaled), scale);
    sum.rest = rest.signum() == 0 ? BigDecimal.ZERO : rest;
    boolean hasRest = sum.rest.signum() != 0;
    boolean within =
        sum.highest < sum.lowest
            ? !hasRest && sum.whole == 0
            : (double) sum.highest - sum.lowest <= DIGITS_MAX
                && (!hasRest || -(long) scale >= sum.lowest);
    if (!within) {
      throw new MalformedMessageException("a sum of other digits than it says");
    }
    return sum;
  }
}
