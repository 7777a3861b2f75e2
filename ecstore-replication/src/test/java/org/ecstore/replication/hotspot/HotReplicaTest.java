package org.ecstore.replication.hotspot;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Optional;
import org.ecstore.core.port.Engine.VersionedWrite;
import org.ecstore.id.Epoch;
import org.ecstore.id.NodeId;
import org.ecstore.id.Position;
import org.ecstore.id.RangeId;
import org.ecstore.key.Bytes;
import org.ecstore.key.KeyRange;
import org.ecstore.model.Row;
import org.junit.jupiter.api.Test;

class HotReplicaTest {
  private static final int KEYS = 100;
  private static final int VERSIONS = 10;

  private final HotReplica hotReplica =
      new HotReplica(
          new HotReplica.Id(new NodeId(1), 1),
          new RangeId(1),
          new Epoch(1),
          KeyRange.ALL,
          1_000,
          0);

  private static Bytes key(int number) {
    return Bytes.utf8("k%03d".formatted(number));
  }

  /** Each key is written at 10, 20, 30 and so on; the value is the position. */
  private void write() {
    hotReplica.fill(new Position(1));
    for (int version = 1; version <= VERSIONS; version++) {
      for (int number = 0; number < KEYS; number++) {
        hotReplica.put(
            new VersionedWrite(
                key(number),
                new Position(10L * version),
                Optional.of(Bytes.utf8("%03d".formatted(10 * version)))));
      }
    }
    hotReplica.close(new Position(10L * VERSIONS));
  }

  private String valueAt(int number, long position) {
    return hotReplica
        .read(key(number), new Position(position))
        .map(Row::value)
        .orElseThrow()
        .toString();
  }

  @Test
  void oldVersionsGoInBoundedSteps() {
    write();
    assertFalse(hotReplica.isPrunable());
    hotReplica.raiseBase(new Position(55));
    assertEquals(new Position(55), hotReplica.base(), "no reader reads below from now on");
    int steps = 0;
    int before = hotReplica.all().size();
    while (hotReplica.isPrunable()) {
      hotReplica.pruneSome(30, KEYS);
      int now = hotReplica.all().size();
      assertTrue(before - now <= 30 + VERSIONS, "a step is bounded");
      before = now;
      steps++;
      for (int number = 0; number < KEYS; number++) {
        assertEquals(Bytes.utf8("050").toString(), valueAt(number, 55));
        assertEquals(Bytes.utf8("100").toString(), valueAt(number, 100));
      }
    }
    assertEquals(KEYS * 6, hotReplica.all().size(), "the last at or below the floor stays");
    assertTrue(steps >= KEYS * 4 / (30 + VERSIONS), steps + " steps");
  }

  @Test
  void aStepLooksAtSoManyKeysAlsoWhereNothingIsOld() {
    write();
    hotReplica.raiseBase(new Position(10));
    int steps = 0;
    while (hotReplica.isPrunable()) {
      hotReplica.pruneSome(30, 7);
      steps++;
    }
    assertEquals((KEYS + 6) / 7, steps);
    assertEquals(KEYS * VERSIONS, hotReplica.all().size());
  }

  @Test
  void aFloorThatMovesMeanwhileBeginsAnotherRound() {
    write();
    long all = hotReplica.bytes();
    hotReplica.raiseBase(new Position(30));
    hotReplica.pruneSome(30, 7);
    hotReplica.raiseBase(new Position(1_000));
    assertEquals(new Position(100), hotReplica.base(), "not above where it is closed");
    while (hotReplica.isPrunable()) {
      hotReplica.pruneSome(30, 7);
    }
    assertEquals(KEYS, hotReplica.all().size());
    assertEquals(all / VERSIONS, hotReplica.bytes(), "all versions are equally large");
    hotReplica.raiseBase(new Position(50));
    assertFalse(hotReplica.isPrunable(), "a base does not fall");
  }

  @Test
  void whatIsNotFilledKeepsAll() {
    hotReplica.put(new VersionedWrite(key(1), new Position(1), Optional.of(Bytes.utf8("v"))));
    hotReplica.raiseBase(new Position(100));
    assertFalse(hotReplica.isPrunable());
    assertEquals(Position.ZERO, hotReplica.base());
  }
}
