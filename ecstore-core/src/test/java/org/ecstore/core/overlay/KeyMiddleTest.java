package org.ecstore.core.overlay;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Optional;
import java.util.Random;
import org.ecstore.key.Bytes;
import org.ecstore.key.KeyRange;
import org.junit.jupiter.api.Test;

class KeyMiddleTest {
  @Test
  void liesInTheMiddle() {
    assertEquals(Optional.of(Bytes.of(0x80)), KeyMiddle.of(KeyRange.ALL));
    assertEquals(
        Optional.of(Bytes.of(0x11)), KeyMiddle.of(KeyRange.of(Bytes.of(0x10), Bytes.of(0x12))));
    assertEquals(
        Optional.of(Bytes.of(0x10, 0x80)),
        KeyMiddle.of(KeyRange.of(Bytes.of(0x10), Bytes.of(0x11))));
    assertEquals(Optional.of(Bytes.of(0xff, 0x80)), KeyMiddle.of(KeyRange.from(Bytes.of(0xff))));
  }

  @Test
  void aRangeOfOneKeyHasNoMiddle() {
    assertEquals(Optional.empty(), KeyMiddle.of(KeyRange.single(Bytes.utf8("key"))));
    assertEquals(Optional.empty(), KeyMiddle.of(KeyRange.single(Bytes.EMPTY)));
  }

  @Test
  void aRangeOfTwoKeysIsSplitBetweenThem() {
    KeyRange two = KeyRange.of(Bytes.of(5), Bytes.of(5, 0, 0));
    assertEquals(Optional.of(Bytes.of(5, 0)), KeyMiddle.of(two));
  }

  @Test
  void leavesKeysOnBothSides() {
    Random random = new Random(1);
    for (int i = 0; i < 20_000; i++) {
      Bytes a = key(random);
      Bytes b = key(random);
      if (a.compareTo(b) < 0) {
        KeyRange keys = random.nextInt(10) == 0 ? KeyRange.from(a) : KeyRange.of(a, b);
        Optional<Bytes> middle = KeyMiddle.of(keys);
        if (middle.isEmpty()) {
          assertEquals(keys, KeyRange.single(a), "only a single key has no middle");
        } else {
          assertTrue(keys.contains(middle.get()) && !middle.get().equals(a), "in " + keys);
        }
      }
    }
  }

  private static Bytes key(Random random) {
    byte[] key = new byte[random.nextInt(4)];
    for (int i = 0; i < key.length; i++) {
      int dice = random.nextInt(5);
      key[i] = (byte) (dice == 0 ? 0xff : dice < 3 ? dice - 1 : random.nextInt(256));
    }
    return Bytes.wrap(key);
  }
}
