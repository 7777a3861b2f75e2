package org.ecstore.sim;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import org.ecstore.core.ledger.LedgerRecord;
import org.ecstore.core.map.MapChange;
import org.ecstore.core.map.RangeDescriptor;
import org.ecstore.core.port.Engine.MetadataEntry;
import org.ecstore.id.Epoch;
import org.ecstore.id.MapVersion;
import org.ecstore.id.NodeId;
import org.ecstore.id.Position;
import org.ecstore.id.RangeId;
import org.ecstore.id.ReadPoint;
import org.ecstore.key.Bytes;
import org.ecstore.key.KeyRange;
import org.ecstore.model.KeyWrite;
import org.ecstore.model.Row;
import org.ecstore.replication.copy.Copy;
import org.ecstore.replication.copy.CopyFollower;
import org.ecstore.replication.message.ReplicationMessage.MapNews;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Copies of one node that go on from the ledger at the same time (rule 11). */
class CopyReplaysTest {
  private static final NodeId SELF = new NodeId(1);
  private static final NodeId OTHER = new NodeId(2);

  private final LoneNode node = new LoneNode(SELF);

  private static Bytes start(int range) {
    return range == 0 ? Bytes.EMPTY : Bytes.of(range);
  }

  private static KeyRange keys(int range, int ranges) {
    return KeyRange.between(
        start(range), range == ranges - 1 ? Optional.empty() : Optional.of(start(range + 1)));
  }

  private static RangeDescriptor followed(long id, KeyRange keys, long epoch) {
    return new RangeDescriptor(new RangeId(id), keys, new Epoch(epoch), OTHER, 1, List.of(SELF));
  }

  /** The node restarts: its copies are closed at these positions, and follow again. */
  private List<Copy> restart(List<Integer> closed) {
    MapChange map = placed(closed);
    node.ledgerView.onMapChange(node.copies::reconcile);
    node.learn(OTHER, map);
    return node.copies.all();
  }

  /** The node has such copies by its notes; the map by which they follow is in the ledger. */
  private MapChange placed(List<Integer> closed) {
    int ranges = closed.size();
    List<RangeDescriptor> placed = new ArrayList<>();
    List<MetadataEntry> metadata = new ArrayList<>();
    for (int i = 0; i < ranges; i++) {
      placed.add(followed(i + 1, keys(i, ranges), 1));
      metadata.add(LoneNode.note(new RangeId(i + 1), keys(i, ranges), closed.get(i)));
    }
    MapChange map = new MapChange(new MapVersion(1), List.of(), placed, "test");
    node.ledger.add(new LedgerRecord.EpochChange(map));
    node.context.incarnation(1);
    node.copies.load(metadata);
    return map;
  }

  private void commit(int commits, SplittableRandom random, int ranges) {
    for (int i = 0; i < commits; i++) {
      Bytes key = Bytes.of(random.nextInt(ranges), random.nextInt(256));
      node.ledger.add(LoneNode.commit(OTHER, key, node.ledger.size() + 1L));
    }
  }

  /** What the ledger has for an interval above one position through another. */
  private List<Row> expected(KeyRange keys, long above, long through) {
    List<Row> rows = new ArrayList<>();
    for (long at = above + 1; at <= through; at++) {
      if (node.ledger.get((int) at - 1) instanceof LedgerRecord.Commit commit) {
        KeyWrite write = commit.writes().getFirst();
        if (keys.contains(write.key())) {
          rows.removeIf(row -> row.key().equals(write.key()));
          rows.add(new Row(write.key(), new Position(at), write.value().orElseThrow()));
        }
      }
    }
    rows.sort((a, b) -> a.key().compareTo(b.key()));
    return rows;
  }

  @Test
  void hundredCopiesReadTheLedgerOnce() {
    SplittableRandom random = new SplittableRandom(1);
    List<Integer> closed = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      closed.add(random.nextInt(500));
    }
    List<Copy> all = restart(closed);
    commit(2_000, random, 100);
    node.entriesMax = 100;
    Position end = new Position(node.ledger.size());
    List<Copy> reached = new ArrayList<>();
    node.reads = 0;
    all.forEach(copy -> node.copies.catchUp(copy, end, () -> reached.add(copy)));
    node.run();
    assertEquals(all, reached);
    assertTrue(node.reads <= 22, () -> node.reads + " reads");
    for (int i = 0; i < all.size(); i++) {
      assertEquals(end, all.get(i).closed());
      assertEquals(
          expected(all.get(i).keys(), closed.get(i), end.value()),
          node.look(all.get(i).keys(), end));
    }
  }

  /** Nothing is committed, and no primary says anything. */
  @Test
  void copiesOfARestartReadOnTogetherAtTheFirstMap() {
    SplittableRandom random = new SplittableRandom(4);
    List<Integer> closed = List.of(300, 100, 200);
    MapChange map = placed(closed);
    commit(1_000, random, closed.size());
    CopyFollower follower =
        new CopyFollower(node.context, node.copies, node.writer, Long.MAX_VALUE);
    node.ledgerView.onMapChange(node.copies::reconcile);
    node.ledgerView.onMapChange(follower::mapChanged);
    node.entriesMax = 100;
    node.learn(OTHER, map);
    Position end = new Position(node.ledger.size());
    assertTrue(node.reads <= 11, () -> node.reads + " reads");
    for (int i = 0; i < closed.size(); i++) {
      Copy copy = node.copies.all().get(i);
      assertEquals(end, copy.closed());
      assertEquals(expected(copy.keys(), closed.get(i), end.value()), node.look(copy.keys(), end));
    }
    node.reads = 0;
    follower.mapChanged();
    node.run();
    assertEquals(0, node.reads, "once for a restart");
  }

  /** What comes of a chunk that waits for room is not overtaken by the next one. */
  @Test
  void chunksGoIntoTheWindowInTheirOrderWhileItIsFull() {
    List<Copy> all = restart(List.of(1, 1));
    SplittableRandom random = new SplittableRandom(5);
    commit(300, random, 2);
    node.entriesMax = 10;
    Position end = new Position(node.ledger.size());
    List<Copy> reached = new ArrayList<>();
    all.forEach(copy -> node.copies.catchUp(copy, end, () -> reached.add(copy)));
    node.context.flush();
    for (int i = 0; reached.size() < 2; i++) {
      assertTrue(i < 10_000, "it comes to an end");
      boolean isFull = i % 7 < 3;
      node.engine.windowBytesMax(isFull ? 1 : Long.MAX_VALUE);
      if (!node.step()) {
        node.passTime();
      }
      all.forEach(copy -> checkClosed(copy, 1));
    }
    assertEquals(end, all.getFirst().closed());
  }

  @Test
  void whoIsFarAheadIsNotHeldUpByWhoIsFarBehind() {
    List<Copy> all = restart(List.of(0, 30_000));
    SplittableRandom random = new SplittableRandom(2);
    commit(30_100, random, 2);
    node.entriesMax = 100;
    List<Copy> reached = new ArrayList<>();
    Position end = new Position(node.ledger.size());
    all.forEach(copy -> node.copies.catchUp(copy, end, () -> reached.add(copy)));
    node.context.flush();
    for (int i = 0; i < 50; i++) {
      node.step();
    }
    assertEquals(List.of(all.get(1)), reached);
    node.run();
    assertEquals(2, reached.size());
  }

  @Test
  void whatOneNeedsIsTrimmedAndTheOthersReadOn() {
    List<Copy> all = restart(List.of(10, 60, 200));
    SplittableRandom random = new SplittableRandom(3);
    commit(300, random, 3);
    node.ledgerFirst = 62;
    List<Copy> reached = new ArrayList<>();
    Position end = new Position(node.ledger.size());
    all.forEach(copy -> node.copies.catchUp(copy, end, () -> reached.add(copy)));
    node.run();
    assertEquals(List.of(all.get(2)), reached);
    assertEquals(Copy.State.LOST, all.get(0).state());
    assertEquals(Copy.State.LOST, all.get(1).state());
    assertFalse(node.copies.isCatchingUp(all.get(0)));
    assertEquals(expected(all.get(2).keys(), 200, end.value()), node.look(all.get(2).keys(), end));
  }

  /** Copies come, go on, are asked for more, and are taken away, at any moment. */
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20})
  void everyCopyHasWhatIsItsOwnWhateverReadsBesideIt(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    int ranges = 2 + random.nextInt(20);
    List<Integer> closed = new ArrayList<>();
    for (int i = 0; i < ranges; i++) {
      closed.add(random.nextInt(random.nextBoolean() ? 20 : 400));
    }
    List<Copy> all = restart(closed);
    commit(500, random, ranges);
    node.entriesMax = 1 + random.nextInt(20);
    int end = node.ledger.size();
    Copy gone = all.get(random.nextInt(ranges));
    int taken = random.nextInt(60);
    for (int step = 0; step < 2_000; step++) {
      if (step == taken) {
        retire(gone);
      }
      Copy copy = all.get(random.nextInt(ranges));
      if (random.nextInt(3) == 0 && node.copies.isCurrent(copy)) {
        Position to = new Position(1 + random.nextInt(end));
        boolean idle = !node.copies.isCatchingUp(copy);
        node.copies.catchUp(
            copy, to, () -> assertTrue(!idle || to.isAtOrBelow(copy.closed()), copy::toString));
        node.context.flush();
      }
      node.step();
      int some = random.nextInt(ranges);
      check(all.get(some), closed.get(some), gone);
    }
    node.run();
    for (int i = 0; i < ranges; i++) {
      check(all.get(i), closed.get(i), gone);
      assertFalse(node.copies.isCatchingUp(all.get(i)));
    }
  }

  /** Another node has the range from now on. */
  private void retire(Copy copy) {
    MapChange away =
        new MapChange(
            new MapVersion(2),
            List.of(copy.id()),
            List.of(
                new RangeDescriptor(
                    new RangeId(1_000), copy.keys(), new Epoch(2), OTHER, 1, List.of())),
            "test");
    node.ledger.add(new LedgerRecord.EpochChange(away));
    node.ledgerView.learn(
        OTHER,
        new MapNews(List.of(away), Optional.empty()),
        new ReadPoint(new Position(node.ledger.size()), new MapVersion(2)));
    node.context.flush();
  }

  /** As far as a copy says that it is closed, it has what the ledger has, and no more is read. */
  private void check(Copy copy, int from, Copy gone) {
    if (!copy.equals(gone)) {
      checkClosed(copy, from);
    }
  }

  private void checkClosed(Copy copy, int from) {
    Position closed = copy.closed();
    long through = Math.max(from, closed.value());
    assertEquals(expected(copy.keys(), from, through), node.look(copy.keys(), closed));
  }
}
