package org.ecstore.replication.quorum;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.LongStream;
import org.ecstore.id.Epoch;
import org.ecstore.id.Position;
import org.ecstore.id.RangeId;
import org.junit.jupiter.api.Test;

class PositionWaitsTest {
  private static final int WAITING = 1_000;

  private final PositionWaits waits = new PositionWaits(WAITING);
  private final List<Long> woken = new ArrayList<>();
  private long closed;
  private int looks;

  private static PositionWaits.Queue queue(long range, int copies) {
    return new PositionWaits.Queue(new RangeId(range), new Epoch(1), copies);
  }

  private void await(PositionWaits.Queue queue, long position, long untilNanos) {
    waits.add(
        queue,
        new Position(position),
        () -> {
          looks++;
          return position <= closed;
        },
        untilNanos,
        () -> woken.add(position));
  }

  @Test
  void aLookEndsWithTheFirstWhoMustWaitOn() {
    List<Long> positions = new ArrayList<>(LongStream.rangeClosed(1, WAITING).boxed().toList());
    Collections.shuffle(positions, new Random(1));
    positions.forEach(position -> await(queue(1, 2), position, 10));
    for (closed = 0; closed <= WAITING; closed++) {
      waits.wake();
      assertEquals(closed, woken.size());
    }
    assertEquals(LongStream.rangeClosed(1, WAITING).boxed().toList(), woken);
    assertEquals(0, waits.size());
    assertTrue(looks <= 2 * WAITING + 1, () -> looks + " looks");
  }

  @Test
  void queuesDoNotWaitForEachOther() {
    await(queue(1, 2), 50, 10);
    await(queue(1, 3), 5, 10);
    await(queue(2, 2), 7, 10);
    closed = 9;
    waits.wake();
    assertEquals(List.of(5L, 7L), woken);
    assertEquals(1, waits.size());
  }

  @Test
  void aLateWaitEndsWhereverItStands() {
    await(queue(1, 2), 3, 10);
    await(queue(1, 2), 4, 5);
    await(queue(1, 2), 4, 20);
    waits.expire(9);
    assertEquals(List.of(4L), woken);
    waits.expire(10);
    assertEquals(List.of(4L, 3L), woken);
    closed = 4;
    waits.wake();
    assertEquals(List.of(4L, 3L, 4L), woken);
    assertEquals(0, waits.size());
  }

  @Test
  void oneMoreThanMayWaitEndsAtOnce() {
    for (long position = 1; position <= WAITING; position++) {
      await(queue(position % 7, 2), position, 10);
    }
    await(queue(8, 2), 0, 10);
    assertEquals(List.of(0L), woken);
    assertEquals(WAITING, waits.size());
  }
}
