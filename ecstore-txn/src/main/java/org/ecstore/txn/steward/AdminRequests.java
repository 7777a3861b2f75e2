package org.ecstore.txn.steward;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.ecstore.core.map.RangeDescriptor;
import org.ecstore.core.overlay.ClusterState;
import org.ecstore.id.MapVersion;
import org.ecstore.id.NodeId;
import org.ecstore.id.RangeId;
import org.ecstore.key.KeyText;
import org.ecstore.model.AdminRequest;
import org.ecstore.txn.message.TxnMessage.DepartWanted;
import org.ecstore.txn.qos.ServiceLevels;
import org.ecstore.txn.steward.decision.Decision;
import org.ecstore.txn.steward.decision.Decision.Cause;
import org.ecstore.txn.steward.decision.Decision.Outcome;

/**
 * What operators want of this steward: kept in order until it can be begun, then turned into moves,
 * one after the other, or refused with the reason. It dies with the steward; what had been begun is
 * complete, or nothing has happened.
 */
final class AdminRequests {
  private static final int WAITING_MAX = 64;

  /** A merge may first have to bring copies together, one by one. */
  private static final int STEPS_MAX = 16;

  /** To balance a cluster takes many. */
  private static final int BALANCE_STEPS_MAX = 1_000;

  private static final long LATER_NANOS = 60_000_000_000L;

  private record Waiting(
      AdminRequest.OfRanges adminRequest, long id, long decision, int steps, long untilNanos) {
    Waiting afterAStep(long until) {
      return new Waiting(adminRequest, id, decision, steps - 1, until);
    }

    /** A step gives a range another id, if it is done. */
    Waiting renamed(RangeId old, RangeId now) {
      AdminRequest.OfRanges of =
          adminRequest instanceof AdminRequest.Merge(var one, var other)
              ? new AdminRequest.Merge(one.equals(old) ? now : one, other.equals(old) ? now : other)
              : adminRequest;
      return new Waiting(of, id, decision, steps, untilNanos);
    }
  }

  /** A request, and what brings it nearer. */
  private record Step(Waiting of, MovePlan plan) {
    Waiting over(ClusterState state) {
      return state.ranges().range(plan.movedId()).isPresent()
          ? of.renamed(plan.source().id(), plan.movedId())
          : of;
    }
  }

  /** A node that is to have nothing: for which decisions, and what it was told last. */
  private static final class Drain {
    private final List<Long> decisions = new ArrayList<>();
    private String told = "";
  }

  private final Deque<Waiting> waiting = new ArrayDeque<>();
  private final Map<NodeId, Drain> drains = new TreeMap<>();
  private Optional<Step> underWay = Optional.empty();

  void clear() {
    waiting.clear();
    drains.clear();
    underWay = Optional.empty();
  }

  /** The answer of a node that is not the steward. */
  static Decision notHere(AdminRequest adminRequest, String why) {
    return new Decision(
        0,
        0,
        MapVersion.ZERO,
        Cause.OPERATOR,
        adminRequest instanceof AdminRequest.OfRanges of ? ranges(of) : List.of(),
        words(adminRequest),
        "",
        Outcome.REFUSED,
        why,
        0);
  }

  /** Takes a request, with an id or 0; the number of the decision about it. */
  long add(Steward steward, AdminRequest.OfRanges adminRequest, long id) {
    long decision =
        steward
            .decided()
            .open(
                steward.context().nanos(),
                Cause.OPERATOR,
                ranges(adminRequest),
                words(adminRequest),
                "",
                id);
    if (waiting.size() >= WAITING_MAX) {
      refuse(steward, decision, WAITING_MAX + " other requests wait");
    } else {
      int steps = adminRequest instanceof AdminRequest.Rebalance ? BALANCE_STEPS_MAX : STEPS_MAX;
      waiting.addLast(
          new Waiting(adminRequest, id, decision, steps, steward.context().nanos() + LATER_NANOS));
    }
    return decision;
  }

  private static List<RangeId> ranges(AdminRequest.OfRanges adminRequest) {
    return switch (adminRequest) {
      case AdminRequest.Split(var range, _) -> List.of(range);
      case AdminRequest.Merge(var one, var other) -> List.of(one, other);
      case AdminRequest.Move(var range, _, _) -> List.of(range);
      case AdminRequest.Drain _, AdminRequest.Rebalance _ -> List.of();
    };
  }

  private static String words(AdminRequest adminRequest) {
    return switch (adminRequest) {
      case AdminRequest.Split(var range, var at) ->
          "split range " + range + at.map(key -> " at " + KeyText.brief(key)).orElse("");
      case AdminRequest.Merge(var one, var other) -> "merge ranges " + one + " and " + other;
      case AdminRequest.Move(var range, var to, var from) ->
          from.map(node -> "move the copy of range " + range + " on " + node)
                  .orElse("move range " + range)
              + " to "
              + to;
      case AdminRequest.Drain(var node) -> "drain " + node;
      case AdminRequest.Rebalance _ -> "rebalance";
      case AdminRequest.OfObjectives about -> ServiceLevels.words(about);
      case AdminRequest.OfControl about -> ServiceLevels.words(about);
      case AdminRequest.OfTables about -> ServiceLevels.words(about);
    };
  }

  /** A node that an operator has said is not to be reckoned with any more, and is not there. */
  boolean isTakenOut(Steward steward, NodeId node) {
    return drains.containsKey(node) && steward.nodes().liveIncarnation(node).isEmpty();
  }

  /** The next move that a request asks for; refuses what cannot be. */
  Optional<MoveRun> next(Steward steward, ClusterState state) {
    drain(steward, state);
    underWay.ifPresent(step -> goesOn(step.over(state)));
    List<Waiting> later = new ArrayList<>();
    Optional<MoveRun> next = Optional.empty();
    while (next.isEmpty() && !waiting.isEmpty()) {
      Waiting first = waiting.removeFirst();
      Optional<Decision> done = steward.decided().doneOfRequest(first.id());
      if (done.isPresent()) {
        // An earlier steward's last change, recorded since the request was told again.
        steward.decided().end(first.decision(), Outcome.DONE, done.get().map(), done.get().what());
        continue;
      }
      switch (new RequestedMove(steward, state).answer(first.adminRequest())) {
        case RequestedMove.Answer.Refused(String why) -> refuse(steward, first.decision(), why);
        case RequestedMove.Answer.Granted(MovePlan plan) ->
            next = Optional.of(new MoveRun(steward, plan, first.decision(), first.id()));
        case RequestedMove.Answer.First(MovePlan plan) -> {
          if (first.steps() == 0) {
            refuse(steward, first.decision(), "it does not come to an end");
          } else {
            long until = steward.context().nanos() + LATER_NANOS;
            underWay = Optional.of(new Step(first.afterAStep(until), plan));
            next = Optional.of(MoveRun.decided(steward, plan));
          }
        }
        case RequestedMove.Answer.Later(String why) -> {
          if (first.untilNanos() - steward.context().nanos() <= 0) {
            refuse(steward, first.decision(), why);
          } else {
            later.add(first);
          }
        }
        case RequestedMove.Answer.Nothing(String why) ->
            steward.decided().end(first.decision(), Outcome.DONE, state.ranges().version(), why);
        case RequestedMove.Answer.Draining(NodeId node) ->
            drains.computeIfAbsent(node, _ -> new Drain()).decisions.add(first.decision());
      }
    }
    waiting.addAll(later);
    return next;
  }

  private void goesOn(Waiting again) {
    underWay = Optional.empty();
    waiting.addFirst(again);
  }

  private static void refuse(Steward steward, long decision, String why) {
    steward.decided().end(decision, Outcome.REFUSED, MapVersion.ZERO, why);
  }

  /** A node that wants to leave was told how that stands. */
  void told(NodeId node, String detail) {
    Drain drain = drains.get(node);
    if (drain != null) {
      drain.told = detail;
    }
  }

  /**
   * Says of the drains that are under way what they wait for.
   *
   * @param busy what the steward is at, if it is at something
   */
  void noteDrains(Steward steward, ClusterState state, Optional<String> busy) {
    drains.forEach(
        (node, drain) -> {
          String detail = waitsFor(steward, state, node, busy.orElse(drain.told));
          drain.decisions.forEach(decision -> steward.decided().note(decision, detail));
        });
  }

  private static String waitsFor(
      Steward steward, ClusterState state, NodeId node, String underWay) {
    List<RangeDescriptor> all = state.ranges().ranges();
    long served = all.stream().filter(range -> range.primary().equals(node)).count();
    long copies = all.stream().filter(range -> range.secondaries().contains(node)).count();
    String left =
        served + copies == 0
            ? node + " has nothing any more and is about to leave the tree"
            : "%s still serves %d ranges and has %d copies of others"
                .formatted(node, served, copies);
    if (steward.nodes().liveIncarnation(node).isEmpty()) {
      return left + "; it is not there, they are made anew on other nodes";
    }
    return underWay.isEmpty() ? left : left + "; " + underWay;
  }

  /** Tells nodes that they are to leave, and sees who has left. */
  private void drain(Steward steward, ClusterState state) {
    for (NodeId node : List.copyOf(drains.keySet())) {
      boolean holds =
          state.ranges().ranges().stream()
              .anyMatch(
                  range -> range.primary().equals(node) || range.secondaries().contains(node));
      if (!holds && !state.tree().contains(node)) {
        Drain over = drains.remove(node);
        for (long decision : over == null ? List.<Long>of() : over.decisions) {
          steward
              .decided()
              .end(decision, Outcome.DONE, state.ranges().version(), "it has left the tree");
        }
      } else if (!steward.nodes().wantsToLeave(node)) {
        steward
            .nodes()
            .liveIncarnation(node)
            .ifPresent(incarnation -> steward.context().send(node, new DepartWanted(incarnation)));
      }
    }
  }
}
