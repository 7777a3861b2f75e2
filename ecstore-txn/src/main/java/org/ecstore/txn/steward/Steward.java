package org.ecstore.txn.steward;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.ecstore.core.map.MapChange;
import org.ecstore.core.map.RangeDescriptor;
import org.ecstore.core.metrics.Instrument;
import org.ecstore.core.metrics.MetricSeries;
import org.ecstore.core.metrics.NodeMetrics;
import org.ecstore.core.overlay.ClusterState;
import org.ecstore.core.overlay.JoinPlan;
import org.ecstore.core.port.Coordination.Member;
import org.ecstore.core.port.Provisioner;
import org.ecstore.core.runtime.NodeContext;
import org.ecstore.core.runtime.RuleSeam;
import org.ecstore.id.Epoch;
import org.ecstore.id.MapVersion;
import org.ecstore.id.NodeId;
import org.ecstore.id.Position;
import org.ecstore.id.RangeId;
import org.ecstore.key.Bytes;
import org.ecstore.key.KeyRange;
import org.ecstore.model.AdminRequest;
import org.ecstore.model.EngineTraits;
import org.ecstore.protocol.ClientReply.Balance;
import org.ecstore.replication.placement.CopyNeeds;
import org.ecstore.txn.balance.RebalanceSettings;
import org.ecstore.txn.message.TxnMessage.BuiltUnused;
import org.ecstore.txn.message.TxnMessage.CopyLoad;
import org.ecstore.txn.message.TxnMessage.LeaveAnswer;
import org.ecstore.txn.qos.ServiceLevels;
import org.ecstore.txn.qos.control.ControlTiming;
import org.ecstore.txn.sequencer.Sequencer;
import org.ecstore.txn.steward.decision.Decision;
import org.ecstore.txn.steward.decision.Decisions;
import org.ecstore.txn.steward.member.CatchUps;
import org.ecstore.txn.steward.member.ClusterNodes;
import org.ecstore.txn.steward.member.MembershipTracker;
import org.ecstore.txn.steward.member.OfMembers;
import org.jspecify.annotations.Nullable;

/**
 * Changes the map, on the node that leads (rules 15, 17, 19, 20). Every change is a compare-and-set
 * of the cluster state in coordination, then an epoch record; one at a time, so that no range is
 * changed whose last change is unrecorded. A steward that starts completes what it finds.
 *
 * <p>Nodes join and leave by moves of ranges, one at a time: see {@link Join} and {@link Leave}.
 */
public class Steward {
  /** Where the cluster state is kept in coordination. */
  public static final String KEY = "cluster";

  private static final int QUIET_DOUBLINGS_MAX = 10;

  /**
   * Times in nanoseconds; hints are sorted keys.
   *
   * @param copies K: of each range, the primary's among them, where there are as many nodes
   * @param longFailureNanos after which a node that is gone is no longer reckoned with: its copies
   *     are made anew on others
   * @param settledNanos for which a node must be there before ranges go back to it
   * @param relaxed whether the cluster begins, and goes on, where no node's engine is what copies
   *     need, or is fit for primaries (rule 23)
   */
  public record Settings(
      long retryNanos,
      long askTimeoutNanos,
      long buildTimeoutNanos,
      List<Bytes> splitHints,
      int copies,
      long longFailureNanos,
      long settledNanos,
      boolean relaxed) {
    public Settings {
      if (copies < 1) {
        throw new IllegalArgumentException("a range has at least one copy, not " + copies);
      }
      splitHints = List.copyOf(splitHints);
    }

    /** Where engines must be what copies need. */
    public Settings(
        long retryNanos,
        long askTimeoutNanos,
        long buildTimeoutNanos,
        List<Bytes> splitHints,
        int copies,
        long longFailureNanos,
        long settledNanos) {
      this(
          retryNanos,
          askTimeoutNanos,
          buildTimeoutNanos,
          splitHints,
          copies,
          longFailureNanos,
          settledNanos,
          false);
    }
  }

  private final NodeContext context;
  private final Sequencer sequencer;
  private final Settings settings;
  private final ClusterNodes nodes;
  private final Decisions decisions;
  private final AdminRequests adminRequests = new AdminRequests();
  private final StateChanges changes;
  private final Instrument failOvers;
  private Optional<MoveRun> move = Optional.empty();
  private final OfMembers<Long> epochsWanted = new OfMembers<>();
  private final MembershipTracker presence = new MembershipTracker();
  private final CatchUps catchUps = new CatchUps();
  private final RebalanceSettings balancing;
  private @Nullable Rebalance rebalance;
  private final ServiceLevels.Factory levels;
  private @Nullable ServiceLevels serviceLevels;
  private boolean awaitsReports;
  private String waitsForEngines = "";
  private String shortfall = "";
  private int putOff;
  private long quietUntilNanos;

  /** One beside which nothing can start nodes. */
  public Steward(
      NodeContext context,
      Sequencer sequencer,
      Supplier<List<Member>> members,
      Settings settings,
      RebalanceSettings balance) {
    this(
        context,
        sequencer,
        members,
        settings,
        balance,
        with -> new ServiceLevels(with, ControlTiming.DEFAULT, Provisioner.NONE));
  }

  /**
   * A steward of nothing yet.
   *
   * @param members who is there
   * @param levels makes what keeps service levels beside it
   */
  public Steward(
      NodeContext context,
      Sequencer sequencer,
      Supplier<List<Member>> members,
      Settings settings,
      RebalanceSettings balance,
      ServiceLevels.Factory levels) {
    this.context = context;
    this.sequencer = sequencer;
    this.settings = settings;
    this.nodes =
        new ClusterNodes(
            context,
            sequencer,
            members,
            presence,
            new ClusterNodes.Judged(
                settings.askTimeoutNanos(), settings.longFailureNanos(), settings.relaxed()));
    this.balancing = balance;
    this.levels = levels;
    this.decisions = new Decisions(context.ports().log());
    this.failOvers = context.metrics().of(new MetricSeries(NodeMetrics.FAIL_OVERS));
    this.changes = new StateChanges(context, sequencer, settings.retryNanos(), decisions);
  }

  /** The sequencer on this node has taken over: so does the steward. */
  public void start() {
    move = Optional.empty();
    presence.clear();
    catchUps.clear();
    putOff = 0;
    quietUntilNanos = context.nanos();
    decisions.begin(sequencer.recentChanges());
    adminRequests.clear();
    nodes.clear();
    rebalance().clear();
    serviceLevels().start();
    changes.start(this::mustComplete, this::ready, this::firstPrimary);
  }

  /** What was decided and why, newest last. */
  public List<Decision> decisions() {
    noteDrains();
    return decisions.all();
  }

  /** Rule 15: no further change while the last one is unrecorded. */
  @RuleSeam(15)
  protected boolean mustComplete() {
    return true;
  }

  private void ready() {
    context.after(1, this::tend);
    epochsWanted.takeAll().forEach(this::epochsWanted);
  }

  // --- engines (rule 23)

  /** What the copies of a range have to be together. */
  @RuleSeam(23)
  protected CopyNeeds needs() {
    return CopyNeeds.of(settings.copies());
  }

  /**
   * Whether a node that is there may have a place in the tree: ranges belong to it then, and it
   * takes over those of a neighbour that leaves (decision 0107). Where placement is relaxed any
   * may, for which nodes may serve changes there with which are there.
   */
  @RuleSeam(23)
  protected boolean mayHavePlace(NodeId node) {
    return settings.relaxed() || nodes.mayServe(node);
  }

  /** Whether a copy on an engine may take the place of a primary that is gone. */
  @RuleSeam(23)
  protected boolean isPromotable(EngineTraits engine) {
    return engine.persists() || settings.relaxed();
  }

  /**
   * Who gets the first range of all: this node if its engine is fit for it; no node while no node
   * that is there is, or all of them together are not what copies need.
   */
  private Optional<Member> firstPrimary() {
    List<String> lacking = CopyNeeds.lacking(sequencer.engines().there());
    if (!lacking.isEmpty() && !settings.relaxed()) {
      waitsForEngines =
          "of the engines that are there, %s: start a node of another kind, or set placement.relaxed"
              .formatted(String.join(", ", lacking));
      return Optional.empty();
    }
    waitsForEngines = "";
    return nodes.present().stream()
        .filter(member -> nodes.mayServe(member.node()))
        .min(
            Comparator.comparing((Member member) -> !member.node().equals(context.self()))
                .thenComparing(Member::node));
  }

  /**
   * What of the placement of copies an operator should know, where engines differ or fall short:
   * what is waited for, which needs are given up, and where the ledger is kept whole.
   */
  public Optional<String> placement() {
    if (!sequencer.active()) {
      return Optional.empty();
    }
    if (!waitsForEngines.isEmpty()) {
      return Optional.of("no range yet: " + waitsForEngines);
    }
    List<String> parts = new ArrayList<>();
    if (!shortfall.isEmpty()) {
      parts.add("copies of each range lack: " + shortfall);
    }
    if (sequencer.keepsLedgerWhole()) {
      parts.add("the ledger is kept whole, for a range has no copy that persists");
    }
    for (Member member : nodes.present()) {
      long seconds = nodes.stuckSeconds(member.node());
      if (seconds > 0) {
        parts.add(
            "the store of %s has done nothing for %d s: its copies do not count, and it gets none"
                .formatted(member.node(), seconds));
      }
    }
    return parts.isEmpty() ? Optional.empty() : Optional.of(String.join("; ", parts));
  }

  /** Looks which needs cannot be met, whichever nodes have the copies; fewer hosts are no news. */
  private void lookAtNeeds(CopyPlaces places) {
    CopyNeeds.Shortfall least = places.shortfall();
    shortfall =
        new CopyNeeds.Shortfall(
                0,
                least.persisting(),
                least.unfit(),
                least.fastWrites(),
                least.fastReads(),
                least.missingKinds())
            .toString();
  }

  /** A node has restarted: its ranges get new epochs under its new incarnation (rule 19). */
  public void epochsWanted(NodeId node, long incarnation) {
    if (!nodes.isLive(node, incarnation)) {
      return;
    }
    if (changes.state().isEmpty()) {
      epochsWanted.put(node, incarnation, nodes.members());
      return;
    }
    changes.change(state -> newEpochs(state, node, incarnation), () -> {}, () -> {});
  }

  private static Optional<ClusterState> newEpochs(
      ClusterState state, NodeId node, long incarnation) {
    MapVersion version = state.ranges().version().next();
    List<RangeId> retired = new ArrayList<>();
    List<RangeDescriptor> placed = new ArrayList<>();
    for (RangeDescriptor range : state.ranges().ranges()) {
      if (range.primary().equals(node) && range.primaryIncarnation() < incarnation) {
        retired.add(range.id());
        placed.add(
            new RangeDescriptor(
                range.id(),
                range.keys(),
                new Epoch(version.value()),
                node,
                incarnation,
                range.secondaries()));
      }
    }
    if (placed.isEmpty()) {
      return Optional.empty();
    }
    MapChange change =
        new MapChange(
            version,
            retired,
            placed,
            "failure: " + node + " came back as incarnation " + incarnation);
    return Optional.of(state.after(change, state.tree()));
  }

  /** A node without a place asks for one (rules 17, 20). */
  public void joinWanted(NodeId node, long incarnation) {
    if (!mayMove(node, incarnation)
        || nodes.wantsToLeave(node)
        || !nodes.mayServe(node)
        || nodes.isStuck(node)
        || isPutOff(node)) {
      return;
    }
    ClusterState state = changes.state().orElseThrow();
    if (state.tree().contains(node)) {
      return;
    }
    Optional<Join> beside = rebalance().joins(state, node, incarnation);
    if (beside.isPresent()) {
      begin(beside.get());
      return;
    }
    JoinPlan plan = state.tree().whereToJoin(node, state.tree().inOrder().getFirst().node());
    List<RangeDescriptor> parents = state.rangesWithin(plan.parent());
    if (!rebalance().canGive(parents)) {
      rebalance().joinsWhereKeysAre(state, node, incarnation).ifPresent(this::begin);
    } else if (parents.stream().allMatch(nodes::isServedLive)) {
      begin(Join.of(plan, false, incarnation, parents, state.nextRangeId()));
    }
  }

  /**
   * A node wants to leave (ecStore §5.4): one of its ranges is moved, if another node can take it.
   * It asks again until it has none.
   */
  public void leaveWanted(NodeId node, long incarnation) {
    if (!nodes.isLive(node, incarnation)) {
      return;
    }
    nodes.leaves(node, incarnation);
    if (!sequencer.active()) {
      return;
    }
    if (nodes.present().stream().map(Member::node).allMatch(nodes::wantsToLeave)) {
      answer(node, incarnation, false, "no other node is there that stays");
      return;
    }
    Optional<String> lack =
        nodes.lackWithout(node, nodes.members().stream().filter(nodes::isStaying).toList());
    if (lack.isPresent()) {
      answer(node, incarnation, false, "no other node that stays has " + lack.get());
      return;
    }
    if (!mayMove(node, incarnation)) {
      answer(node, incarnation, true, "a range is being moved");
      return;
    }
    ClusterState state = changes.state().orElseThrow();
    Optional<MovePlan> away = new FailOver(this, presence).away(state, node);
    if (away.isPresent()) {
      answer(node, incarnation, true, "ranges of others go back to them");
      begin(away.get());
      return;
    }
    if (!state.tree().contains(node)) {
      answer(node, incarnation, true, "its copies are made anew on other nodes");
      return;
    }
    List<RangeDescriptor> own = state.rangesWithin(node);
    Optional<Leave.Heir> heir = Leave.heir(this, state, node);
    if (heir.isEmpty()) {
      answer(
          node,
          incarnation,
          true,
          "its neighbours in the order of keys are not there to stay, may serve none, or lag");
    } else if (!own.stream().allMatch(nodes::isServedLive)) {
      answer(node, incarnation, true, "it does not hold all its ranges under new epochs yet");
    } else {
      answer(node, incarnation, true, own.size() + " ranges have to be handed over");
      begin(Leave.of(node, incarnation, heir.get(), own, state.nextRangeId(), ""));
    }
  }

  /**
   * Sees to the copies of ranges (rules 16, 19, 22), one thing at a time: a primary that is gone is
   * replaced at once; who is gone for long, or leaves, has its copies replaced and is dropped; a
   * range goes back to the node it belongs to. Called each {@code askNanos}, and whenever a member
   * comes or goes. A primary is replaced while a range is being moved, too: to build a copy may
   * take long.
   */
  public void tend() {
    Optional<ClusterState> known = changes.state();
    if (known.isEmpty() || !nodes.isLive(context.self(), context.incarnation())) {
      return;
    }
    ClusterState state = known.get();
    FailOver failOver = new FailOver(this, presence);
    failOver.look(state, nodes.present(), context.nanos());
    unpinCaughtUp(state);
    lookAtNeeds(failOver.places(state));
    awaitsReports = failOver.lacksReports(state);
    if (failOver.mayHelp(state)) {
      changes.change(failOver::replaced, failOvers::count, () -> {});
      return;
    }
    if (!mayMove(context.self(), context.incarnation())) {
      return;
    }
    if (failOver.maySpare(state)) {
      changes.change(failOver::spared, () -> {}, () -> {});
      return;
    }
    Optional<MoveRun> next = adminRequests.next(this, state);
    if (next.isPresent()) {
      begin(next.get());
    } else if (quietUntilNanos - context.nanos() <= 0) {
      failOver.next(state).or(() -> rebalance().next(state)).ifPresent(this::begin);
    }
  }

  /** A node has reported its copies: perhaps one of them may be promoted now. */
  public void reported() {
    if (awaitsReports) {
      tend();
    }
  }

  /** A node says what its copies hold and have to do. */
  public void loads(NodeId from, List<CopyLoad> told) {
    if (sequencer.active()) {
      rebalance().take(from, told);
    }
  }

  /** How the cluster is balanced; absent if this is not the steward, or does not know yet. */
  public Optional<Balance> balance() {
    return changes.state().map(state -> rebalance().explain(state));
  }

  /** Whether this is the steward, and knows the state of the cluster. */
  public boolean isReady() {
    return changes.isReady();
  }

  /** What keeps service levels beside it. */
  public ServiceLevels serviceLevels() {
    ServiceLevels made = serviceLevels;
    if (made == null) {
      made =
          levels.of(
              new ServiceLevels.Surroundings(
                  context,
                  sequencer::active,
                  settings.retryNanos(),
                  new ControlledRanges(this),
                  () -> changes.state().map(ClusterState::ranges),
                  decisions));
      serviceLevels = made;
    }
    return made;
  }

  /** What an operator wants; what was decided about it. */
  public Decision adminRequest(AdminRequest adminRequest) {
    return adminRequest(adminRequest, 0);
  }

  /**
   * As above.
   *
   * @param id of the request: of one that is known, from here or as done by an earlier steward, the
   *     answer is what has come of it, and nothing else happens; 0 if it has none
   */
  public Decision adminRequest(AdminRequest adminRequest, long id) {
    if (!isReady()) {
      return AdminRequests.notHere(adminRequest, context.self() + " does not lead, or not yet");
    }
    noteDrains();
    Optional<Decision> known = decisions.ofRequest(id);
    if (known.isPresent()) {
      return known.get();
    }
    long decision =
        switch (adminRequest) {
          case AdminRequest.OfRanges ofRanges -> adminRequests.add(this, ofRanges, id);
          case AdminRequest.OfObjectives ofObjectives -> serviceLevels().add(ofObjectives, id);
          case AdminRequest.OfControl ofControl -> serviceLevels().add(ofControl, id);
          case AdminRequest.OfTables ofTables -> serviceLevels().add(ofTables, id);
        };
    tend();
    return decisions.of(decision);
  }

  private void noteDrains() {
    changes
        .state()
        .ifPresent(
            state -> adminRequests.noteDrains(this, state, move.map(run -> run.plan().purpose())));
  }

  private void answer(NodeId node, long incarnation, boolean possible, String detail) {
    adminRequests.told(node, detail);
    context.send(node, new LeaveAnswer(incarnation, possible, detail));
  }

  /** Whether a range is being moved to a node, which gets it if all goes well. */
  boolean isMovingTo(NodeId node) {
    return move.filter(one -> one.plan().target().equals(node)).isPresent();
  }

  /**
   * A node holds a built copy that is in no map it knows of. If it is in none here either, and no
   * move is about to place it, it never will be: ids are reserved before they are used, and what an
   * earlier steward may have been about to do was fenced off when this one began.
   */
  public void builtHeld(NodeId holder, RangeId id) {
    Optional<ClusterState> known = changes.state();
    boolean mayBePlaced =
        known.isEmpty()
            || move.filter(one -> one.plan().movedId().equals(id)).isPresent()
            || id.value() >= known.get().nextRangeId()
            || known.get().ranges().range(id).isPresent();
    if (!mayBePlaced) {
      context.send(holder, new BuiltUnused(id));
    }
  }

  /** Whether a move that this node asks for could begin now: one at a time. */
  private boolean mayMove(NodeId node, long incarnation) {
    if (move.isPresent() && !move.get().isLive()) {
      move.get().lost();
    }
    return move.isEmpty() && changes.state().isPresent() && nodes.isLive(node, incarnation);
  }

  /** Decision 0108: a node that had no room for a copy is asked again ever later. */
  @RuleSeam(decisions = 108)
  protected boolean isPutOff(NodeId node) {
    return nodes.isPutOff(node);
  }

  private void begin(MovePlan plan) {
    begin(MoveRun.decided(this, plan));
  }

  private void begin(MoveRun started) {
    move = Optional.of(started);
    changes.reserveIds(
        () -> {
          if (started.isCurrent()) {
            started.start();
          }
        },
        () -> started.end("its range ids could not be reserved"));
  }

  // --- for moves

  /** The nodes as it sees them. */
  ClusterNodes nodes() {
    return nodes;
  }

  /** Every record up to here is durable. */
  Position durable() {
    return sequencer.durable();
  }

  NodeContext context() {
    return context;
  }

  Settings settings() {
    return settings;
  }

  long term() {
    return changes.term();
  }

  boolean isCurrent(MoveRun one, long begunIn) {
    return begunIn == changes.term() && sequencer.active() && move.equals(Optional.of(one));
  }

  /** Keeps the ledger from a stamp on until the change that rests on it is recorded. */
  @RuleSeam(17)
  protected boolean pin(RangeId id, Position stamp) {
    return sequencer.pin(id, stamp);
  }

  void unpin(RangeId id) {
    sequencer.unpin(id);
  }

  /**
   * The change is recorded that rests on a stamp. A copy whose store may forget what it has does
   * not hold the ledger by itself (rule 7): for it the stamp stays until it has read on.
   */
  void placed(MovePlan plan, KeyRange keys) {
    placed(plan, keys, Optional.of(durable()));
  }

  /** It is not known whether it is: as above, or it never will be. */
  void perhapsPlaced(MovePlan plan, KeyRange keys) {
    placed(plan, keys, Optional.empty());
  }

  private void placed(MovePlan plan, KeyRange keys, Optional<Position> through) {
    if (isKeptFor(nodes.engine(plan.target()))) {
      catchUps.add(plan.movedId(), plan.target(), keys, through, context.nanos());
    } else {
      unpin(plan.movedId());
    }
  }

  /** Whether the ledger is kept for a copy that was placed on an engine, until it has read on. */
  @RuleSeam(7)
  protected boolean isKeptFor(EngineTraits engine) {
    return !engine.persists();
  }

  /** Never for longer than a copy may take to be built, nor at the cost of commits. */
  private void unpinCaughtUp(ClusterState state) {
    long longest =
        settings.buildTimeoutNanos() / (sequencer.isPressed() ? ClusterNodes.PRESSED : 1);
    catchUps
        .takeDone(state.ranges(), durable(), nodes::reported, context.nanos(), longest)
        .forEach(this::unpin);
  }

  void ended(MoveRun one, String trouble) {
    if (move.equals(Optional.of(one))) {
      move = Optional.empty();
    }
    if (!trouble.isEmpty()) {
      decisions.end(one.decision(), Decision.Outcome.PUT_OFF, MapVersion.ZERO, trouble);
    }
    waitLonger(!trouble.isEmpty());
    context.after(settings.retryNanos(), this::tend);
  }

  /**
   * What the steward wants by itself it tries again ever later, up to the time of an answer, for as
   * long as it is put off: each attempt takes range ids out of use, by a write to coordination, and
   * a range whose primary reads the ledger to be served cannot be copied before.
   */
  private void waitLonger(boolean wasPutOff) {
    putOff = wasPutOff ? putOff + 1 : 0;
    quietUntilNanos = context.nanos() + (wasPutOff ? quietNanos(putOff) : 0);
  }

  /** How long to want nothing after having been put off so many times in a row. */
  @RuleSeam(20)
  protected long quietNanos(int times) {
    long wait = settings.retryNanos() << Math.min(times, QUIET_DOUBLINGS_MAX);
    return Math.min(settings.askTimeoutNanos(), wait);
  }

  /** Whether a copy that is closed there has enough of what was durable a moment ago to serve. */
  @RuleSeam(16)
  protected boolean isCloseEnough(Position closed, Position momentAgo) {
    return momentAgo.isAtOrBelow(closed);
  }

  /**
   * Whether a copy has all that there was a moment ago: a primary that has much to read of the
   * ledger before it serves is none for so long.
   */
  boolean isClose(RangeDescriptor range, NodeId holder) {
    Optional<Position> closed = nodes.reported(range, holder);
    Optional<Position> then = presence.durableBefore(closeNanos());
    return closed.isPresent() && then.isPresent() && isCloseEnough(closed.get(), then.get());
  }

  /** Nodes report only at intervals: no copy is closer than that. */
  long closeNanos() {
    return Math.max(settings.settledNanos(), settings.askTimeoutNanos());
  }

  /**
   * Whether a node may be the target of a move of a range: it has no copy, and is given a whole
   * one; or serves; or has a copy that is close (rule 17).
   */
  boolean mayTakeOver(RangeDescriptor range, NodeId target) {
    return !range.secondaries().contains(target) || isClose(range, target);
  }

  StateChanges changes() {
    return changes;
  }

  Rebalance rebalance() {
    Rebalance made = rebalance;
    if (made == null) {
      made = new Rebalance(this, balancing);
      rebalance = made;
    }
    return made;
  }

  AdminRequests adminRequests() {
    return adminRequests;
  }

  Decisions decided() {
    return decisions;
  }
}
