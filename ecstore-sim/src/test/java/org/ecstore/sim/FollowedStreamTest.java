package org.ecstore.sim;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Optional;
import java.util.stream.LongStream;
import org.ecstore.core.ledger.LedgerRecord;
import org.ecstore.core.map.MapChange;
import org.ecstore.core.map.RangeDescriptor;
import org.ecstore.core.port.Engine.MetadataEntry;
import org.ecstore.core.port.Engine.VersionedWrite;
import org.ecstore.id.Epoch;
import org.ecstore.id.MapVersion;
import org.ecstore.id.NodeId;
import org.ecstore.id.Position;
import org.ecstore.id.RangeId;
import org.ecstore.key.Bytes;
import org.ecstore.key.KeyRange;
import org.ecstore.replication.copy.Copy;
import org.ecstore.replication.copy.CopyFollower;
import org.ecstore.replication.message.ReplicationMessage.StreamUpdate;
import org.ecstore.wire.WireWriter;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The secondary's end of a stream, over an engine that writes nothing for a while. */
class FollowedStreamTest {
  private static final NodeId SELF = new NodeId(1);
  private static final NodeId PRIMARY = new NodeId(2);
  private static final RangeId RANGE = new RangeId(1);
  private static final Epoch EPOCH = new Epoch(1);
  private static final int VALUE_BYTES = 100;
  private static final long ROOM_BYTES = 500;

  private final LoneNode node = new LoneNode(SELF);
  private final CopyFollower follower =
      new CopyFollower(node.context, node.copies, node.writer, ROOM_BYTES);

  /** A change of the map by which this node follows under an epoch. */
  private MapChange change(Epoch epoch, RangeId... retired) {
    RangeDescriptor placed =
        new RangeDescriptor(RANGE, KeyRange.ALL, epoch, PRIMARY, 1, List.of(SELF));
    MapChange change =
        new MapChange(new MapVersion(epoch.value()), List.of(retired), List.of(placed), "test");
    node.ledger.add(new LedgerRecord.EpochChange(change));
    return change;
  }

  @BeforeEach
  void follows() {
    MapChange map = change(EPOCH);
    WireWriter entry = new WireWriter().u8(2).rangeId(RANGE).epoch(EPOCH);
    entry.range(KeyRange.ALL).position(Position.ZERO).position(new Position(1));
    node.context.incarnation(1);
    node.ledgerView.onMapChange(node.copies::reconcile);
    node.ledgerView.onMapChange(follower::mapChanged);
    node.copies.load(
        List.of(new MetadataEntry(Bytes.utf8("copy/1"), Optional.of(entry.toBytes()))));
    node.learn(PRIMARY, map);
    assertEquals(Copy.State.FOLLOWING, copy().state());
  }

  private Copy copy() {
    return node.copies.all().getFirst();
  }

  /** What the primary says of a secondary that it knows to be closed at 1. */
  private void says(long through) {
    List<VersionedWrite> writes =
        LongStream.rangeClosed(2, through)
            .mapToObj(
                at ->
                    new VersionedWrite(
                        Bytes.of((int) at),
                        new Position(at),
                        Optional.of(Bytes.wrap(new byte[VALUE_BYTES]))))
            .toList();
    follower.update(
        PRIMARY, new StreamUpdate(RANGE, EPOCH, new Position(1), new Position(through), writes));
    node.run();
  }

  /** A metadata entry for which there is no room is before all that comes. */
  private void stop() {
    node.full(true);
    node.writer.apply(
        List.of(),
        List.of(new MetadataEntry(Bytes.utf8("test"), Optional.of(Bytes.EMPTY))),
        () -> {});
    node.run();
  }

  /** A primary knows a change of the map first, and begins its streams at once. */
  @Test
  void whatComesBeforeTheMapIsTakenWithTheMap() {
    Epoch next = new Epoch(2);
    MapChange map = change(next, RANGE);
    Position last = new Position(2);
    follower.update(PRIMARY, new StreamUpdate(RANGE, next, last, last, List.of()));
    node.run();
    assertEquals(new Position(1), copy().closed());
    node.learn(PRIMARY, map);
    assertEquals(next, copy().epoch());
    assertEquals(last, copy().closed());
  }

  @Test
  void whatWaitsForTheEngineIsTakenOnce() {
    stop();
    says(3);
    assertEquals(2, node.writer.waitingWrites());
    says(3);
    says(3);
    assertEquals(2, node.writer.waitingWrites());
    says(4);
    assertEquals(3, node.writer.waitingWrites());
    node.full(false);
    node.passTime();
    assertEquals(new Position(4), copy().closed());
    assertEquals(0, node.writer.waitingWrites());
    assertEquals(3, node.look(KeyRange.ALL, new Position(4)).size());
  }

  @Test
  void noMoreIsTakenThanThereIsRoomFor() {
    stop();
    for (long through = 2; through <= 100; through++) {
      says(through);
    }
    long waiting = node.writer.waitingWrites() * (VALUE_BYTES + 1);
    assertTrue(waiting <= ROOM_BYTES + VALUE_BYTES + 1, () -> waiting + " bytes");
    node.full(false);
    node.passTime();
    says(100);
    assertEquals(new Position(100), copy().closed());
    assertEquals(0, node.writer.waitingWrites());
    assertEquals(99, node.look(KeyRange.ALL, new Position(100)).size());
  }

  @Test
  void nothingIsTakenWhileTheWindowIsFull() {
    says(3);
    node.engine.windowBytesMax(1);
    says(4);
    assertEquals(new Position(3), copy().closed());
    assertEquals(2, node.look(KeyRange.ALL, new Position(4)).size());
    node.engine.windowBytesMax(Long.MAX_VALUE);
    says(4);
    assertEquals(new Position(4), copy().closed());
    assertEquals(3, node.look(KeyRange.ALL, new Position(4)).size());
  }
}
