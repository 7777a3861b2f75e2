package org.ecstore.core.overlay;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.ecstore.check.Check;
import org.ecstore.core.map.MapChange;
import org.ecstore.core.map.RangeDescriptor;
import org.ecstore.core.map.RangeMap;
import org.ecstore.id.Epoch;
import org.ecstore.id.MapVersion;
import org.ecstore.id.NodeId;
import org.ecstore.id.RangeId;
import org.ecstore.key.Bytes;
import org.ecstore.key.KeyRange;
import org.ecstore.wire.MalformedMessageException;
import org.ecstore.wire.WireReader;
import org.ecstore.wire.WireWriter;
import org.junit.jupiter.api.Test;

class CodecTest {
  @Test
  void aTreeIsReadAsItWasWritten() {
    for (int size : new int[] {1, 2, 3, 10, 200}) {
      for (long seed = 1; seed <= 5; seed++) {
        BatonTree tree = RandomTree.ofSize(size, seed);
        WireReader in = new WireReader(encode(tree));
        assertEquals(tree, BatonCodec.read(in), "size " + size + " seed " + seed);
        in.expectEnd();
      }
    }
  }

  @Test
  void damagedBytesAreATreeOrMalformedAndNothingElse() {
    BatonTree tree = RandomTree.ofSize(25, 3);
    byte[] good = encode(tree).array();
    Random random = new Random(4);
    int refused = 0;
    for (int i = 0; i < 20_000; i++) {
      byte[] bad = good.clone();
      for (int flips = 1 + random.nextInt(3); flips > 0; flips--) {
        bad[random.nextInt(bad.length)] = (byte) random.nextInt(256);
      }
      try {
        TreeChecks.assertSound(BatonCodec.read(new WireReader(Bytes.wrap(bad))), "damage " + i);
      } catch (MalformedMessageException expected) {
        refused++;
      }
    }
    assertTrue(refused > 10_000, "most damage is seen: " + refused);
  }

  @Test
  void aCutTreeIsMalformed() {
    Bytes good = encode(RandomTree.ofSize(25, 3));
    for (int length = 0; length < good.length(); length++) {
      WireReader in = new WireReader(good.slice(0, length));
      assertThrows(MalformedMessageException.class, () -> BatonCodec.read(in), "at " + length);
    }
  }

  @Test
  void aClusterStateIsReadAsItWasWritten() {
    ClusterState first =
        new ClusterState(RangeMap.EMPTY, BatonTree.single(new NodeId(4)), Optional.empty(), 0);
    assertEquals(first, ClusterStateCodec.decode(ClusterStateCodec.encode(first)));

    MapChange change =
        new MapChange(
            new MapVersion(1),
            List.of(),
            List.of(
                new RangeDescriptor(
                    new RangeId(6),
                    KeyRange.ALL,
                    new Epoch(1),
                    new NodeId(4),
                    2,
                    List.of(new NodeId(5)))),
            "first");
    ClusterState second = first.after(change, BatonTree.single(new NodeId(4)));
    assertEquals(7, second.nextRangeId());
    assertEquals(second, ClusterStateCodec.decode(ClusterStateCodec.encode(second)));
    ClusterState seated =
        second.withPreferences(
            PrimaryPreferences.NONE.with(
                KeyRange.from(Bytes.utf8("k")), Optional.of(new NodeId(4))));
    assertEquals(seated, ClusterStateCodec.decode(ClusterStateCodec.encode(seated)));
    // Another may serve what belongs to a node; across the bounds of two nodes there is no range.
    ClusterState served = first.after(change, BatonTree.single(new NodeId(5)));
    assertEquals(new NodeId(5), served.homeOf(change.placed().getFirst()));
    assertEquals(change.placed(), served.rangesWithin(new NodeId(5)));
    assertThrows(Check.Failed.class, () -> first.after(change, RandomTree.ofSize(9, 1)));
  }

  @Test
  void aClusterStateOfAnotherFormatIsRefused() {
    ClusterState state =
        new ClusterState(RangeMap.EMPTY, BatonTree.single(new NodeId(4)), Optional.empty(), 0);
    byte[] bytes = ClusterStateCodec.encode(state).array().clone();
    bytes[0] = 9;
    assertThrows(
        MalformedMessageException.class, () -> ClusterStateCodec.decode(Bytes.wrap(bytes)));
    assertThrows(
        MalformedMessageException.class,
        () -> ClusterStateCodec.decode(ClusterStateCodec.encode(state).concat(Bytes.of(0))));
  }

  private static Bytes encode(BatonTree tree) {
    WireWriter out = new WireWriter();
    BatonCodec.write(out, tree);
    return out.toBytes();
  }
}
