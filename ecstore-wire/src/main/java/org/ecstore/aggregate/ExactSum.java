package org.ecstore.aggregate;

import java.math.BigDecimal;
import java.math.BigInteger;
import org.ecstore.wire.MalformedMessageException;
import org.ecstore.wire.WireReader;
import org.ecstore.wire.WireWriter;

/**
 * A sum of longs, doubles and decimals, each exactly what it is: so it is the same in whichever
 * order and parts numbers are added. For one thread.
 */
final class ExactSum {
  /**
   * From the highest digit of a sum to its lowest. Doubles from 5e-324 to 2^1024 and some thousand
   * digits of decimals are within; numbers farther apart would fill any memory.
   */
  private static final int DIGITS_MAX = 6_000;

  private static final int UNSCALED_BYTES_MAX = 4 << 10;

  /** The sum is this and {@code rest}. */
  private long whole;

  private BigDecimal rest = BigDecimal.ZERO;

  void add(long number) {
    long sum = whole + number;
    if (((whole ^ sum) & (number ^ sum)) < 0) {
      add(BigDecimal.valueOf(whole));
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
    if (number.signum() == 0) {
      return;
    }
    if (rest.signum() != 0) {
      long high = Math.max(highest(rest), highest(number));
      long low = Math.min(-(long) rest.scale(), -(long) number.scale());
      if (high - low > DIGITS_MAX) {
        throw new NoMeasureException(
            "numbers are too far apart for an exact sum: it has " + (high - low) + " digits");
      }
    }
    rest = rest.signum() == 0 ? number : rest.add(number);
  }

  private static long highest(BigDecimal number) {
    return (long) number.precision() - number.scale();
  }

  void add(ExactSum other) {
    add(other.whole);
    add(other.rest);
  }

  BigDecimal value() {
    ExactSum all = new ExactSum();
    all.rest = rest;
    all.add(BigDecimal.valueOf(whole));
    return all.rest.signum() == 0 ? BigDecimal.ZERO : all.rest;
  }

  void write(WireWriter out) {
    out.i64(whole).i32(rest.scale());
    byte[] unscaled = rest.unscaledValue().toByteArray();
    out.varint(unscaled.length).raw(unscaled);
  }

  static ExactSum read(WireReader in) {
    ExactSum sum = new ExactSum();
    sum.whole = in.i64();
    int scale = in.i32();
    byte[] unscaled = in.bytes(UNSCALED_BYTES_MAX).array();
    if (unscaled.length == 0) {
      throw new MalformedMessageException("a sum without digits");
    }
    BigDecimal rest = new BigDecimal(new BigInteger(unscaled), scale);
    sum.rest = rest.signum() == 0 ? BigDecimal.ZERO : rest;
    return sum;
  }
}
