package org.ecstore.core.map;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import org.ecstore.check.Check;
import org.ecstore.id.Epoch;
import org.ecstore.id.MapVersion;
import org.ecstore.id.NodeId;
import org.ecstore.id.RangeId;
import org.ecstore.key.Bytes;
import org.ecstore.key.KeyRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class RangeMapTest {
  private static final Bytes A = Bytes.utf8("a");
  private static final Bytes B = Bytes.utf8("b");

  private static RangeDescriptor range(long id, KeyRange keys) {
    return new RangeDescriptor(new RangeId(id), keys, new Epoch(1), new NodeId(1), 1, List.of());
  }

  private static RangeMap whole() {
    return RangeMap.of(new MapVersion(1), List.of(range(1, KeyRange.ALL)));
  }

  private static RangeMap changed(RangeMap map, List<Long> retired, RangeDescriptor... placed) {
    return map.apply(
        new MapChange(
            map.version().next(),
            retired.stream().map(RangeId::new).toList(),
            List.of(placed),
            "test"));
  }

  @Test
  void theFirstRangesOfAnIntervalAreThoseThatOverlapItFromItsStart() {
    Bytes c = Bytes.utf8("c");
    RangeDescriptor one = range(1, KeyRange.of(Bytes.EMPTY, A));
    RangeDescriptor two = range(2, KeyRange.of(A, B));
    RangeDescriptor three = range(3, KeyRange.of(B, c));
    RangeDescriptor four = range(4, KeyRange.from(c));
    RangeMap map = RangeMap.of(new MapVersion(1), List.of(one, two, three, four));
    KeyRange behindA = KeyRange.from(A.successor());
    assertEquals(List.of(one, two, three, four), map.overlapping(KeyRange.ALL));
    assertEquals(List.of(two, three), map.overlapping(behindA, 2));
    assertEquals(List.of(two, three, four), map.overlapping(behindA, 4));
    assertEquals(List.of(three), map.overlapping(KeyRange.of(B, c), 4));
  }

  /** Splits and merges at random, held against a map made of what should be there. */
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4})
  void changesGiveWhatIsThereAfterThem(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    List<RangeDescriptor> expected = new ArrayList<>(whole().ranges());
    RangeMap map = whole();
    for (long id = 2; id < 400; id++) {
      int index = random.nextInt(expected.size());
      RangeDescriptor old = expected.get(index);
      if (index + 1 < expected.size() && random.nextInt(3) == 0) {
        RangeDescriptor next = expected.remove(index + 1);
        RangeDescriptor merged = range(id, KeyRange.between(old.keys().start(), next.keys().end()));
        expected.set(index, merged);
        map = changed(map, List.of(old.id().value(), next.id().value()), merged);
      } else {
        Bytes at = Bytes.of(random.nextInt(256), random.nextInt(256));
        if (!old.keys().contains(at) || old.keys().start().equals(at)) {
          continue;
        }
        RangeDescriptor left = range(old.id().value(), KeyRange.of(old.keys().start(), at));
        RangeDescriptor right = range(id, KeyRange.between(at, old.keys().end()));
        expected.set(index, left);
        expected.add(index + 1, right);
        map = changed(map, List.of(old.id().value()), left, right);
      }
      assertEquals(expected, map.ranges());
      assertEquals(RangeMap.of(map.version(), expected), map);
      Bytes key = Bytes.of(random.nextInt(256), random.nextInt(256), 7);
      RangeDescriptor owner = map.rangeOf(key).orElseThrow();
      assertEquals(
          expected.stream().filter(one -> one.keys().contains(key)).findFirst(),
          Optional.of(owner));
      assertEquals(Optional.of(owner), map.range(owner.id()));
    }
  }

  @Test
  void aVersionStaysAsItIs() {
    RangeMap before = whole();
    RangeMap after =
        changed(
            before, List.of(1L), range(1, KeyRange.of(Bytes.EMPTY, A)), range(2, KeyRange.from(A)));
    assertEquals(1, before.ranges().size());
    assertEquals(2, after.ranges().size());
  }

  @Test
  void changesThatLeaveAGapAreBugs() {
    RangeMap two =
        changed(
            whole(),
            List.of(1L),
            range(1, KeyRange.of(Bytes.EMPTY, A)),
            range(2, KeyRange.from(A)));
    assertThrows(Check.Failed.class, () -> changed(two, List.of(1L)));
    assertThrows(Check.Failed.class, () -> changed(two, List.of(2L)));
    assertThrows(Check.Failed.class, () -> changed(two, List.of(2L), range(2, KeyRange.from(B))));
    assertThrows(Check.Failed.class, () -> changed(two, List.of(2L), range(2, KeyRange.of(A, B))));
    assertThrows(Check.Failed.class, () -> changed(two, List.of(1L), range(1, KeyRange.of(A, B))));
    assertThrows(
        Check.Failed.class, () -> changed(RangeMap.EMPTY, List.of(), range(1, KeyRange.from(A))));
  }

  @Test
  void changesThatOverlapOrRepeatAreBugs() {
    RangeMap two =
        changed(
            whole(),
            List.of(1L),
            range(1, KeyRange.of(Bytes.EMPTY, A)),
            range(2, KeyRange.from(A)));
    assertThrows(
        Check.Failed.class, () -> changed(two, List.of(1L), range(1, KeyRange.of(Bytes.EMPTY, B))));
    assertThrows(Check.Failed.class, () -> changed(two, List.of(), range(3, KeyRange.from(B))));
    assertThrows(Check.Failed.class, () -> changed(two, List.of(), range(3, KeyRange.from(A))));
    assertThrows(Check.Failed.class, () -> changed(two, List.of(7L)));
    assertThrows(
        Check.Failed.class,
        () -> changed(two, List.of(2L), range(1, KeyRange.of(A, B)), range(2, KeyRange.from(B))));
  }
}
