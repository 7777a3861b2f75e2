package org.ecstore.bench.elastic;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.ecstore.bench.elastic.ClusterSight.HeldCopy;
import org.ecstore.bench.elastic.ClusterSight.HeldRange;
import org.ecstore.bench.elastic.ClusterSight.Share;
import org.ecstore.id.NodeId;
import org.ecstore.id.RangeId;
import org.ecstore.key.KeyRange;

/**
 * Reckons how many bytes were copied from node to node, as no node counts them: each copy that a
 * node has and had not at the look before counts as much as a range of its home holds on average.
 * One of keys that the node had already, as after a split, counts nothing.
 */
final class MovedBytes {
  private final Map<NodeId, List<HeldCopy>> before = new HashMap<>();
  private final long rangeBytes;
  private boolean isFirst = true;
  private long copies;
  private long bytes;

  /**
   * Nothing was seen yet.
   *
   * @param rangeBytes that a range counts while it is not known what nodes hold
   */
  MovedBytes(long rangeBytes) {
    this.rangeBytes = rangeBytes;
  }

  /** A look; what there is at the first one was not moved. */
  void see(ClusterSight sight) {
    Map<RangeId, NodeId> homes = new HashMap<>();
    for (HeldRange range : sight.ranges()) {
      homes.put(range.range(), range.home());
    }
    sight
        .copies()
        .forEach(
            (node, held) -> {
              if (!isFirst) {
                count(sight, homes, held, before.getOrDefault(node, List.of()));
              }
              before.put(node, held);
            });
    isFirst = false;
  }

  private void count(
      ClusterSight sight, Map<RangeId, NodeId> homes, List<HeldCopy> held, List<HeldCopy> had) {
    Set<RangeId> known = new HashSet<>(had.stream().map(HeldCopy::range).toList());
    List<KeyRange> keys = KeyRange.merged(had.stream().map(HeldCopy::keys).toList());
    for (HeldCopy copy : held) {
      boolean isThere =
          known.contains(copy.range())
              || keys.stream().anyMatch(earlier -> earlier.contains(copy.keys()));
      if (!isThere) {
        copies++;
        bytes += size(sight, homes, copy.range());
      }
    }
  }

  private long size(ClusterSight sight, Map<RangeId, NodeId> homes, RangeId range) {
    NodeId home = homes.get(range);
    List<Share> shares = new ArrayList<>();
    sight.shares().ifPresent(shares::addAll);
    return shares.stream()
        .filter(share -> share.node().equals(home) && share.ranges() > 0)
        .flatMap(share -> share.bytes().map(held -> held / share.ranges()).stream())
        .findFirst()
        .orElse(rangeBytes);
  }

  /** Copies that were made so far. */
  long copies() {
    return copies;
  }

  /** Bytes of them. */
  long bytes() {
    return bytes;
  }
}
