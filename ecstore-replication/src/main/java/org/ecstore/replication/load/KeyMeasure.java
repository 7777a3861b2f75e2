package org.ecstore.replication.load;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.ecstore.key.Bytes;
import org.ecstore.key.KeyRange;
import org.ecstore.replication.placement.PositionMap;

/**
 * How much of a copy's range an interval takes, by a position map (rule 22): where the map is
 * fitted to the data, the part of the data. Where it cannot tell the range's keys apart, as the
 * first eight bytes cannot if all of them begin with the same ones, keys are read as numbers
 * between the range's bounds. An immutable value.
 */
public final class KeyMeasure {
  /** A range of fewer positions than this is not told apart well enough. */
  private static final double POSITIONS_MIN = 1L << 20;

  private final PositionMap positions;
  private final double whole;

  /** The measure within a range. */
  public KeyMeasure(KeyRange range, PositionMap positions) {
    boolean coarse = width(positions, range) < POSITIONS_MIN && range.end().isPresent();
    this.positions =
        coarse
            ? PositionMap.of(
                List.of(
                    new PositionMap.Knot(range.start(), 0),
                    new PositionMap.Knot(range.end().orElseThrow(), -1L)))
            : positions;
    this.whole = width(this.positions, range);
  }

  /** The part of the range that an interval within it takes: above 0, at most 1. */
  public double share(KeyRange interval) {
    return Math.min(1, width(positions, interval) / whole);
  }

  /** The part of the first interval that lies in the second: from 0 to 1. */
  public double overlap(KeyRange interval, KeyRange other) {
    if (other.contains(interval)) {
      return 1;
    }
    Optional<KeyRange> common = interval.intersection(other);
    return common.isEmpty() ? 0 : Math.min(1, share(common.get()) / share(interval));
  }

  /**
   * Cuts a range into equal intervals, keys read as fractions in base 256; into fewer where there
   * are no keys between.
   */
  static List<KeyRange> equalParts(KeyRange range, int count) {
    int digits = 2 + Math.max(range.start().length(), range.end().map(Bytes::length).orElse(0));
    BigInteger low = fraction(range.start(), digits);
    BigInteger high =
        range.end().map(end -> fraction(end, digits)).orElse(BigInteger.ONE.shiftLeft(8 * digits));
    List<KeyRange> parts = new ArrayList<>();
    Bytes from = range.start();
    for (int i = 1; i < count; i++) {
      BigInteger into = high.subtract(low).multiply(BigInteger.valueOf(i));
      Bytes cut = key(low.add(into.divide(BigInteger.valueOf(count))), digits);
      if (cut.compareTo(from) > 0 && range.isBelowEnd(cut)) {
        parts.add(KeyRange.of(from, cut));
        from = cut;
      }
    }
    parts.add(KeyRange.between(from, range.end()));
    return parts;
  }

  private static BigInteger fraction(Bytes key, int digits) {
    return new BigInteger(1, Arrays.copyOf(key.array(), digits));
  }

  private static Bytes key(BigInteger fraction, int digits) {
    byte[] all = new byte[digits];
    BigInteger rest = fraction;
    for (int i = digits - 1; i >= 0; i--) {
      all[i] = rest.byteValue();
      rest = rest.shiftRight(8);
    }
    int length = digits;
    while (length > 0 && all[length - 1] == 0) {
      length--;
    }
    return Bytes.wrap(Arrays.copyOf(all, length));
  }

  private static double width(PositionMap positions, KeyRange range) {
    long from = positions.position(range.start());
    long to = range.end().map(positions::position).orElse(-1L);
    long width = to - from;
    double unsigned = (width >>> 1) * 2.0 + (width & 1);
    return Math.max(1, unsigned);
  }
}
