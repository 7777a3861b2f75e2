package org.ecstore.core.overlay;

import java.math.BigInteger;
import java.util.Arrays;
import java.util.Optional;
import org.ecstore.key.Bytes;
import org.ecstore.key.KeyRange;

/**
 * The middle of an interval by value, keys read as fractions in base 256: where to split when
 * nothing is known of the data. Real keys cluster, so a split of data goes by the data.
 */
public final class KeyMiddle {
  private KeyMiddle() {}

  /** A key inside the interval and not its start; absent if there is none. */
  public static Optional<Bytes> of(KeyRange keys) {
    int length = Math.max(keys.start().length(), keys.end().map(Bytes::length).orElse(0)) + 1;
    BigInteger low = fraction(keys.start(), length);
    BigInteger high =
        keys.end().map(end -> fraction(end, length)).orElse(BigInteger.ONE.shiftLeft(8 * length));
    Bytes middle = bytes(low.add(high).shiftRight(1), length);
    if (keys.contains(middle) && !middle.equals(keys.start())) {
      return Optional.of(middle);
    }
    Bytes successor = keys.start().successor();
    return keys.contains(successor) ? Optional.of(successor) : Optional.empty();
  }

  private static BigInteger fraction(Bytes key, int length) {
    return new BigInteger(1, Arrays.copyOf(key.array(), length));
  }

  private static Bytes bytes(BigInteger fraction, int length) {
    byte[] digits = fraction.toByteArray();
    byte[] padded = new byte[length];
    int from = Math.max(0, digits.length - length);
    System.arraycopy(digits, from, padded, length - (digits.length - from), digits.length - from);
    int end = length;
    while (end > 0 && padded[end - 1] == 0) {
      end--;
    }
    return Bytes.wrap(Arrays.copyOf(padded, end));
  }
}
