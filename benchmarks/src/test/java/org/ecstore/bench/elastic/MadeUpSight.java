package org.ecstore.bench.elastic;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.ecstore.bench.elastic.ClusterSight.HeldCopy;
import org.ecstore.bench.elastic.ClusterSight.HeldRange;
import org.ecstore.bench.elastic.ClusterSight.Share;
import org.ecstore.id.NodeId;
import org.ecstore.id.RangeId;
import org.ecstore.key.Bytes;
import org.ecstore.key.KeyRange;
import org.ecstore.model.CopyState;

/** A cluster that a test makes up: one range of 100 MB at home on each node, and copies of it. */
final class MadeUpSight {
  static final long BYTES = 100_000_000L;

  final Set<NodeId> running = new HashSet<>();
  final Set<NodeId> silent = new HashSet<>();
  final List<HeldRange> ranges = new ArrayList<>();
  final Map<NodeId, List<HeldCopy>> copies = new HashMap<>();
  final List<Share> shares = new ArrayList<>();
  Optional<String> busy = Optional.empty();

  /** Each range has its home on a node, and one more copy on the next. */
  static MadeUpSight of(int nodes) {
    MadeUpSight sight = new MadeUpSight();
    for (int i = 1; i <= nodes; i++) {
      NodeId home = new NodeId(i);
      sight.running.add(home);
      sight.add(i, home, new NodeId(i % nodes + 1));
      sight.shares.add(new Share(home, 1, Optional.of(BYTES)));
    }
    return sight;
  }

  static KeyRange keys(int number) {
    return KeyRange.of(Bytes.utf8("k" + number), Bytes.utf8("k" + (number + 1)));
  }

  void add(int number, NodeId home, NodeId secondary) {
    RangeId range = new RangeId(number);
    ranges.add(new HeldRange(range, keys(number), home, home, List.of(secondary)));
    copy(home, number, CopyState.SERVING);
    copy(secondary, number, CopyState.FOLLOWING);
  }

  void copy(NodeId node, int number, CopyState state) {
    List<HeldCopy> held = new ArrayList<>(copies.getOrDefault(node, List.of()));
    held.removeIf(copy -> copy.range().equals(new RangeId(number)));
    held.add(new HeldCopy(new RangeId(number), keys(number), state));
    copies.put(node, List.copyOf(held));
  }

  void share(int index, long bytes) {
    shares.set(index, new Share(shares.get(index).node(), 1, Optional.of(bytes)));
  }

  static Set<NodeId> nodes(int count) {
    Set<NodeId> nodes = new HashSet<>();
    for (int i = 1; i <= count; i++) {
      nodes.add(new NodeId(i));
    }
    return nodes;
  }

  ClusterSight get() {
    return new ClusterSight(running, silent, ranges, copies, Optional.of(shares), busy, Set.of());
  }
}
