package org.ecstore.engines.window;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import org.ecstore.core.port.Engine.VersionedWrite;
import org.ecstore.id.Position;
import org.ecstore.key.Bytes;
import org.ecstore.model.AtomicOp;
import org.ecstore.model.Mutation;
import org.ecstore.wire.WireWriter;
import org.junit.jupiter.api.Test;

/** A key with many versions, some of which come late, against a map of them. */
class WindowKeyTest {
  private static final Bytes KEY = Bytes.utf8("k");

  private static OffHeapValues values() {
    return new OffHeapValues(new ValueSizes(1, 8, 64), new ReaderPins(), WindowRules.RIGHT);
  }

  private static VersionedWrite write(long version, Random random) {
    Bytes number = new WireWriter().i64(random.nextInt(1_000)).toBytes();
    return new VersionedWrite(
        KEY,
        new Position(version),
        random.nextInt(20) == 0
            ? new Mutation.Put(number)
            : new Mutation.Operation(AtomicOp.ADD, number));
  }

  @Test
  void findsWhatAMapFinds() {
    for (int seed = 0; seed < 60; seed++) {
      run(new Random(seed));
    }
  }

  private static void run(Random random) {
    WindowKey key = new WindowKey(KEY);
    OffHeapValues values = values();
    TreeMap<Long, VersionedWrite> model = new TreeMap<>();
    long bytes = 0;
    int versions = 0;
    long top = 0;
    long dropped = 0;
    for (int step = 0; step < 1_500; step++) {
      int drawn = random.nextInt(100);
      WindowKey.Change change = WindowKey.Change.NONE;
      if (drawn < 85 || model.isEmpty()) {
        top += 1 + random.nextInt(3);
        long version = drawn < 20 && top - 9 > dropped ? top - random.nextInt(9) : top;
        VersionedWrite write = write(version, random);
        WindowKey.Change put = key.put(write, values);
        values.rest();
        assertNotNull(put);
        change = put;
        model.putIfAbsent(version, write);
        if (change.versions() == 0 && change.bytes() != 0) {
          model.put(version, write); // A value takes an operation's place.
        }
      } else if (drawn < 97) {
        check(key, model, dropped + random.nextInt((int) (top - dropped) + 2));
      } else {
        long through = dropped + random.nextInt((int) Math.max(1, (top - dropped) / 2));
        if (model.higherKey(through) != null) {
          Long last = model.floorKey(through);
          WindowVersion there = key.atOrBelow(through);
          if (drawn == 97 && there != null && WindowValue.of(there).isWithinWindow()) {
            Optional<Bytes> value = WindowValue.of(there).value();
            change = key.settle(there, value);
            model.headMap(last).clear();
            model.put(last, new VersionedWrite(KEY, new Position(last), value));
          } else {
            change = key.dropThrough(through);
            model.headMap(through, true).clear();
          }
          dropped = through;
        }
      }
      versions += change.versions();
      bytes += change.bytes();
      assertEquals(model.size(), versions);
      assertEquals(
          model.values().stream().mapToLong(each -> WindowVersion.bytes(each.mutation())).sum(),
          bytes);
    }
    for (long at = dropped; at <= top + 1; at++) {
      check(key, model, at);
    }
  }

  private static void check(WindowKey key, TreeMap<Long, VersionedWrite> model, long at) {
    Map.Entry<Long, VersionedWrite> expected = model.floorEntry(at);
    WindowVersion found = key.atOrBelow(at);
    assertEquals(expected == null ? -1L : expected.getKey(), found == null ? -1L : found.version());
    if (found != null && expected != null) {
      assertEquals(expected.getValue().mutation().isOperation(), found.isOperation());
      Optional<Bytes> value = Optional.empty();
      boolean isWithin = false;
      for (VersionedWrite each : model.headMap(at, true).values()) {
        isWithin |= !each.mutation().isOperation();
        value = each.mutation().after(value);
      }
      assertEquals(isWithin, WindowValue.of(found).isWithinWindow() && isWithin);
      if (isWithin) {
        assertEquals(value, WindowValue.of(found).value());
      }
    }
  }

  /** As a counter has them that is added to for ten seconds. */
  @Test
  void manyVersionsAreAppliedWithoutDeepCalls() {
    WindowKey key = new WindowKey(KEY);
    OffHeapValues values = values();
    Random random = new Random(1);
    for (long version = 1; version <= 400_000; version++) {
      key.put(write(version, random), values);
    }
    WindowVersion newest = key.newest();
    assertNotNull(newest);
    assertTrue(
        WindowValue.of(newest).over(Optional.empty(), (row, each) -> false, true).isPresent());
    assertTrue(newest.isKnown());
    key.put(write(399_999, random), values);
    assertEquals(-400_000 + 10, key.dropThrough(399_990).versions());
    WindowVersion found = key.atOrBelow(399_995);
    assertNotNull(found);
    assertEquals(399_995, found.version());
  }
}
