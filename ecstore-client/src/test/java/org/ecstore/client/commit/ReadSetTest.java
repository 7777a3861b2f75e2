package org.ecstore.client.commit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.ecstore.key.Bytes;
import org.ecstore.key.KeyRange;
import org.junit.jupiter.api.Test;

class ReadSetTest {
  @Test
  void aScanThatReturnedNothingIsNoRead() {
    ReadSet set = new ReadSet();
    set.addInterval();
    assertEquals(List.of(), set.intervals());
  }

  @Test
  void mergedIntervalsAndKeysCoverExactlyWhatWasRead() {
    for (long seed = 0; seed < 500; seed++) {
      Random random = new Random(seed);
      ReadSet set = new ReadSet();
      List<KeyRange> ranges = new ArrayList<>();
      List<Bytes> keys = new ArrayList<>();
      for (int i = 0; i < 8; i++) {
        int start = random.nextInt(60);
        KeyRange range =
            random.nextInt(12) == 0
                ? KeyRange.from(Bytes.of(start))
                : KeyRange.of(Bytes.of(start), Bytes.of(start + 1 + random.nextInt(10)));
        set.addInterval().extendTo(range);
        ranges.add(range);
        Bytes key = Bytes.of(random.nextInt(70));
        set.addKey(key);
        keys.add(key);
      }
      List<KeyRange> merged = set.intervals();
      List<Bytes> outside = set.keys(merged);
      for (int i = 1; i < merged.size(); i++) {
        assertTrue(
            merged.get(i - 1).end().orElseThrow().compareTo(merged.get(i).start()) < 0,
            "seed " + seed);
      }
      for (int value = 0; value < 80; value++) {
        Bytes key = Bytes.of(value);
        boolean inRange = ranges.stream().anyMatch(range -> range.contains(key));
        assertEquals(
            inRange, merged.stream().anyMatch(range -> range.contains(key)), "seed " + seed);
        assertEquals(keys.contains(key) && !inRange, outside.contains(key), "seed " + seed);
      }
    }
  }
}
