package org.ecstore.sim;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import org.ecstore.core.map.RangeDescriptor;
import org.ecstore.core.map.RangeMap;
import org.ecstore.core.overlay.BatonTree;
import org.ecstore.core.overlay.ClusterState;
import org.ecstore.core.overlay.KeyMiddle;
import org.ecstore.core.overlay.Side;
import org.ecstore.id.Epoch;
import org.ecstore.id.MapVersion;
import org.ecstore.id.NodeId;
import org.ecstore.id.RangeId;
import org.ecstore.key.Bytes;
import org.ecstore.key.KeyRange;
import org.ecstore.sim.world.Promises;
import org.ecstore.sim.world.SimRandom;
import org.ecstore.sim.world.World;
import org.ecstore.txn.balance.Balancer;
import org.ecstore.txn.balance.ClusterLoads;
import org.ecstore.txn.balance.Proposal;
import org.ecstore.txn.balance.RebalanceSettings;
import org.ecstore.txn.message.TxnMessage.CopyLoad;

/**
 * Ranges of drawn sizes on the nodes of a tree, which are split, shifted and moved as the steward
 * would have them, one proposal after the other, until there is none (rule 21). No time passes.
 */
final class DrawnBalance {
  private static final int STEPS_MAX = 500;
  private static final int RECORDS_MAX = 20;
  private static final long SPLIT_BYTES = 10_000;
  private static final long SHIFT_BYTES = 1_000;

  private record Range(RangeId id, KeyRange keys, long records, long bytes) {}

  private final World world;
  private final SimRandom random;
  private final Balancer balancer =
      new Balancer(new RebalanceSettings(false, 1, SPLIT_BYTES, 0, 0, SHIFT_BYTES));
  private final TreeMap<Bytes, Range> ranges = new TreeMap<>();
  private BatonTree tree;
  private long lastId;

  /** On the nodes of a tree. */
  DrawnBalance(World world, BatonTree tree) {
    this.world = world;
    this.random = world.random("drawn balance");
    this.tree = tree;
  }

  /** All nodes are there, and serve what is theirs. */
  private static final class AllThere implements Balancer.Cluster {
    @Override
    public boolean isStaying(NodeId node) {
      return true;
    }

    @Override
    public boolean isServed(RangeDescriptor range) {
      return true;
    }

    @Override
    public boolean isWhole(RangeDescriptor range, NodeId holder) {
      return true;
    }

    @Override
    public List<Bytes> splitHints() {
      return List.of();
    }
  }

  /** Draws sizes, and does what is proposed. */
  void draw() {
    tree.inOrder().forEach(place -> put(place.keys(), random.between(1, RECORDS_MAX)));
    Balancer.Aim aim = random.pick(List.of(Balancer.Aim.values()));
    try {
      for (int i = 0; i < STEPS_MAX; i++) {
        List<Proposal> proposals = balancer.proposals(state(), loads(), new AllThere(), aim, 0);
        if (proposals.isEmpty()) {
          return;
        }
        done(proposals.getFirst());
      }
      world.violated(Promises.BALANCE_RESTS, "not after " + STEPS_MAX + " steps on " + tree);
    } catch (RuntimeException e) {
      // The steward would end by it.
      world.violated(Promises.BALANCE_RESTS, "on " + tree + ": " + e);
    }
  }

  /** Some nodes have much more than others. */
  private void put(KeyRange keys, long records) {
    put(keys, random.chance(0.2) ? 10 * records : records, random.between(1, 100));
  }

  private void put(KeyRange keys, long records, long recordBytes) {
    ranges.put(
        keys.start(), new Range(new RangeId(++lastId), keys, records, records * recordBytes));
  }

  private ClusterState state() {
    List<RangeDescriptor> all = new ArrayList<>();
    ranges.forEach(
        (start, range) ->
            all.add(
                new RangeDescriptor(
                    range.id(),
                    range.keys(),
                    new Epoch(1),
                    tree.ownerOf(start).node(),
                    1,
                    List.of())));
    return new ClusterState(
        RangeMap.of(new MapVersion(1), all), tree, Optional.empty(), lastId + 1);
  }

  private ClusterLoads loads() {
    ClusterLoads loads = new ClusterLoads();
    ranges.forEach(
        (start, range) ->
            loads.take(
                tree.ownerOf(start).node(),
                List.of(
                    new CopyLoad(range.id(), new Epoch(1), range.records(), range.bytes(), 0, 0))));
    return loads;
  }

  private void done(Proposal proposal) {
    switch (proposal) {
      case Proposal.Split(var range, _, _) -> split(range);
      case Proposal.Shift(var range, var from, var to, _) -> {
        boolean toLeft =
            tree.adjacent(from, Side.LEFT).filter(left -> left.node().equals(to)).isPresent();
        Bytes boundary = toLeft ? range.keys().end().orElseThrow() : range.keys().start();
        tree = tree.shiftBoundary(from, to, boundary).tree();
      }
      case Proposal.Rejoin(var light, var loaded, _) -> {
        List<Bytes> own =
            ranges.keySet().stream().filter(tree.place(loaded).keys()::contains).toList();
        tree = tree.rejoin(light, loaded, own.get(own.size() / 2)).tree();
        world.happened("a light leaf joins beside a loaded node of a drawn tree");
      }
      case Proposal.Merge merge -> throw unexpected(merge);
      case Proposal.ChangePrimary change -> throw unexpected(change);
    }
  }

  private static IllegalStateException unexpected(Proposal proposal) {
    return new IllegalStateException("nothing is read, and none is merged: " + proposal);
  }

  private void split(RangeDescriptor range) {
    Range whole = ranges.get(range.keys().start());
    Optional<Bytes> middle = KeyMiddle.of(range.keys());
    if (middle.isEmpty() || whole == null) {
      balancer.cannotSplit(range.id());
      return;
    }
    long recordBytes = whole.bytes() / whole.records();
    long lower = whole.records() / 2;
    put(KeyRange.of(range.keys().start(), middle.get()), lower, recordBytes);
    put(KeyRange.between(middle.get(), range.keys().end()), whole.records() - lower, recordBytes);
  }
}
