package org.ecstore.key;

import java.math.BigDecimal;
import java.time.Instant;
import java.time.LocalDate;
import java.util.SplittableRandom;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Random tuples from a seed, of values that lie close together and at the edges of their types. */
final class RandomTuples {
  private static final int[] CODE_POINTS = {
    0, 1, 'a', 'b', 0x7f, 0x80, 0x7ff, 0x800, 0xd7ff, 0xe000, 0xffff, 0x10000, 0x10ffff
  };
  private static final double[] REALS = {
    0.0,
    -0.0,
    1,
    -1,
    Double.MIN_VALUE,
    -Double.MIN_VALUE,
    Double.MAX_VALUE,
    Double.NaN,
    Double.POSITIVE_INFINITY,
    Double.NEGATIVE_INFINITY
  };
  private static final int[] BYTE_VALUES = {0, 1, 0x7f, 0x80, 0xfe, 0xff};

  private final SplittableRandom random;

  RandomTuples(long seed) {
    random = new SplittableRandom(seed);
  }

  Tuple next() {
    @Nullable Object[] elements = new @Nullable Object[random.nextInt(4)];
    for (int i = 0; i < elements.length; i++) {
      elements[i] = element();
    }
    return Tuple.of(elements);
  }

  @Nullable Object element() {
    return random.nextInt(4) == 0 ? Tuple.desc(ascending()) : ascending();
  }

  private @Nullable Object ascending() {
    return switch (random.nextInt(10)) {
      case 0 -> null;
      case 1 -> bytes();
      case 2 -> string();
      case 3 -> number();
      case 4 -> new UUID(number(), number());
      case 5 -> random.nextBoolean();
      case 6 -> real();
      case 7 -> date();
      case 8 -> decimal();
      default -> instant();
    };
  }

  private double real() {
    return switch (random.nextInt(3)) {
      case 0 -> REALS[random.nextInt(REALS.length)];
      case 1 -> Double.longBitsToDouble(number());
      default -> number() / 8.0;
    };
  }

  private LocalDate date() {
    return switch (random.nextInt(4)) {
      case 0 -> LocalDate.MIN.plusDays(random.nextInt(3));
      case 1 -> LocalDate.MAX.minusDays(random.nextInt(3));
      default -> LocalDate.EPOCH.plusDays(random.nextInt(-3, 4));
    };
  }

  private BigDecimal decimal() {
    return switch (random.nextInt(3)) {
      case 0 -> BigDecimal.valueOf(random.nextInt(-110, 111), random.nextInt(-2, 3));
      case 1 -> BigDecimal.valueOf(number(), random.nextInt(-20, 21));
      default -> BigDecimal.valueOf(number(), random.nextInt() / 2 * 2);
    };
  }

  private Bytes bytes() {
    byte[] array = new byte[random.nextInt(4)];
    for (int i = 0; i < array.length; i++) {
      array[i] = (byte) BYTE_VALUES[random.nextInt(BYTE_VALUES.length)];
    }
    return Bytes.wrap(array);
  }

  private String string() {
    StringBuilder text = new StringBuilder();
    for (int left = random.nextInt(4); left > 0; left--) {
      text.appendCodePoint(CODE_POINTS[random.nextInt(CODE_POINTS.length)]);
    }
    return text.toString();
  }

  /** Around the powers of two, of both signs; sometimes anything. */
  private long number() {
    if (random.nextInt(4) == 0) {
      return random.nextLong();
    }
    long power = 1L << random.nextInt(64);
    return (random.nextBoolean() ? power : -power) + random.nextInt(-2, 3);
  }

  private Instant instant() {
    return switch (random.nextInt(4)) {
      case 0 -> Instant.MIN.plusNanos(random.nextInt(3));
      case 1 -> Instant.MAX.minusNanos(random.nextInt(3));
      case 2 -> Instant.EPOCH.plusNanos(random.nextInt(-3, 4));
      default ->
          Instant.ofEpochSecond(
              random.nextLong(Instant.MIN.getEpochSecond(), Instant.MAX.getEpochSecond() + 1),
              random.nextInt(1_000_000_000));
    };
  }
}
