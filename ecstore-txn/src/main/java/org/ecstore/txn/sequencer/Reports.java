package org.ecstore.txn.sequencer;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.ecstore.core.map.RangeDescriptor;
import org.ecstore.core.map.RangeMap;
import org.ecstore.core.port.Coordination.Member;
import org.ecstore.id.Epoch;
import org.ecstore.id.NodeId;
import org.ecstore.id.Position;
import org.ecstore.id.RangeId;
import org.ecstore.txn.message.TxnMessage.CopyReport;
import org.ecstore.txn.message.TxnMessage.Report;

/** The newest report of each node, and what follows for trimming and for the version floor. */
final class Reports {
  /** By range, too: the steward asks for each copy of each range whenever it looks around. */
  private record Reported(
      long incarnation, Report report, Map<RangeId, CopyReport> byRange, Map<RangeId, Epoch> lost) {
    static Reported of(long incarnation, Report report) {
      Map<RangeId, CopyReport> byRange = new TreeMap<>();
      report.copies().forEach(copy -> byRange.put(copy.range(), copy));
      Map<RangeId, Epoch> lost = new TreeMap<>();
      report.lost().forEach(copy -> lost.put(copy.range(), copy.epoch()));
      return new Reported(incarnation, report, byRange, lost);
    }
  }

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
      byNode.put(from, Reported.of(incarnation, report));
    }
  }

  /**
   * The position below which no copy needs the ledger: the least durable fold position over all
   * copies of all ranges that persist, and the primaries'; absent while a holder of such a copy has
   * not reported under the range's epoch (rule 7). A holder that is away counts as long as the map
   * names it.
   *
   * @param persists whether a node's copies do: a secondary that does not is filled anew where the
   *     ledger does not go back far enough
   */
  Optional<Position> leastFolded(RangeMap map, Predicate<NodeId> persists) {
    Optional<Position> least = Optional.empty();
    for (RangeDescriptor range : map.ranges()) {
      Optional<Position> ofPrimary = folded(range, range.primary());
      if (ofPrimary.isEmpty()) {
        return Optional.empty();
      }
      Position folded = ofPrimary.get();
      for (NodeId secondary : range.secondaries()) {
        if (persists.test(secondary)) {
          Optional<Position> of = folded(range, secondary);
          if (of.isEmpty()) {
            return Optional.empty();
          }
          folded = Position.min(folded, of.get());
        }
      }
      Position ofRange = folded;
      least = Optional.of(least.map(known -> Position.min(known, ofRange)).orElse(ofRange));
    }
    return least;
  }

  /** Whether some range has no copy that persists. */
  static boolean isAnyVolatile(RangeMap map, Predicate<NodeId> persists) {
    return map.ranges().stream()
        .anyMatch(
            range ->
                !persists.test(range.primary())
                    && range.secondaries().stream().noneMatch(persists));
  }

  /** Whether a node has said that it cannot go on with its copy of a range under this epoch. */
  boolean saysLost(RangeDescriptor range, NodeId holder) {
    Reported reported = byNode.get(holder);
    return reported != null && range.epoch().equals(reported.lost().get(range.id()));
  }

  /**
   * For how many seconds the store of a node has done nothing, as the node has said in this
   * incarnation; 0 if it has not.
   */
  long stuckSeconds(NodeId node, long incarnation) {
    Reported reported = byNode.get(node);
    return reported != null && reported.incarnation() == incarnation
        ? reported.report().stuckSeconds()
        : 0;
  }

  /** How far a node's copy of a range is closed, by its last report under this epoch. */
  Optional<Position> closed(RangeDescriptor range, NodeId holder) {
    return report(range, holder).map(CopyReport::closed);
  }

  /** Through which position a node's store has a range for good. */
  private Optional<Position> folded(RangeDescriptor range, NodeId holder) {
    return report(range, holder).map(CopyReport::folded);
  }

  private Optional<CopyReport> report(RangeDescriptor range, NodeId holder) {
    Reported reported = byNode.get(holder);
    CopyReport copy = reported == null ? null : reported.byRange().get(range.id());
    return copy != null && copy.epoch().equals(range.epoch())
        ? Optional.of(copy)
        : Optional.empty();
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
