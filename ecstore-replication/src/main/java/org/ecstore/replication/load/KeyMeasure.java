package org.ecstore.replication.load;

import java.math.BigDecimal;
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

  private static final int DIGITS_MIN = 12;

  /** As many bytes as a position map looks at behind what two knots have in common. */
  private static final int DIGITS_TOLD = Long.BYTES;

  private final KeyRange range;
  private final PositionMap positions;
  private final double whole;

  /** The measure within a range. */
  public KeyMeasure(KeyRange range, PositionMap positions) {
    this.range = range;
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
   * Cuts the range into intervals of the same share; into fewer where keys cannot be told apart.
   */
  public List<KeyRange> equalParts(int count) {
    BigInteger from = new BigInteger(Long.toUnsignedString(positions.position(range.start())));
    BigInteger width = new BigDecimal(whole).toBigInteger();
    List<KeyRange> parts = new ArrayList<>();
    Bytes start = range.start();
    for (int i = 1; i < count; i++) {
      BigInteger into = width.multiply(BigInteger.valueOf(i)).divide(BigInteger.valueOf(count));
      Bytes cut = keyAt(from.add(into).longValue());
      if (cut.compareTo(start) > 0 && range.isBelowEnd(cut)) {
        parts.add(KeyRange.of(start, cut));
        start = cut;
      }
    }
    parts.add(KeyRange.between(start, range.end()));
    return parts;
  }

  /**
   * The greatest key of limited length whose position is at or below this one. Between two knots
   * keys begin as both do, and {@value #DIGITS_TOLD} digits behind that the map tells no two apart:
   * as many are looked for, however long keys are.
   */
  private Bytes keyAt(long position) {
    int most = Math.max(2 + range.end().map(Bytes::length).orElse(0), DIGITS_MIN);
    Bytes begin = beginning(position);
    Bytes found = begin.slice(0, Math.min(begin.length(), most));
    for (int i = 0; i < DIGITS_TOLD && found.length() < most; i++) {
      int digit = digitAfter(found, position);
      if (digit < 0) {
        return withoutZeros(found);
      }
      found = found.concat(Bytes.of(digit));
    }
    byte[] rest = new byte[most - found.length()];
    Arrays.fill(rest, (byte) 0xff);
    return withoutZeros(found.concat(Bytes.wrap(rest)));
  }

  /** What the keys have in common between the two knots that the position is between. */
  private Bytes beginning(long position) {
    List<PositionMap.Knot> knots = positions.knots();
    int above = 0;
    while (above < knots.size()
        && Long.compareUnsigned(knots.get(above).position(), position) <= 0) {
      above++;
    }
    if (above == 0 || above == knots.size()) {
      return Bytes.EMPTY;
    }
    Bytes low = knots.get(above - 1).key();
    Bytes high = knots.get(above).key();
    int length = 0;
    while (length < Math.min(low.length(), high.length()) && low.at(length) == high.at(length)) {
      length++;
    }
    return low.slice(0, length);
  }

  /** The greatest digit behind a key that leads to no later position; -1 if each does. */
  private int digitAfter(Bytes found, long position) {
    int low = -1;
    int high = 256;
    while (high - low > 1) {
      int middle = (low + high) >>> 1;
      long at = positions.position(found.concat(Bytes.of(middle)));
      if (Long.compareUnsigned(at, position) <= 0) {
        low = middle;
      } else {
        high = middle;
      }
    }
    return low;
  }

  private static Bytes withoutZeros(Bytes key) {
    int length = key.length();
    while (length > 0 && key.at(length - 1) == 0) {
      length--;
    }
    return key.slice(0, length);
  }

  private static double width(PositionMap positions, KeyRange range) {
    long from = positions.position(range.start());
    long to = range.end().map(positions::position).orElse(-1L);
    long width = to - from;
    double unsigned = (width >>> 1) * 2.0 + (width & 1);
    return Math.max(1, unsigned);
  }
}
