package org.ecstore.txn.balance;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.ecstore.core.map.RangeDescriptor;
import org.ecstore.id.NodeId;
import org.ecstore.id.RangeId;
import org.ecstore.txn.message.TxnMessage.CopyLoad;

/** What nodes have last said of their copies, at the steward. Soft state: it only guides. */
public final class ClusterLoads {
  private final Map<RangeId, Map<NodeId, CopyLoad>> byRange = new TreeMap<>();

  public void clear() {
    byRange.clear();
  }

  /** A node says what its copies hold and have to do. */
  public void take(NodeId from, List<CopyLoad> loads) {
    loads.forEach(
        load -> byRange.computeIfAbsent(load.range(), _ -> new TreeMap<>()).put(from, load));
  }

  /** Forgets ranges that are no more. */
  public void keepOnly(Predicate<RangeId> inMap) {
    byRange.keySet().removeIf(range -> !inMap.test(range));
  }

  /** What a holder said of its copy of a range. */
  public Optional<CopyLoad> of(RangeId range, NodeId holder) {
    return Optional.ofNullable(byRange.get(range)).map(holders -> holders.get(holder));
  }

  /** What the primary of a range said of it, as its primary. */
  public Optional<CopyLoad> ofPrimary(RangeDescriptor range) {
    return of(range.id(), range.primary()).filter(load -> load.epoch().equals(range.epoch()));
  }
}
