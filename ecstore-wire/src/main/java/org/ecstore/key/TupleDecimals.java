package org.ecstore.key;

import java.math.BigDecimal;
import java.math.BigInteger;
import org.ecstore.client.error.WrongArgumentException;

/**
 * Decimals as elements of tuples. They are kept without trailing zeros, so that 1.5 and 1.50 are
 * one key. What is not zero is 0.d1d2d3... times a power of ten, with d1 not zero; its bytes are
 * that power, as a long element, and then the digits, two to a byte from 01 to 64 (hexadecimal),
 * and 00. Of one below zero all these bytes are inverted.
 */
final class TupleDecimals {
  /** As many bits as some 4,900 digits have, twice the bytes that a key may have. */
  private static final int BITS_MAX = 16_384;

  private static final int PAIR = 100;

  /** More digits than those bits can have: what is decoded is bounded before it is a number. */
  private static final int PAIRS_MAX = 2_467;

  private TupleDecimals() {}

  /** The one decimal of its value, or the reason why it cannot be an element. */
  static BigDecimal elementOf(int index, BigDecimal value) {
    if (value.unscaledValue().bitLength() > BITS_MAX) {
      throw new WrongArgumentException(
          "the decimal has more digits than a key can hold",
          null,
          "element",
          index,
          "bits",
          value.unscaledValue().bitLength());
    }
    try {
      return value.stripTrailingZeros();
    } catch (ArithmeticException e) {
      throw new WrongArgumentException(
          "the decimal is out of range without its trailing zeros", e, "element", index);
    }
  }

  /** The power of ten by which 0.d1d2d3... is the value. */
  static long power(BigDecimal value) {
    return (long) value.precision() - value.scale();
  }

  /** The digits, two to a byte, each a pair and one more. */
  static byte[] digits(BigDecimal value) {
    String digits = value.unscaledValue().abs().toString();
    byte[] pairs = new byte[(digits.length() + 1) / 2];
    for (int i = 0; i < pairs.length; i++) {
      int tens = digits.charAt(2 * i) - '0';
      int ones = 2 * i + 1 < digits.length() ? digits.charAt(2 * i + 1) - '0' : 0;
      pairs[i] = (byte) (10 * tens + ones + 1);
    }
    return pairs;
  }

  /** The value of a power and digits, which must be those that the value has. */
  static BigDecimal decoded(long power, byte[] pairs) {
    if (pairs.length > PAIRS_MAX) {
      throw new MalformedTupleException("a decimal of more digits than a key can hold");
    }
    StringBuilder digits = new StringBuilder(2 * pairs.length);
    for (byte pair : pairs) {
      int value = (pair & 0xff) - 1;
      if (value < 0 || value >= PAIR) {
        throw new MalformedTupleException("a decimal with digits that are none");
      }
      digits.append((char) ('0' + value / 10)).append((char) ('0' + value % 10));
    }
    int length = digits.length();
    if (length > 0 && digits.charAt(length - 1) == '0') {
      length--;
    }
    boolean isOwn = length > 0 && digits.charAt(0) != '0' && digits.charAt(length - 1) != '0';
    long scale = length - power;
    if (!isOwn || scale != (int) scale || Math.abs(power) > 2L * Integer.MAX_VALUE) {
      throw new MalformedTupleException("a decimal in other bytes than its own");
    }
    BigInteger unscaled = new BigInteger(digits.substring(0, length));
    if (unscaled.bitLength() > BITS_MAX) {
      throw new MalformedTupleException("a decimal of more digits than a key can hold");
    }
    return new BigDecimal(unscaled, (int) scale);
  }
}
