package org.ecstore.bench.elastic;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.Optional;
import org.ecstore.bench.elastic.ClusterSight.HeldCopy;
import org.ecstore.bench.elastic.ClusterSight.Share;
import org.ecstore.id.NodeId;
import org.ecstore.id.RangeId;
import org.ecstore.key.Bytes;
import org.ecstore.key.KeyRange;
import org.ecstore.model.CopyState;
import org.junit.jupiter.api.Test;

class MovedBytesTest {
  private final MovedBytes moved = new MovedBytes(7);
  private final MadeUpSight sight = MadeUpSight.of(3);

  @Test
  void aCopyThatANodeDidNotHaveCountsOnce() {
    moved.see(sight.get());
    assertEquals(0, moved.bytes());
    sight.copy(new NodeId(1), 2, CopyState.BUILDING);
    moved.see(sight.get());
    sight.copy(new NodeId(1), 2, CopyState.FOLLOWING);
    moved.see(sight.get());
    assertEquals(1, moved.copies());
    assertEquals(MadeUpSight.BYTES, moved.bytes());
  }

  @Test
  void aNodeThatIsSilentForAWhileHasGotNothing() {
    moved.see(sight.get());
    List<HeldCopy> held = sight.copies.remove(new NodeId(2));
    moved.see(sight.get());
    sight.copies.put(new NodeId(2), List.copyOf(held));
    moved.see(sight.get());
    assertEquals(0, moved.copies());
  }

  @Test
  void halvesOfASplitRangeAreNoCopies() {
    moved.see(sight.get());
    Bytes middle = Bytes.utf8("k1m");
    KeyRange left = KeyRange.between(MadeUpSight.keys(1).start(), Optional.of(middle));
    KeyRange right = KeyRange.between(middle, MadeUpSight.keys(1).end());
    sight.copies.put(
        new NodeId(1),
        List.of(
            new HeldCopy(new RangeId(8), left, CopyState.SERVING),
            new HeldCopy(new RangeId(9), right, CopyState.SERVING)));
    moved.see(sight.get());
    assertEquals(0, moved.copies());
  }

  @Test
  void whileItIsNotKnownWhatNodesHoldARangeCountsAsItWasSaid() {
    moved.see(sight.get());
    sight.shares.set(1, new Share(new NodeId(2), 1, Optional.empty()));
    sight.copy(new NodeId(1), 2, CopyState.BUILDING);
    moved.see(sight.get());
    assertEquals(7, moved.bytes());
  }
}
