package org.ecstore.core.testing;

import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.ecstore.key.Bytes;

/** Byte strings that decoders should not trust: valid ones damaged, and plain noise. */
public final class Mutations {
  private static final int[] EDGES = {0x00, 0x01, 0x7f, 0x80, 0xfe, 0xff};

  private final SplittableRandom random;
  private final List<Bytes> valid;

  /** Damages these, which a seed decides how. */
  public Mutations(long seed, List<Bytes> valid) {
    this.random = new SplittableRandom(seed);
    this.valid = List.copyOf(valid);
  }

  /** The next one. */
  public Bytes next() {
    if (random.nextInt(10) == 0) {
      byte[] noise = new byte[random.nextInt(64)];
      random.nextBytes(noise);
      return Bytes.wrap(noise);
    }
    Bytes bytes = valid.get(random.nextInt(valid.size()));
    for (int left = random.nextInt(1, 4); left > 0; left--) {
      bytes = damage(bytes);
    }
    return bytes;
  }

  private Bytes damage(Bytes bytes) {
    if (bytes.length() == 0) {
      return Bytes.of(random.nextInt(256));
    }
    int at = random.nextInt(bytes.length());
    byte[] array = bytes.array().clone();
    switch (random.nextInt(6)) {
      case 0 -> array[at] ^= (byte) (1 << random.nextInt(8));
      case 1 -> array[at] = (byte) EDGES[random.nextInt(EDGES.length)];
      case 2 -> Arrays.fill(array, at, Math.min(array.length, at + 5), (byte) 0xff);
      case 3 -> array = Arrays.copyOf(array, at);
      case 4 -> {
        byte[] longer = Arrays.copyOf(array, array.length + 1);
        System.arraycopy(array, at, longer, at + 1, array.length - at);
        array = longer;
      }
      default -> {
        Bytes other = valid.get(random.nextInt(valid.size()));
        array = bytes.slice(0, at).concat(other).array();
      }
    }
    return Bytes.wrap(array);
  }
}
