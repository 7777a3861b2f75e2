package org.ecstore.bench.elastic;

import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import org.ecstore.bench.elastic.ClusterSight.HeldRange;
import org.ecstore.id.NodeId;
import org.jspecify.annotations.Nullable;

/**
 * Finds out since when a cluster is balanced: it is once it was so at each look for some seconds,
 * with the same ranges on the same nodes, and that counts from the first of these looks.
 */
final class BalanceWatch {
  private final BalanceRule rule;
  private final Set<NodeId> with;
  private final double stillSeconds;
  private @Nullable List<HeldRange> held;
  private double since;
  private double last;
  private String lacks = "nothing was seen yet";

  /**
   * To be told of each look.
   *
   * @param with nodes that shall have ranges, all of them and no other
   * @param stillSeconds for how long nothing may change
   */
  BalanceWatch(BalanceRule rule, Set<NodeId> with, double stillSeconds) {
    this.rule = rule;
    this.with = Set.copyOf(with);
    this.stillSeconds = stillSeconds;
  }

  /** A look at a time. */
  void see(double seconds, ClusterSight sight) {
    Optional<String> missing = rule.lacks(sight, with);
    if (missing.isPresent()) {
      held = null;
      lacks = missing.get();
      return;
    }
    if (!Objects.equals(held, sight.ranges())) {
      held = sight.ranges();
      since = seconds;
    }
    last = seconds;
    lacks = "it is not known yet whether it stays so";
  }

  /** A look at which nothing could be seen. */
  void missed() {
    held = null;
    lacks = "nodes could not be asked";
  }

  /** Since when it is balanced; empty if it is not, or not for long enough. */
  OptionalDouble since() {
    return held != null && last - since >= stillSeconds
        ? OptionalDouble.of(since)
        : OptionalDouble.empty();
  }

  /** What is lacking, if it is not balanced. */
  String lacks() {
    return lacks;
  }
}
