package org.ecstore.replication.placement;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.ecstore.id.NodeId;
import org.ecstore.key.Bytes;
import org.ecstore.key.KeyRange;

/**
 * Chooses the nodes of a range's copies (rule 22): copy i of a key belongs to the node that owns
 * the position {@code pos(key) + i * 2^64 / K}, modulo 2^64. So the copies of neighbouring keys are
 * neighbours too, on other nodes, and a node's data is backed by a few nodes instead of all. For a
 * range the key is the one in the middle of its positions. Where that node has a copy already, or
 * is on the same host as one, the next to the right takes it. The formula chooses; the range's
 * descriptor is the truth. An immutable value.
 *
 * <p>Paper: ecStore §4.1.
 */
public final class ShiftKeyPlacement {
  /**
   * A node that may hold copies.
   *
   * @param start of the keys it is primary for
   * @param host what it shares with nodes that fail together with it
   */
  public record Site(NodeId node, Bytes start, String host) {}

  private final PositionMap positions;
  private final List<Site> sites;
  private final long[] starts;

  /**
   * The placement on some nodes.
   *
   * @param sites in key order; the first one's keys begin at the beginning
   * @throws IllegalArgumentException if they are not
   */
  public ShiftKeyPlacement(PositionMap positions, List<Site> sites) {
    if (sites.isEmpty() || sites.getFirst().start().length() > 0) {
      throw new IllegalArgumentException("the first node's keys begin at the beginning: " + sites);
    }
    this.positions = positions;
    this.sites = List.copyOf(sites);
    this.starts = new long[sites.size()];
    for (int i = 0; i < sites.size(); i++) {
      if (i > 0 && sites.get(i - 1).start().compareTo(sites.get(i).start()) >= 0) {
        throw new IllegalArgumentException("nodes are in key order: " + sites);
      }
      starts[i] = positions.position(sites.get(i).start());
    }
    starts[0] = 0;
  }

  /** How many copies of a range can be placed at most: one on each host. */
  public int copiesMax() {
    return (int) sites.stream().map(Site::host).distinct().count();
  }

  /**
   * The nodes of a range's secondaries, as the formula has them, the first copy's first.
   *
   * @param primary who has the range; need not be the one that owns its keys here
   * @param copies K, the primary among them
   * @throws IllegalArgumentException if there are fewer hosts than copies
   */
  public List<NodeId> secondaries(KeyRange range, NodeId primary, int copies) {
    if (copies < 1 || copies > copiesMax()) {
      throw new IllegalArgumentException(
          "%d copies of each range need as many nodes on hosts of their own, and there are %d"
              .formatted(copies, copiesMax()));
    }
    Set<NodeId> nodes = new TreeSet<>(List.of(primary));
    Set<String> hosts = new TreeSet<>();
    sites.stream().filter(site -> site.node().equals(primary)).map(Site::host).forEach(hosts::add);
    List<NodeId> chosen = new ArrayList<>();
    long middle = middle(range);
    for (int i = 1; i < copies; i++) {
      long position = middle + Long.divideUnsigned(-1L, copies) * i;
      Site site = rightOf(owner(position), nodes, hosts).orElseThrow();
      nodes.add(site.node());
      hosts.add(site.host());
      chosen.add(site.node());
    }
    return chosen;
  }

  /**
   * All nodes, those first that the formula has for a range, then the others from its middle to the
   * right: who comes first gets a copy first, if the copies need one like it.
   */
  public List<NodeId> nearest(KeyRange range, NodeId primary, int copies) {
    Set<NodeId> order =
        new LinkedHashSet<>(secondaries(range, primary, Math.min(copies, copiesMax())));
    int first = owner(middle(range));
    for (int i = 0; i < sites.size(); i++) {
      order.add(sites.get((first + i) % sites.size()).node());
    }
    return List.copyOf(order);
  }

  private long middle(KeyRange range) {
    long from = positions.position(range.start());
    long to = range.end().map(positions::position).orElse(-1L);
    return from + ((to - from) >>> 1);
  }

  /** The index of the node that owns a position: the last that begins at or below it. */
  private int owner(long position) {
    int low = 0;
    int high = starts.length;
    while (high - low > 1) {
      int middle = (low + high) >>> 1;
      if (Long.compareUnsigned(starts[middle], position) <= 0) {
        low = middle;
      } else {
        high = middle;
      }
    }
    return low;
  }

  private Optional<Site> rightOf(int first, Set<NodeId> nodes, Set<String> hosts) {
    for (int i = 0; i < sites.size(); i++) {
      Site site = sites.get((first + i) % sites.size());
      if (!nodes.contains(site.node()) && !hosts.contains(site.host())) {
        return Optional.of(site);
      }
    }
    return Optional.empty();
  }
}
