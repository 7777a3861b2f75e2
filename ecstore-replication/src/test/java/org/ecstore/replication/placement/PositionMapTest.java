package org.ecstore.replication.placement;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.ecstore.key.Bytes;
import org.ecstore.replication.placement.PositionMap.Knot;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Test;

class PositionMapTest {
  private static final int[] BYTES = {0, 1, 0x7f, 0x80, 0xff};

  private static Bytes random(Random random) {
    // Few different bytes, so that prefixes are shared and keys are prefixes of others.
    byte[] bytes = new byte[random.nextInt(12)];
    for (int i = 0; i < bytes.length; i++) {
      bytes[i] = (byte) BYTES[random.nextInt(BYTES.length)];
    }
    return Bytes.wrap(bytes);
  }

  @RepeatedTest(50)
  void aGreaterKeyNeverHasALesserPosition(RepetitionInfo repetition) {
    Random random = new Random(repetition.getCurrentRepetition());
    List<Bytes> sample = new ArrayList<>();
    for (int i = random.nextInt(60); i > 0; i--) {
      sample.add(random(random));
    }
    PositionMap map = PositionMap.fitted(sample, random.nextInt(40));
    List<Bytes> keys = new ArrayList<>(sample);
    for (int i = 0; i < 300; i++) {
      keys.add(random(random));
    }
    Collections.sort(keys);
    for (int i = 1; i < keys.size(); i++) {
      long before = map.position(keys.get(i - 1));
      long at = map.position(keys.get(i));
      assertTrue(
          Long.compareUnsigned(before, at) <= 0, keys.get(i - 1) + " " + keys.get(i) + " " + map);
    }
  }

  @Test
  void theFirstBytesAreTheDefault() {
    assertEquals(0, PositionMap.FIRST_BYTES.position(Bytes.EMPTY));
    assertEquals(
        0x0102030405060708L, PositionMap.FIRST_BYTES.position(Bytes.of(1, 2, 3, 4, 5, 6, 7, 8, 9)));
    assertEquals(0xff00000000000000L, PositionMap.FIRST_BYTES.position(Bytes.of(0xff)));
  }

  @Test
  void betweenKnotsOnlyWhatTheyDifferInCounts() {
    PositionMap map =
        PositionMap.of(
            List.of(
                new Knot(Bytes.utf8("user0000"), 1L << 62),
                new Knot(Bytes.utf8("user0008"), 3L << 62)));
    assertEquals(1L << 62, map.position(Bytes.utf8("user0000")));
    assertEquals(1L << 63, map.position(Bytes.utf8("user0004")));
    assertEquals(3L << 62, map.position(Bytes.utf8("user0008")));
  }

  @Test
  void aSampleOfOneKeyOverAndOverIsNoTrouble() {
    PositionMap map = PositionMap.fitted(Collections.nCopies(10, Bytes.utf8("k")), 5);
    assertEquals(1, map.knots().size());
  }

  @Test
  void knotsThatDoNotAscendAreRefused() {
    Knot a = new Knot(Bytes.utf8("a"), 5);
    Knot b = new Knot(Bytes.utf8("b"), 4);
    assertThrows(IllegalArgumentException.class, () -> PositionMap.of(List.of(a, b)));
    assertThrows(IllegalArgumentException.class, () -> PositionMap.of(List.of(a, a)));
    assertThrows(IllegalArgumentException.class, () -> PositionMap.fitted(List.of(), -1));
  }
}
