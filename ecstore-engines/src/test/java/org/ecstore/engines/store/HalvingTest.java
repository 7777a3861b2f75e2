package org.ecstore.engines.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.TreeSet;
import org.ecstore.key.Bytes;
import org.junit.jupiter.api.Test;

final class HalvingTest {
  @Test
  void whatIsBetweenTwoKeysIsBetweenThem() {
    SplittableRandom random = new SplittableRandom(1);
    for (int i = 0; i < 20_000; i++) {
      Bytes a = key(random);
      Bytes b = key(random);
      if (a.compareTo(b) < 0) {
        Bytes middle = Halving.between(a, b);
        assertTrue(a.compareTo(middle) <= 0, () -> a + " " + middle + " " + b);
        assertTrue(middle.compareTo(b) < 0, () -> a + " " + middle + " " + b);
      }
    }
  }

  private static Bytes key(SplittableRandom random) {
    byte[] key = new byte[random.nextInt(12)];
    for (int i = 0; i < key.length; i++) {
      key[i] = (byte) (random.nextInt(3) == 0 ? 0xff : random.nextInt(3));
    }
    return Bytes.wrap(key);
  }

  @Test
  void keysThatTouchHaveOneOfThemBetween() {
    Bytes key = Bytes.utf8("a");
    assertEquals(key, Halving.between(key, key.successor()));
    assertEquals(key.successor(), Halving.place(key, key.successor(), any -> 10));
  }

  @Test
  void aPlaceHalvesKeysHoweverTheyLie() {
    SplittableRandom random = new SplittableRandom(2);
    for (int prefix : new int[] {0, 1, 9, 300}) {
      TreeSet<Bytes> keys = new TreeSet<>();
      for (int i = 0; i < 1_000; i++) {
        // Most of them lie close together.
        String number = i % 10 == 0 ? "9" + random.nextInt(1_000_000) : "00000001" + i;
        keys.add(Bytes.utf8("p".repeat(prefix) + number));
      }
      List<Bytes> sorted = new ArrayList<>(keys);
      Bytes place =
          Halving.place(sorted.getFirst(), sorted.getLast(), key -> keys.headSet(key).size());
      int below = keys.headSet(place).size();
      assertTrue(below > sorted.size() / 3 && below < sorted.size() * 2 / 3, prefix + ": " + below);
    }
  }
}
