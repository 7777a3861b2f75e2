package org.ecstore.replication.load;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.ecstore.key.Bytes;
import org.ecstore.key.KeyRange;
import org.ecstore.replication.placement.PositionMap;
import org.ecstore.wire.Limits;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Where a range is cut into parts of the same share, and how much of keys is looked at for it. */
@Timeout(value = 1, unit = TimeUnit.MINUTES)
class KeyMeasureTest {
  private static final int PARTS = 20;

  private static Bytes key(SplittableRandom random, int prefix, int longest) {
    byte[] bytes = new byte[prefix + random.nextInt(longest - prefix + 1)];
    for (int i = prefix; i < bytes.length; i++) {
      bytes[i] = (byte) random.nextInt(random.nextBoolean() ? 3 : 256);
    }
    Arrays.fill(bytes, 0, prefix, (byte) 'p');
    return Bytes.wrap(bytes);
  }

  private static KeyRange range(SplittableRandom random, int prefix) {
    Bytes one = key(random, prefix, 20);
    Bytes other = key(random, prefix, 20);
    int order = one.compareTo(other);
    return order == 0 || random.nextInt(10) == 0
        ? KeyRange.from(one)
        : KeyRange.of(order < 0 ? one : other, order < 0 ? other : one);
  }

  private static PositionMap positions(SplittableRandom random) {
    List<Bytes> sample = new ArrayList<>();
    for (int i = random.nextInt(40); i > 0; i--) {
      sample.add(key(random, random.nextInt(16), 20));
    }
    return PositionMap.fitted(sample, random.nextInt(12));
  }

  /** Where keys are looked for digit by digit, to the last one. */
  private static Bytes keyAt(PositionMap positions, int digits, long position) {
    Bytes found = Bytes.EMPTY;
    for (int i = 0; i < digits; i++) {
      int low = -1;
      int high = 256;
      while (high - low > 1) {
        int middle = (low + high) / 2;
        long at = positions.position(found.concat(Bytes.of(middle)));
        boolean isBeyond = Long.compareUnsigned(at, position) > 0;
        low = isBeyond ? low : middle;
        high = isBeyond ? middle : high;
      }
      if (low < 0) {
        break;
      }
      found = found.concat(Bytes.of(low));
    }
    int length = found.length();
    while (length > 0 && found.at(length - 1) == 0) {
      length--;
    }
    return found.slice(0, length);
  }

  private static double width(PositionMap positions, KeyRange range) {
    long width =
        range.end().map(positions::position).orElse(-1L) - positions.position(range.start());
    return Math.max(1, (width >>> 1) * 2.0 + (width & 1));
  }

  private static List<KeyRange> parts(KeyRange range, PositionMap given) {
    boolean isCoarse = width(given, range) < 1 << 20 && range.end().isPresent();
    PositionMap positions =
        isCoarse
            ? PositionMap.of(
                List.of(
                    new PositionMap.Knot(range.start(), 0),
                    new PositionMap.Knot(range.end().orElseThrow(), -1L)))
            : given;
    BigInteger from = new BigInteger(Long.toUnsignedString(positions.position(range.start())));
    BigInteger width = new BigDecimal(width(positions, range)).toBigInteger();
    int digits = Math.max(2 + range.end().map(Bytes::length).orElse(0), 12);
    List<KeyRange> parts = new ArrayList<>();
    Bytes start = range.start();
    for (int i = 1; i < PARTS; i++) {
      BigInteger into = width.multiply(BigInteger.valueOf(i)).divide(BigInteger.valueOf(PARTS));
      Bytes cut = keyAt(positions, digits, from.add(into).longValue());
      if (cut.compareTo(start) > 0 && range.isBelowEnd(cut)) {
        parts.add(KeyRange.of(start, cut));
        start = cut;
      }
    }
    parts.add(KeyRange.between(start, range.end()));
    return parts;
  }

  @Test
  void cutsAreWhereEachDigitIsLookedFor() {
    for (long seed = 0; seed < 300; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      KeyRange range = range(random, random.nextInt(16));
      PositionMap positions = random.nextInt(4) == 0 ? PositionMap.FIRST_BYTES : positions(random);
      assertEquals(
          parts(range, positions),
          new KeyMeasure(range, positions).equalParts(PARTS),
          "seed " + seed);
    }
  }

  /** A range between two keys of the greatest length that differ late was cut for seconds. */
  @Test
  void ofLongKeysLittleIsLookedAt() {
    byte[] same = new byte[Limits.KEY_BYTES_MAX - 10];
    Arrays.fill(same, (byte) 'k');
    Bytes prefix = Bytes.wrap(same);
    KeyRange range = KeyRange.of(prefix.concat(Bytes.of(1)), prefix.concat(Bytes.of(200)));
    for (int i = 0; i < 60; i++) {
      List<KeyRange> parts = new KeyMeasure(range, PositionMap.FIRST_BYTES).equalParts(PARTS);
      assertEquals(PARTS, parts.size());
    }
    KeyRange wide = KeyRange.of(Bytes.EMPTY, prefix);
    for (int i = 0; i < 60; i++) {
      assertEquals(PARTS, new KeyMeasure(wide, PositionMap.FIRST_BYTES).equalParts(PARTS).size());
    }
  }
}
