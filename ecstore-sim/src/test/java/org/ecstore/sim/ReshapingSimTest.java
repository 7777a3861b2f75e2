package org.ecstore.sim;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import org.ecstore.id.RangeId;
import org.ecstore.key.Bytes;
import org.ecstore.key.KeyRange;
import org.ecstore.replication.copy.Copy;
import org.ecstore.txn.node.Node;
import org.ecstore.txn.node.NodeInspection.CopyView;
import org.ecstore.txn.node.NodeSettings;
import org.ecstore.wire.client.ClusterWish;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** An operator has ranges split and merged while nothing else goes wrong, or the steward dies. */
@Timeout(value = 2, unit = TimeUnit.MINUTES)
final class ReshapingSimTest {
  private static final long MILLI = SwarmSettings.MILLI;
  private static final long SECOND = SwarmSettings.SECOND;
  private static final int COPIES = 3;

  private final World world = new World(1, new Trace(null));
  private final SimCluster cluster =
      new SimCluster(
          world,
          CalmCluster.settings(4, 20 * MILLI),
          Variant.RIGHT,
          id -> NodeSettings.defaults("sim", "n" + id + ":1").withCopies(COPIES));

  private void start() {
    cluster.hosts().forEach(SimHost::start);
    CalmCluster.run(world, 60 * SECOND);
  }

  /** The copies in a state, of nodes that are up. */
  private List<CopyView> copies(Copy.State state) {
    List<CopyView> found = new ArrayList<>();
    for (SimHost host : cluster.hosts()) {
      if (host.machine() instanceof Node node) {
        node.inspect().copies().stream().filter(one -> one.state() == state).forEach(found::add);
      }
    }
    return found;
  }

  private List<CopyView> served() {
    List<CopyView> served = copies(Copy.State.SERVING);
    served.sort(java.util.Comparator.comparing(one -> one.keys().start()));
    Optional<Bytes> expected = Optional.of(Bytes.EMPTY);
    for (CopyView one : served) {
      assertEquals(expected, Optional.of(one.keys().start()), () -> "each key once: " + served);
      expected = one.keys().end();
    }
    assertEquals(Optional.empty(), expected, () -> "to the end of all keys: " + served);
    return served;
  }

  private SimHost leader() {
    return cluster.hosts().stream()
        .filter(host -> cluster.coordination().leader().equals(Optional.of(host.id())))
        .findFirst()
        .orElseThrow();
  }

  private Optional<String> wish(ClusterWish wish) {
    return leader().machine() instanceof Node node ? node.wish(wish) : Optional.of("not up");
  }

  private static Set<KeyRange> keys(List<CopyView> copies) {
    Set<KeyRange> keys = new TreeSet<>(java.util.Comparator.comparing(KeyRange::start));
    copies.forEach(one -> keys.add(one.keys()));
    return keys;
  }

  @Test
  void aRangeIsSplitAndMergedOnTheNodesWhereItIs() {
    start();
    CopyView first = served().getFirst();
    int before = served().size();
    Bytes at = Bytes.utf8("000");
    assertEquals(Optional.empty(), wish(new ClusterWish.Split(first.id(), Optional.of(at))));
    CalmCluster.run(world, 5 * SECOND);
    List<CopyView> split = served();
    assertEquals(before + 1, split.size());
    assertEquals(KeyRange.of(Bytes.EMPTY, at), split.getFirst().keys());
    assertEquals(
        2 * split.size(), copies(Copy.State.FOLLOWING).size(), "each range has its secondaries");
    assertEquals(
        Optional.empty(),
        wish(new ClusterWish.Merge(split.get(1).id(), split.getFirst().id())),
        "in any order");
    CalmCluster.run(world, 5 * SECOND);
    assertEquals(before, served().size());
    assertEquals(first.keys(), served().getFirst().keys());
    assertEquals(2 * before, copies(Copy.State.FOLLOWING).size());
    assertEquals(List.of(), world.violations());
  }

  @Test
  void whatCannotBeIsRefusedWithTheReason() {
    start();
    List<CopyView> served = served();
    CopyView last = served.getLast();
    assertRefused("no range", new ClusterWish.Split(new RangeId(999_999), Optional.empty()));
    assertRefused(
        "does not split", new ClusterWish.Split(last.id(), Optional.of(last.keys().start())));
    assertRefused(
        "does not split",
        new ClusterWish.Split(served.getFirst().id(), Optional.of(last.keys().start())));
    assertRefused("not adjacent", new ClusterWish.Merge(last.id(), served.getFirst().id()));
    assertRefused(
        "two nodes of the tree",
        new ClusterWish.Merge(last.id(), served.get(served.size() - 2).id()));
    assertEquals(keys(served), keys(served()), "nothing was done");
  }

  private void assertRefused(String why, ClusterWish wish) {
    Optional<String> refused = wish(wish);
    assertTrue(refused.isPresent() && refused.get().contains(why), () -> wish + ": " + refused);
  }

  /** At every moment of a split: it is completed, or nothing has happened. */
  @ParameterizedTest
  @ValueSource(longs = {0, 1, 2, 4, 6, 8, 10, 15, 20, 30, 60, 200})
  void aSplitSurvivesTheDeathOfTheSteward(long afterMillis) {
    start();
    List<CopyView> before = served();
    Bytes at = Bytes.utf8("000");
    assertEquals(
        Optional.empty(), wish(new ClusterWish.Split(before.getFirst().id(), Optional.of(at))));
    CalmCluster.run(world, afterMillis * MILLI);
    SimHost steward = leader();
    steward.crash();
    CalmCluster.run(world, 5 * SECOND);
    steward.start();
    CalmCluster.run(world, 60 * SECOND);
    Set<KeyRange> now = keys(served());
    if (now.size() == before.size()) {
      assertEquals(keys(before), now);
    } else {
      assertEquals(before.size() + 1, now.size());
      assertTrue(now.contains(KeyRange.of(Bytes.EMPTY, at)), now::toString);
    }
    assertEquals(2 * now.size(), copies(Copy.State.FOLLOWING).size());
    assertEquals(List.of(), world.violations());
  }
}
