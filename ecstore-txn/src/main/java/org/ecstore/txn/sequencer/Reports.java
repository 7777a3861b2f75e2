package org.ecstore.txn.sequencer;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.ecstore.core.map.RangeDescriptor;
import org.ecstore.core.map.RangeMap;
import org.ecstore.core.port.Coordination.Member;
import org.ecstore.id.NodeId;
import org.ecstore.id.Position;
import org.ecstore.txn.message.TxnMessage.CopyReport;
import org.ecstore.txn.message.TxnMessage.Report;

/** The newest report of each node, and what follows for trimming and for the version floor. */
final class Reports {
  private record Reported(long incarnation, Report report) {}

  private final Map<NodeId, Reported> byNode = new TreeMap<>();

  void clear() {
    byNode.clear();
  }

  void take(NodeId from, long incarnation, Report report) {
    Reported before = byNode.get(from);
    if (before == null
        || incarnation > before.incarnation()
        || (incarnation == before.incarnation()
            && report.sequence() > before.report().sequence())) {
      byNode.put(from, new Reported(incarnation, report));
    }
  }

  /**
   * The position below which no copy needs the ledger: the least durable closed position over all
   * ranges; absent while the primary of some range has not reported under its epoch (rule 7).
   */
  Optional<Position> leastClosed(RangeMap map) {
    Optional<Position> least = Optional.empty();
    for (RangeDescriptor range : map.ranges()) {
      Reported reported = byNode.get(range.primary());
      if (reported == null) {
        return Optional.empty();
      }
      Optional<Position> closed =
          reported.report().copies().stream()
              .filter(copy -> copy.range().equals(range.id()))
              .filter(copy -> copy.epoch().equals(range.epoch()))
              .map(CopyReport::durableClosed)
              .findFirst();
      if (closed.isEmpty()) {
        return Optional.empty();
      }
      least =
          Optional.of(least.map(known -> Position.min(known, closed.get())).orElse(closed.get()));
    }
    return least;
  }

  /** The lowest stamp in use by a live member. */
  Optional<Position> leastPin(List<Member> members) {
    return members.stream()
        .map(member -> byNode.get(member.node()))
        .filter(reported -> reported != null)
        .flatMap(reported -> reported.report().leastPin().stream())
        .min(Position::compareTo);
  }

  /** Whether every live member has reported in its present incarnation. */
  boolean complete(List<Member> members) {
    return members.stream()
        .allMatch(
            member -> {
              Reported reported = byNode.get(member.node());
              return reported != null && reported.incarnation() == member.incarnation();
            });
  }

  /** The oldest snapshot in use at a live member. */
  Optional<Position> leastLease(List<Member> members) {
    return members.stream()
        .map(member -> byNode.get(member.node()))
        .filter(reported -> reported != null)
        .flatMap(reported -> reported.report().leastLease().stream())
        .min(Position::compareTo);
  }
}
