package org.ecstore.core.overlay;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;

import java.util.ArrayList;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class LongMapTest {
  @Test
  void behavesAsATreeMapAndLeavesOlderMapsAlone() {
    for (long seed = 1; seed <= 30; seed++) {
      Random random = new Random(seed);
      TreeMap<Long, Integer> model = new TreeMap<>();
      LongMap<Integer> map = LongMap.empty();
      for (int step = 0; step < 400; step++) {
        long key = key(random);
        LongMap<Integer> before = map;
        ArrayList<Integer> valuesBefore = new ArrayList<>(model.values());
        if (random.nextInt(3) == 0) {
          model.remove(key);
          map = map.without(key);
        } else {
          model.put(key, step);
          map = map.with(key, step);
        }
        String context = "seed " + seed + " step " + step;
        assertEquals(model.size(), map.size(), context);
        assertEquals(new ArrayList<>(model.values()), map.values(), context);
        assertEquals(valuesBefore, before.values(), context);
        long probe = key(random);
        assertEquals(model.get(probe), map.get(probe), context);
      }
    }
  }

  @Test
  void equalContentsAreEqualHoweverTheyCameAbout() {
    LongMap<String> up = LongMap.empty();
    LongMap<String> down = LongMap.empty();
    for (long key = 0; key < 100; key++) {
      up = up.with(key, "v" + key);
      down = down.with(99 - key, "v" + (99 - key)).with(1000 + key, "gone");
    }
    for (long key = 1000; key < 1100; key++) {
      down = down.without(key);
    }
    assertEquals(up, down);
    assertEquals(up.hashCode(), down.hashCode());
    assertSame(up, up.without(5000));
  }

  private static long key(Random random) {
    return switch (random.nextInt(4)) {
      case 0 -> random.nextInt(8);
      case 1 -> random.nextInt(300);
      case 2 -> Long.MAX_VALUE - random.nextInt(4);
      default -> random.nextLong() & Long.MAX_VALUE & -(1L << random.nextInt(62));
    };
  }
}
