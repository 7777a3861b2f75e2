package org.ecstore.bench.elastic;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.ecstore.bench.elastic.ClusterSight.HeldCopy;
import org.ecstore.bench.elastic.ClusterSight.HeldRange;
import org.ecstore.bench.elastic.ClusterSight.Share;
import org.ecstore.id.NodeId;
import org.ecstore.model.CopyState;
import org.ecstore.txn.balance.RebalanceSettings;

/**
 * When a cluster is balanced: nothing is being moved or copied, all copies are there, and no node
 * has so much more than its neighbour in the tree that the steward would move something by itself
 * (rule 21).
 */
final class BalanceRule {
  private static final Set<CopyState> WHOLE =
      EnumSet.of(CopyState.SERVING, CopyState.FOLLOWING, CopyState.RETIRED);

  private final int copies;
  private final long shiftBytes;

  /**
   * For a cluster.
   *
   * @param copies that each range shall have
   */
  BalanceRule(int copies) {
    this.copies = copies;
    this.shiftBytes = RebalanceSettings.DEFAULT.shiftBytes();
  }

  /**
   * What is lacking; empty if it is balanced.
   *
   * @param with nodes that shall have ranges, all of them and no other
   */
  Optional<String> lacks(ClusterSight sight, Set<NodeId> with) {
    return Stream.<Optional<String>>of(
            nodes(sight, with),
            busy(sight),
            copies(sight, with),
            moving(sight),
            shares(sight, with))
        .flatMap(Optional::stream)
        .findFirst();
  }

  private static Optional<String> nodes(ClusterSight sight, Set<NodeId> with) {
    for (NodeId node : with) {
      if (!sight.running().contains(node) || sight.silent().contains(node)) {
        return Optional.of("%s does not serve".formatted(node));
      }
    }
    return sight.running().stream()
        .filter(node -> !with.contains(node))
        .findFirst()
        .map(node -> "the process of %s still runs".formatted(node));
  }

  private static Optional<String> busy(ClusterSight sight) {
    return sight.busy().map(what -> "the steward is at it: " + what);
  }

  private Optional<String> copies(ClusterSight sight, Set<NodeId> with) {
    if (sight.ranges().isEmpty()) {
      return Optional.of("no node has a map");
    }
    int wanted = Math.min(copies, with.size());
    for (HeldRange range : sight.ranges()) {
      Set<NodeId> holders = new HashSet<>(range.secondaries());
      holders.add(range.primary());
      if (!with.containsAll(holders) || !with.contains(range.home())) {
        return Optional.of("%s is on a node that is to have nothing".formatted(range.range()));
      }
      long whole = holders.stream().filter(node -> isWhole(sight, range, node)).count();
      if (holders.size() != wanted || whole != wanted) {
        return Optional.of("%s has %d whole copies of %d".formatted(range.range(), whole, wanted));
      }
    }
    return Optional.empty();
  }

  private static boolean isWhole(ClusterSight sight, HeldRange range, NodeId node) {
    CopyState is = range.primary().equals(node) ? CopyState.SERVING : CopyState.FOLLOWING;
    return sight.copies().getOrDefault(node, List.of()).stream()
        .anyMatch(copy -> copy.range().equals(range.range()) && copy.state() == is);
  }

  private static Optional<String> moving(ClusterSight sight) {
    List<String> moving = new ArrayList<>();
    sight
        .copies()
        .forEach(
            (node, copies) -> {
              for (HeldCopy copy : copies) {
                if (!WHOLE.contains(copy.state())) {
                  moving.add("%s on %s is %s".formatted(copy.range(), node, copy.state().word()));
                }
              }
            });
    return moving.stream().sorted().findFirst();
  }

  private Optional<String> shares(ClusterSight sight, Set<NodeId> with) {
    if (sight.shares().isEmpty()) {
      return Optional.of("the steward does not answer");
    }
    List<Share> shares = sight.shares().get();
    Set<NodeId> placed = new HashSet<>(shares.stream().map(Share::node).toList());
    if (!placed.equals(with)) {
      return Optional.of("the tree has %s, not %s".formatted(sorted(placed), sorted(with)));
    }
    for (int i = 0; i < shares.size(); i++) {
      Share share = shares.get(i);
      if (share.ranges() == 0 || share.bytes().isEmpty()) {
        return Optional.of("it is not known what %s has".formatted(share.node()));
      }
      if (i > 0) {
        Optional<String> uneven = uneven(shares.get(i - 1), share);
        if (uneven.isPresent()) {
          return uneven;
        }
      }
    }
    return Optional.empty();
  }

  private Optional<String> uneven(Share one, Share other) {
    long first = one.bytes().orElse(0L);
    long second = other.bytes().orElse(0L);
    long more = Math.max(first, second);
    long less = Math.min(first, second);
    return more > RebalanceSettings.TIMES * less && more - less >= shiftBytes
        ? Optional.of(
            "%s holds %,d bytes, its neighbour %s %,d"
                .formatted(one.node(), first, other.node(), second))
        : Optional.empty();
  }

  private static List<NodeId> sorted(Set<NodeId> nodes) {
    return nodes.stream().sorted().toList();
  }
}
