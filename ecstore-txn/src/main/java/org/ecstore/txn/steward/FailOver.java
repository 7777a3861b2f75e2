package org.ecstore.txn.steward;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.Stream;
import org.ecstore.core.map.MapChange;
import org.ecstore.core.map.RangeDescriptor;
import org.ecstore.core.overlay.ClusterState;
import org.ecstore.core.overlay.Place;
import org.ecstore.core.port.Coordination.Member;
import org.ecstore.id.Epoch;
import org.ecstore.id.MapVersion;
import org.ecstore.id.NodeId;
import org.ecstore.id.Position;
import org.ecstore.id.RangeId;
import org.ecstore.replication.placement.CopyChange;
import org.ecstore.replication.placement.CopyNeeds;
import org.ecstore.txn.steward.member.ClusterNodes;
import org.ecstore.txn.steward.member.MembershipTracker;
import org.jspecify.annotations.Nullable;

/**
 * What has to be done when nodes go and come (rules 16, 19, 22). Any copy of a range may be
 * promoted safely, since it replays the ledger through its own epoch record; the copy that is
 * closed highest has the least to replay. A copy that has not reported under the range's epoch is
 * not known to be whole and is not promoted.
 */
class FailOver {
  private final Steward steward;
  private final ClusterNodes nodes;
  private final MembershipTracker presence;

  /** As of one state: a fail-over is made for each look at the cluster. */
  private @Nullable CopyPlaces places;

  FailOver(Steward steward, MembershipTracker presence) {
    this.steward = steward;
    this.nodes = steward.nodes();
    this.presence = presence;
  }

  /** Looks who is there and has which copies. */
  void look(ClusterState state, List<Member> members, long nanos) {
    presence.see(members, nanos);
    presence.durable(steward.durable(), steward.closeNanos());
    presence.keepOnly(range -> state.ranges().range(range).isPresent());
    presence.outOfPlace(
        node -> nodes.isStaying(node) && nodes.mayServe(node) && !state.tree().contains(node),
        nodes.longFailureNanos());
    for (RangeDescriptor range : state.ranges().ranges()) {
      holders(range)
          .forEach(
              node -> presence.reported(range.id(), node, nodes.reported(range, node).isPresent()));
    }
  }

  /** Who may hold copies in that state. */
  CopyPlaces places(ClusterState state) {
    CopyPlaces made = places;
    if (made == null) {
      made = new CopyPlaces(steward, state);
      places = made;
    }
    return made;
  }

  // --- a primary is gone

  /** Whether some range has lost its primary, and another node can take its place. */
  boolean mayHelp(ClusterState state) {
    return state.ranges().ranges().stream().anyMatch(range -> successor(range).isPresent());
  }

  /** Whether some range has lost its primary, and a node that is there has not reported a copy. */
  boolean lacksReports(ClusterState state) {
    return state.ranges().ranges().stream()
        .filter(range -> nodes.liveIncarnation(range.primary()).isEmpty())
        .anyMatch(
            range ->
                range.secondaries().stream()
                    .filter(node -> nodes.liveIncarnation(node).isPresent())
                    .anyMatch(node -> nodes.reported(range, node).isEmpty()));
  }

  private Optional<NodeId> successor(RangeDescriptor range) {
    boolean goesOn =
        nodes.liveIncarnation(range.primary()).isPresent() && !isLost(range, range.primary());
    return goesOn ? Optional.empty() : best(range, range.secondaries().stream());
  }

  /**
   * Of some holders of copies the one that is there, stays, has the fittest engine, and is closed
   * highest. One that persists and does not write fast serves until one that does can; one that
   * does not persist never does, unless placement is relaxed (rule 23).
   */
  private Optional<NodeId> best(RangeDescriptor range, Stream<NodeId> holders) {
    return holders
        .filter(node -> nodes.liveIncarnation(node).isPresent())
        .filter(node -> steward.isPromotable(nodes.engine(node)))
        .filter(node -> nodes.reported(range, node).isPresent())
        .max(
            Comparator.comparing((NodeId node) -> !nodes.wantsToLeave(node))
                .thenComparingInt(node -> -CopyNeeds.primaryRank(nodes.engine(node)))
                .thenComparing(node -> nodes.reported(range, node).orElse(Position.ZERO)));
  }

  /** The state in which all such ranges have other primaries; who had them is a secondary. */
  Optional<ClusterState> replaced(ClusterState state) {
    return changed(
        state,
        "failure: the primary is gone, or its copy is: ",
        range ->
            successor(range)
                .flatMap(
                    node ->
                        nodes
                            .liveIncarnation(node)
                            .map(incarnation -> promoted(range, node, incarnation))));
  }

  private static RangeDescriptor promoted(RangeDescriptor range, NodeId node, long incarnation) {
    List<NodeId> secondaries = new ArrayList<>(range.secondaries());
    secondaries.remove(node);
    secondaries.add(range.primary());
    return new RangeDescriptor(
        range.id(), range.keys(), range.epoch(), node, incarnation, secondaries);
  }

  // --- a secondary is gone for long, or leaves

  /** Whether some range has a secondary that it need not wait for. */
  boolean maySpare(ClusterState state) {
    return state.ranges().ranges().stream().anyMatch(range -> !spare(state, range).isEmpty());
  }

  /**
   * The secondaries of a range that go: gone for long, while some copy is there; without the data
   * that they had; or, while none is missing without them, about to leave, on one host with another
   * copy, or one too many for what the copies have to be together, as when a node stays after all
   * whose copy was replaced.
   */
  private List<NodeId> spare(ClusterState state, RangeDescriptor range) {
    if (!nodes.isServedLive(range) || isNoneToSpare(range)) {
      return List.of();
    }
    NodeId home = state.homeOf(range);
    List<NodeId> staying =
        Stream.concat(
                Stream.of(range.primary()),
                Stream.concat(
                    range.secondaries().stream().filter(home::equals),
                    range.secondaries().stream().filter(node -> !home.equals(node))))
            .filter(nodes::isStaying)
            .filter(node -> nodes.reported(range, node).isPresent())
            .toList();
    CopyChange change = places(state).change(range, staying);
    boolean areAll = hosts(staying.stream()) >= steward.settings().copies() || !isAnyOutOfPlace();
    boolean isEnough = change.isEnough() && areAll;
    List<NodeId> kept = staying.stream().filter(node -> !change.surplus().contains(node)).toList();
    Optional<NodeId> surplus =
        isEnough && hosts(staying.stream()) > steward.settings().copies()
            ? change.surplus().stream()
                .filter(node -> !node.equals(home) || !nodes.mayServe(home))
                .filter(node -> !node.equals(range.primary()))
                .filter(node -> !mayBeTheLast(range, node, staying))
                .findFirst()
            : Optional.empty();
    return range.secondaries().stream()
        .filter(
            node ->
                surplus.equals(Optional.of(node))
                    || (needNotStay(range, node, isEnough, kept)
                        && !mayBeTheLast(range, node, staying)))
        .toList();
  }

  /**
   * Whether a node that stays has no place at the moment, as one that leaves its place to join
   * beside another (rule 21). It will have copies, and those who leave do not go before that; but
   * one that gets no place for long, as its disk is full, is not waited for.
   */
  private boolean isAnyOutOfPlace() {
    return presence.isAnyOutOfPlaceFor(nodes.longFailureNanos());
  }

  /**
   * Whether a copy is on the host of one that is kept, and is not kept itself. Which of two it is
   * that goes, the needs of all copies together decide: else what goes would be made anew.
   */
  private boolean isBeside(NodeId node, List<NodeId> kept) {
    String host = nodes.host(node);
    return !kept.contains(node) && kept.stream().anyMatch(one -> host.equals(nodes.host(one)));
  }

  private boolean needNotStay(
      RangeDescriptor range, NodeId node, boolean isEnough, List<NodeId> kept) {
    return isGoneForLong(node)
        || isLost(range, node)
        || (isEnough && (nodes.wantsToLeave(node) || isBeside(node, kept)));
  }

  /**
   * One that is away, leaves, has said nothing for long, or is one too many stays if no other that
   * is there to stay keeps what it has (rule 23): the ledger may be trimmed by it. Unless it says
   * itself that it has nothing.
   */
  private boolean mayBeTheLast(RangeDescriptor range, NodeId node, List<NodeId> staying) {
    return nodes.engine(node).persists()
        && !nodes.saysLost(range, node)
        && staying.stream()
            .noneMatch(other -> !other.equals(node) && nodes.engine(other).persists());
  }

  /** Of nearly all ranges, nearly always: nothing more need be asked then. */
  private boolean isNoneToSpare(RangeDescriptor range) {
    return range.secondaries().size() < steward.settings().copies()
        && range.secondaries().stream().noneMatch(node -> isLost(range, node))
        && areApartToStay(range);
  }

  /** Whether the secondaries are there to stay, and no two copies are on one host. */
  private boolean areApartToStay(RangeDescriptor range) {
    for (NodeId node : range.secondaries()) {
      if (!nodes.isStaying(node) || isDouble(range, node)) {
        return false;
      }
    }
    return true;
  }

  /** On how many hosts nodes are: two copies on one fail together, and count as one (rule 22). */
  private long hosts(Stream<NodeId> some) {
    return some.map(nodes::host).distinct().count();
  }

  /** Whether the primary, or a secondary named before this one, is on the same host. */
  private boolean isDouble(RangeDescriptor range, NodeId secondary) {
    String host = nodes.host(secondary);
    if (host.equals(nodes.host(range.primary()))) {
      return true;
    }
    for (NodeId other : range.secondaries()) {
      if (other.equals(secondary)) {
        return false;
      }
      if (host.equals(nodes.host(other))) {
        return true;
      }
    }
    return false;
  }

  private static Stream<NodeId> holders(RangeDescriptor range) {
    return Stream.concat(Stream.of(range.primary()), range.secondaries().stream());
  }

  private boolean isStuckForLong(NodeId node) {
    return TimeUnit.SECONDS.toNanos(nodes.stuckSeconds(node)) >= nodes.longFailureNanos();
  }

  private boolean isGoneForLong(NodeId node) {
    return steward.adminRequests().isTakenOut(steward, node)
        || presence.isGoneFor(node, nodes.longFailureNanos());
  }

  /**
   * Whether a node that is there has no copy that can go on, as one that has come back on an empty
   * disk, of a ledger that is trimmed, or one whose store is stuck (decision 0094). Of a secondary
   * that persists it is found out when it has said nothing for long; a primary, and one whose store
   * forgets, is taken at its word: no node serves the range meanwhile, or it has to be filled anew
   * at once (rule 23).
   */
  private boolean isLost(RangeDescriptor range, NodeId node) {
    return presence.isSilentFor(range.id(), node, nodes.longFailureNanos())
        || ((node.equals(range.primary()) || !nodes.engine(node).persists())
            && (nodes.saysLost(range, node) || nodes.isStuck(node)));
  }

  /** The state without them. */
  Optional<ClusterState> spared(ClusterState state) {
    return changed(
        state,
        "failure: copies that are gone for long, leave, or are too many are not waited for: ",
        range -> {
          List<NodeId> spare = spare(state, range);
          return spare.isEmpty()
              ? Optional.empty()
              : Optional.of(
                  new RangeDescriptor(
                      range.id(),
                      range.keys(),
                      range.epoch(),
                      range.primary(),
                      range.primaryIncarnation(),
                      range.secondaries().stream().filter(node -> !spare.contains(node)).toList()));
        });
  }

  /** All ranges at once that a function has something for, under a new epoch. */
  private static Optional<ClusterState> changed(
      ClusterState state, String why, Function<RangeDescriptor, Optional<RangeDescriptor>> next) {
    MapVersion version = state.ranges().version().next();
    List<RangeId> retired = new ArrayList<>();
    List<RangeDescriptor> placed = new ArrayList<>();
    for (RangeDescriptor range : state.ranges().ranges()) {
      Optional<RangeDescriptor> now = next.apply(range);
      if (now.isPresent()) {
        RangeDescriptor to = now.get();
        retired.add(range.id());
        placed.add(
            new RangeDescriptor(
                to.id(),
                to.keys(),
                new Epoch(version.value()),
                to.primary(),
                to.primaryIncarnation(),
                to.secondaries()));
      }
    }
    if (placed.isEmpty()) {
      return Optional.empty();
    }
    MapChange change = new MapChange(version, retired, placed, why + "ranges " + retired);
    return Optional.of(state.after(change, state.tree()));
  }

  // --- moves

  /** What has to be moved next, if anything: another copy of a range, or a range back home. */
  Optional<MovePlan> next(ClusterState state) {
    boolean mayCopy = !isAnyJoining(state);
    for (RangeDescriptor range : state.ranges().ranges()) {
      if (nodes.isServedLive(range)) {
        Optional<MovePlan> one =
            (mayCopy ? another(state, range) : Optional.<MovePlan>empty())
                .or(() -> home(state, range));
        if (one.isPresent()) {
          return one;
        }
      }
    }
    return takenOut(state);
  }

  /**
   * A node that is gone for good, or whose store is, and that no range counts among its holders,
   * goes out of the tree: what belongs to it goes to its neighbours. Should it come back, it joins
   * anew. One that has come back with an engine that holds secondaries only goes out of it
   * likewise, once others serve what belongs to it, and keeps its copies.
   */
  private Optional<MovePlan> takenOut(ClusterState state) {
    for (Place place : state.tree().inOrder()) {
      NodeId node = place.node();
      boolean isUnfit = nodes.isStaying(node) && !steward.mayHavePlace(node);
      if (isUnfit ? isSecondaryOnly(state, node) : isGoneWithAll(state, node)) {
        List<RangeDescriptor> own = state.rangesWithin(node);
        Optional<Leave.Heir> heir = Leave.heir(steward, state, node);
        if (heir.isPresent() && own.stream().allMatch(nodes::isServedLive)) {
          String why = isUnfit ? "its engine holds secondary copies only" : "";
          return Optional.of(Leave.of(node, 0, heir.get(), own, state.nextRangeId(), why));
        }
      }
    }
    return Optional.empty();
  }

  private static boolean isSecondaryOnly(ClusterState state, NodeId node) {
    return state.ranges().ranges().stream().noneMatch(range -> range.primary().equals(node));
  }

  private boolean isGoneWithAll(ClusterState state, NodeId node) {
    boolean isGone =
        nodes.liveIncarnation(node).isEmpty() ? isGoneForLong(node) : isStuckForLong(node);
    return isGone
        && state.ranges().ranges().stream()
            .noneMatch(range -> holders(range).anyMatch(node::equals));
  }

  /**
   * Whether a node has come of late that has no place yet. Copies wait for it: the nodes that are
   * there first would get all of them.
   */
  private boolean isAnyJoining(ClusterState state) {
    return nodes.members().stream()
        .filter(node -> !nodes.wantsToLeave(node) && !state.tree().contains(node))
        .anyMatch(node -> !presence.isSettled(node, steward.settings().settledNanos()));
  }

  private Optional<MovePlan> another(ClusterState state, RangeDescriptor range) {
    CopyPlaces all = places(state);
    int copies = range.secondaries().size() + 1;
    int wanted = steward.settings().copies();
    boolean isEnough =
        (all.areMixed()
                ? copies == wanted && all.areAsGoodAsAny(holders(range).toList())
                : copies >= wanted)
            && nodes.isStaying(range.primary())
            && areApartToStay(range);
    if (isEnough) {
      return Optional.empty();
    }
    List<NodeId> reckonedWith =
        holders(range).filter(node -> !isGoneForLong(node) && !nodes.wantsToLeave(node)).toList();
    long there = hosts(reckonedWith.stream());
    if (!all.areMixed() && there >= wanted) {
      return Optional.empty();
    }
    return all.missing(range, reckonedWith)
        .flatMap(
            target ->
                nodes
                    .liveIncarnation(target)
                    .map(
                        incarnation ->
                            new Replicate(
                                target,
                                incarnation,
                                range,
                                new RangeId(state.nextRangeId()),
                                all.isOutside(target),
                                why(target, there))));
  }

  private String why(NodeId target, long there) {
    int copies = steward.settings().copies();
    return there < copies
        ? "it has %d of %d copies".formatted(there, copies)
        : "it has %d copies, and lacks one on %s".formatted(there, nodes.engine(target).kind());
  }

  private Optional<MovePlan> home(ClusterState state, RangeDescriptor range) {
    NodeId home = state.homeOf(range);
    boolean isBack =
        !home.equals(range.primary())
            && range.secondaries().contains(home)
            && nodes.isStaying(home)
            && nodes.mayServe(home)
            && presence.isSettled(home, steward.settings().settledNanos())
            && steward.isClose(range, home);
    return isBack ? change(state, range, home, "goes back home") : fitter(state, range);
  }

  /**
   * A primary on an engine that none should be on gives way to a copy on one that is fit for it.
   */
  private Optional<MovePlan> fitter(ClusterState state, RangeDescriptor range) {
    if (nodes.mayServe(range.primary())) {
      return Optional.empty();
    }
    List<NodeId> fit =
        range.secondaries().stream().filter(nodes::isStaying).filter(nodes::mayServe).toList();
    if (fit.isEmpty() && steward.settings().copies() == 1) {
      return state.tree().inOrder().stream()
          .map(Place::node)
          .filter(node -> nodes.isStaying(node) && nodes.mayServe(node))
          .findFirst()
          .flatMap(
              node -> change(state, range, node, "goes to an engine that is fit for primaries"));
    }
    return fit.stream()
        .filter(node -> presence.isSettled(node, steward.settings().settledNanos()))
        .filter(node -> steward.isClose(range, node))
        .findFirst()
        .flatMap(node -> change(state, range, node, "goes to an engine that is fit for primaries"));
  }

  /** A range that a node serves for another, when the node is about to leave. */
  Optional<MovePlan> away(ClusterState state, NodeId leaver) {
    for (RangeDescriptor range : state.ranges().ranges()) {
      NodeId home = state.ownerOf(range);
      if (range.primary().equals(leaver) && !home.equals(leaver) && nodes.isServedLive(range)) {
        Optional<MovePlan> move =
            heir(state, range, home)
                .flatMap(to -> change(state, range, to, "goes on, its primary leaves"));
        if (move.isPresent()) {
          return move;
        }
      }
    }
    return Optional.empty();
  }

  /** A copy that is behind is waited for, as long as it counts: no other is made in its stead. */
  private Optional<NodeId> heir(ClusterState state, RangeDescriptor range, NodeId home) {
    List<NodeId> heirs =
        Stream.concat(
                Stream.of(home).filter(nodes::isStaying).filter(nodes::mayServe),
                best(range, range.secondaries().stream()).stream().filter(nodes::isStaying))
            .toList();
    Stream<NodeId> any =
        state.tree().inOrder().stream()
            .map(Place::node)
            .filter(nodes::isStaying)
            .filter(nodes::mayServe);
    return (heirs.isEmpty() ? any : heirs.stream())
        .filter(node -> steward.mayTakeOver(range, node))
        .findFirst();
  }

  private Optional<MovePlan> change(
      ClusterState state, RangeDescriptor range, NodeId to, String why) {
    return nodes
        .liveIncarnation(to)
        .map(
            incarnation ->
                new ChangePrimary(to, incarnation, range, new RangeId(state.nextRangeId()), why));
  }
}
