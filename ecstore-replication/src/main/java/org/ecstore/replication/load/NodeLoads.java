package org.ecstore.replication.load;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.ecstore.id.NodeId;

/**
 * What a node has heard of the nodes' loads, its own among them: reads served per second, as they
 * come with other messages (rule 25). Always a little old. One for all copies of a node.
 *
 * <p>Paper: ecStore §4.3 (piggybacked load information).
 */
public final class NodeLoads {
  private final Map<NodeId, Double> loads = new TreeMap<>();

  /** A node's load was heard of. */
  public void heard(NodeId node, double load) {
    loads.put(node, load);
  }

  /** Load was given to a node of which it cannot have told yet. */
  public void expect(NodeId node, double more) {
    loads.computeIfPresent(node, (_, load) -> load + more);
  }

  /** The node is gone. */
  public void forget(NodeId node) {
    loads.remove(node);
  }

  /** A node's load as last heard of; 0 if never. */
  public double of(NodeId node) {
    return loads.getOrDefault(node, 0.0);
  }

  /** The mean of all loads; 0 if none was heard of. */
  public double mean() {
    return loads.isEmpty()
        ? 0
        : loads.values().stream().mapToDouble(load -> load).sum() / loads.size();
  }

  /** The nodes of less than some load, the lightest first, without some of them. */
  public List<NodeId> lighterThan(double load, Collection<NodeId> without) {
    List<NodeId> found = new ArrayList<>();
    for (Map.Entry<NodeId, Double> entry : loads.entrySet()) {
      if (entry.getValue() < load && !without.contains(entry.getKey())) {
        found.add(entry.getKey());
      }
    }
    found.sort(Comparator.comparingDouble(this::of));
    return found;
  }
}
