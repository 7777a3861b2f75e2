package org.ecstore.engines.je;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.Comparator;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import org.ecstore.id.Position;
import org.ecstore.key.Bytes;
import org.junit.jupiter.api.Test;

final class VersionKeyPropertyTest {
  private record Version(Bytes key, Position position, boolean tombstone) {
    byte[] record() {
      return VersionKey.of(key, position, tombstone);
    }
  }

  private static final Comparator<Version> ORDER =
      Comparator.comparing(Version::key)
          .thenComparing(Comparator.comparing(Version::position).reversed())
          .thenComparing(Version::tombstone);

  private static Version random(RandomGenerator random) {
    byte[] key = new byte[random.nextInt(5)];
    for (int i = 0; i < key.length; i++) {
      int[] hard = {0, 0, 1, 0x7f, 0x80, 0xfe, 0xff};
      key[i] = (byte) hard[random.nextInt(hard.length)];
    }
    long position =
        switch (random.nextInt(4)) {
          case 0 -> random.nextLong(4);
          case 1 -> Long.MAX_VALUE - random.nextLong(4);
          default -> random.nextLong(Long.MAX_VALUE);
        };
    return new Version(Bytes.wrap(key), new Position(position), random.nextBoolean());
  }

  @Test
  void recordsOrderByKeyAndThenFromTheNewestVersionDown() {
    RandomGenerator random = new SplittableRandom(1);
    for (int i = 0; i < 200_000; i++) {
      Version a = random(random);
      Version b = random(random);
      assertEquals(
          Integer.signum(ORDER.compare(a, b)),
          Integer.signum(Arrays.compareUnsigned(a.record(), b.record())),
          () -> a + " " + b);
      assertEquals(a.key().equals(b.key()), VersionKey.sameKey(a.record(), b.record()));
    }
  }

  @Test
  void recordsGiveBackWhatTheyWereMadeOf() {
    RandomGenerator random = new SplittableRandom(2);
    for (int i = 0; i < 100_000; i++) {
      Version version = random(random);
      byte[] record = version.record();
      assertEquals(
          version,
          new Version(
              VersionKey.key(record), VersionKey.version(record), VersionKey.isTombstone(record)));
    }
  }

  @Test
  void boundsEncloseTheVersionsOfAKey() {
    RandomGenerator random = new SplittableRandom(3);
    for (int i = 0; i < 100_000; i++) {
      Version a = random(random);
      byte[] record = random(random).record();
      byte[] first = VersionKey.first(a.record());
      assertTrue(Arrays.equals(first, VersionKey.first(a.key())));
      assertTrue(Arrays.compareUnsigned(first, a.record()) < 0);
      assertTrue(Arrays.compareUnsigned(VersionKey.afterAll(a.record()), a.record()) > 0);
      boolean within =
          Arrays.compareUnsigned(first, record) <= 0
              && Arrays.compareUnsigned(record, VersionKey.afterAll(a.record())) < 0;
      assertEquals(VersionKey.sameKey(record, a.record()), within);
    }
  }
}
