package org.ecstore.tools.attack.attacker;

import java.util.Arrays;
import java.util.SplittableRandom;
import org.ecstore.key.Bytes;

/** Damage to a message: bits, edges of numbers, what is missing and what is too much. */
public final class FrameDamage {
  private static final int[] EDGES = {0x00, 0x01, 0x7f, 0x80, 0xfe, 0xff};
  private static final int HEAD = 3;

  private FrameDamage() {}

  /** A body changed in a few places, mostly behind version, type and correlation. */
  public static Bytes of(Bytes body, SplittableRandom random) {
    Bytes changed = body;
    for (int left = random.nextInt(4); left > 0; left--) {
      changed = damage(changed, random);
    }
    return changed;
  }

  private static Bytes damage(Bytes bytes, SplittableRandom random) {
    byte[] array = bytes.array().clone();
    if (array.length == 0) {
      return Bytes.of(random.nextInt(256));
    }
    int from = random.nextInt(10) == 0 ? 0 : Math.min(HEAD, array.length - 1);
    int at = from + random.nextInt(array.length - from);
    switch (random.nextInt(8)) {
      case 0, 1, 2 -> array[at] ^= (byte) (1 << random.nextInt(8));
      case 3 -> array[at] = (byte) EDGES[random.nextInt(EDGES.length)];
      case 4 -> array[at] = (byte) random.nextInt(256);
      case 5 -> Arrays.fill(array, at, Math.min(array.length, at + 8), (byte) 0xff);
      case 6 -> array = Arrays.copyOf(array, at);
      default -> array = Arrays.copyOf(array, array.length + 1 + random.nextInt(8));
    }
    return Bytes.wrap(array);
  }
}
