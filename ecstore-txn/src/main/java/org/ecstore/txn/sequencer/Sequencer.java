package org.ecstore.txn.sequencer;

import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.ecstore.core.map.MapChange;
import org.ecstore.core.map.RangeDescriptor;
import org.ecstore.core.map.RangeMap;
import org.ecstore.core.metrics.Instrument;
import org.ecstore.core.metrics.MetricSeries;
import org.ecstore.core.metrics.NodeMetrics;
import org.ecstore.core.port.Coordination.Member;
import org.ecstore.core.port.WrongPartsException;
import org.ecstore.core.runtime.NodeContext;
import org.ecstore.core.runtime.RateLimitedLog;
import org.ecstore.id.NodeId;
import org.ecstore.id.Position;
import org.ecstore.id.RangeId;
import org.ecstore.id.ReadPoint;
import org.ecstore.replication.message.ReplicationMessage.MapNews;
import org.ecstore.replication.view.LedgerView;
import org.ecstore.txn.message.TxnMessage.Ask;
import org.ecstore.txn.message.TxnMessage.ConfirmRequest;
import org.ecstore.txn.message.TxnMessage.Report;
import org.ecstore.txn.message.TxnMessage.StrongRequest;
import org.ecstore.txn.message.TxnMessage.Submit;

/**
 * The commit-number generator (ecStore B.4), which owns the commit ledger: a record's position is
 * the commit number (rule 1). It accepts a commit only if every vote's epoch is the range's epoch
 * by all records before, those in flight included (rule 4); it remembers outcomes, so that an id is
 * decided once (rule 5); it answers only from durable records.
 *
 * <p>Three parts do its work: {@link TakeOver} gets the ledger, {@link Submissions} numbers, {@link
 * Housekeeping} keeps it short. What they share is in {@link SequencerState}.
 */
public class Sequencer extends SequencerRules {
  /** Outcomes in memory and in a checkpoint, about 25 bytes each there, if no heap is known. */
  public static final int OUTCOMES_MAX = 5_000_000;

  /**
   * Bounds and intervals.
   *
   * @param outcomesKept outcomes that are remembered in any case
   * @param outcomesMax outcomes that are remembered at most, for snapshots in use; what is older is
   *     forgotten with them, and nothing more is taken before there is room
   * @param checkpointRecords records from one checkpoint to the next
   * @param retentionNanos for which versions are kept in any case
   * @param floorStep positions by which the version floor moves at least
   * @param forReaders what the ledger keeps for readers of changes
   */
  public record Bounds(
      Appender.Bounds appender,
      long outcomesKept,
      long outcomesMax,
      long checkpointRecords,
      long retentionNanos,
      long floorStep,
      LedgerRetention.Bounds forReaders) {
    /** Those of a ledger that keeps nothing for readers of changes. */
    public Bounds(
        Appender.Bounds appender,
        long outcomesKept,
        long outcomesMax,
        long checkpointRecords,
        long retentionNanos,
        long floorStep) {
      this(
          appender,
          outcomesKept,
          outcomesMax,
          checkpointRecords,
          retentionNanos,
          floorStep,
          LedgerRetention.Bounds.NONE);
    }
  }

  /** Where a sequencer is in its life. */
  public enum State {
    /** Not leading, and not prepared to. */
    IDLE,
    /** Not leading; reads on in the ledger, to the last-confirmed position, to be quick then. */
    STANDBY,
    /** Shutting earlier writers out. */
    FENCING,
    /** Reading the ledger to its end. */
    REPLAYING,
    /** Taking submissions. */
    ACTIVE
  }

  private final NodeContext context;
  private final RateLimitedLog log;
  private final LedgerView ledgerView;
  private final Bounds bounds;
  private final Runnable activated;
  private final BatchSizes.Count batches = new BatchSizes.Count();
  private final SequencerState state;
  private final TakeOver takeOver;
  private final Submissions submissions;
  private final Housekeeping housekeeping;
  private final Instrument takeOvers;

  /** Its parts call back from later steps only. */
  @SuppressWarnings("this-escape")
  public Sequencer(
      NodeContext context,
      LedgerView ledgerView,
      Bounds bounds,
      Supplier<List<Member>> members,
      Runnable activated) {
    this(
        context, ledgerView, bounds, members, activated, new SequencerState(idle(context, bounds)));
  }

  @SuppressWarnings("this-escape")
  private Sequencer(
      NodeContext context,
      LedgerView ledgerView,
      Bounds bounds,
      Supplier<List<Member>> members,
      Runnable activated,
      SequencerState state) {
    super(context, bounds, state);
    this.context = context;
    this.log = new RateLimitedLog(context.ports().log(), context.ports().clock());
    this.ledgerView = ledgerView;
    this.bounds = bounds;
    this.activated = activated;
    this.state = state;
    this.takeOver =
        new TakeOver(context, log, state, this, new AfterTakeOver(), new KnownOthers(members));
    this.submissions = new Submissions(context, ledgerView, state, this, bounds.outcomesMax());
    this.takeOvers = context.metrics().of(new MetricSeries(NodeMetrics.TAKE_OVERS));
    this.housekeeping = new Housekeeping(context, ledgerView, state, this, bounds, members);
  }

  private static Appender idle(NodeContext context, Bounds bounds) {
    return new Appender(context, bounds.appender(), Position.ZERO, () -> {}, detail -> {});
  }

  private final class AfterTakeOver implements TakeOver.Then {
    @Override
    public void fenced(Position first) {
      submissions.clear();
      housekeeping.clear(first);
    }

    @Override
    public void complete(Position last) {
      activate(last);
    }
  }

  private final class KnownOthers implements TakeOver.Others {
    private final Supplier<List<Member>> members;

    KnownOthers(Supplier<List<Member>> members) {
      this.members = members;
    }

    @Override
    public boolean are() {
      return members.get().stream().anyMatch(member -> !member.node().equals(context.self()));
    }

    @Override
    public Position wrote() {
      return ledgerView.adopted().position();
    }
  }

  public State state() {
    return state.state();
  }

  public boolean active() {
    return state.active();
  }

  /** The map by all records, those in flight included. */
  public RangeMap appendedMap() {
    return state.memory().map();
  }

  /** The ledger must be found to reach so far: the engine of this node has it from there. */
  public void mustReach(Position through) {
    takeOver.mustReach(through);
  }

  /** Why a node ends that holds more than there is. */
  public static WrongPartsException ledgerTooShort(NodeId node, Position held, Position last) {
    return TakeOver.ledgerTooShort(node, held, last);
  }

  /** This node is said to lead: take the ledger over, unless that is done or under way. */
  public void lead() {
    if (state() == State.IDLE || state() == State.STANDBY) {
      takeOver.fence();
    }
  }

  /**
   * Another node is said to lead. A retry that waits is cancelled too.
   *
   * @param standBy whether to be prepared to take over (rule 6)
   */
  public void follow(boolean standBy) {
    switch (state()) {
      case IDLE, STANDBY -> takeOver.follow();
      case FENCING, REPLAYING, ACTIVE -> takeOver.stop("another node leads");
    }
    if (standBy && state() == State.IDLE) {
      takeOver.standBy();
    } else if (!standBy && state() == State.STANDBY) {
      takeOver.standDown();
    }
  }

  /**
   * Where a checkpoint begins that is durable, as its sequencer said. It is in the ledger whichever
   * node leads by now, and holds all that has to be known of what was before it (rule 7): a node
   * that reads to become the sequencer need not begin earlier.
   */
  public void checkpointAt(Position first) {
    state.checkpointAt(first);
    takeOver.checkpointKnown(bounds.checkpointRecords());
  }

  private void activate(Position last) {
    state.enter(State.ACTIVE);
    takeOvers.count();
    housekeeping.begin();
    state.appender(
        newAppender(context, bounds.appender(), last, this::advanced, this::appendFailed));
    state.appender().onEntry(batches::add);
    RangeMap map = state.memory().map();
    ledgerView.learn(
        context.self(),
        new MapNews(List.of(), Optional.of(map)),
        new ReadPoint(last, map.version()));
    log.info("sequencer: goes on after " + last + " with map " + map.version());
    activated.run();
  }

  private void advanced() {
    log.settled();
    takeOver.writes();
    submissions.advanced();
  }

  private void appendFailed(String detail) {
    if (active()) {
      log.warn("append to the ledger failed: " + detail);
      takeOver.failed();
    }
  }

  /** Takes a submission (rules 1, 4, 5). */
  public void submit(NodeId from, Submit submit) {
    submissions.submit(from, submit);
  }

  /** A node is in doubt: what is in flight is waited for; absent a record, one is made (rule 5). */
  public void ask(NodeId from, Ask ask) {
    submissions.ask(from, ask);
  }

  /** D, after an append that begins now (rule 9). */
  public void strong(NodeId from, StrongRequest request) {
    submissions.strong(from, request);
  }

  /** Whether a position is durable. */
  public void confirm(NodeId from, ConfirmRequest request) {
    submissions.confirm(from, request);
  }

  /**
   * Records a map change (rule 15): only the version after the latest; one that is there already
   * counts as done once it is durable.
   */
  public void record(MapChange change, Runnable recorded, Consumer<String> lost) {
    submissions.record(change, recorded, lost);
  }

  /** The last changes of the map that this node has learnt of, in order. */
  public List<MapChange> recentChanges() {
    return ledgerView.recentChanges();
  }

  /**
   * Runs an action once it is certain that no other node had taken the ledger over when this was
   * called; not at all if one may have (rule 9).
   */
  public void whenStillWriter(Runnable action) {
    if (active()) {
      state.appender().whenNextDurable(action, lost -> {});
    }
  }

  /** Every record up to here is durable. */
  public Position durable() {
    return state.appender().durable();
  }

  /** The steward has completed what it found: from now on the ledger may be trimmed. */
  public void allowTrim() {
    housekeeping.trimAllowed(true);
  }

  /** A change of the map is under way: until the steward allows it again nothing is trimmed. */
  public void forbidTrim() {
    housekeeping.trimAllowed(false);
  }

  /**
   * Keeps the ledger above a stamp while a change that rests on it is made, and for as long as a
   * copy that it placed needs; false if it is gone already.
   */
  public boolean pin(RangeId range, Position stamp) {
    return housekeeping.pin(range, stamp);
  }

  public void unpin(RangeId range) {
    housekeeping.unpin(range);
  }

  /** A node says what it still needs. */
  public void report(NodeId from, long incarnation, Report report) {
    housekeeping.report(from, incarnation, report);
  }

  /**
   * How far a node's copy of a range is closed for good, by its last report under the range's
   * epoch; absent if it has not reported one that can go on.
   */
  public Optional<Position> reported(RangeDescriptor range, NodeId holder) {
    return housekeeping.reported(range, holder);
  }

  /** Whether a node has said that it cannot go on with its copy of a range under its epoch. */
  public boolean saysLost(RangeDescriptor range, NodeId holder) {
    return housekeeping.saysLost(range, holder);
  }

  /**
   * For how many seconds the store of a node has done nothing of what it is told, by what the node
   * says in this incarnation; 0 if it says nothing of the kind.
   */
  public long stuckSeconds(NodeId node, long incarnation) {
    return housekeeping.stuckSeconds(node, incarnation);
  }

  /** What the engines of nodes are good at. */
  public MemberEngines engines() {
    return housekeeping.engines();
  }

  /** Whether the ledger is not trimmed, for a range has no copy that persists (rule 7). */
  public boolean keepsLedgerWhole() {
    return housekeeping.keepsLedgerWhole();
  }

  /** Says D and the floors to all members. Called every few ticks. */
  public void heartbeat() {
    if (active() && context.ports().ledger().isLost()) {
      // It would go on leading, and its last records be read by none, until it appends (rule 6).
      state.appender().end("its writer has ended");
    }
    housekeeping.heartbeat();
  }

  /** Moves the version floor, writes checkpoints, trims. Called every few ticks. */
  public void housekeep() {
    housekeeping.run();
  }

  @Override
  protected Optional<Position> trimmable() {
    return housekeeping.unneeded();
  }

  /** Whether copies that lag keep so many outcomes from being forgotten that few more fit. */
  public boolean isPressed() {
    return housekeeping.isPressed();
  }

  /** The last checkpoint. */
  public Position lastCheckpoint() {
    return state.memory().lastCheckpoint();
  }

  /** What group commit made of the records that came. */
  public BatchSizes batches() {
    return batches.seen();
  }

  /** Outcomes remembered. */
  public int outcomesKept() {
    return state.memory().outcomes().size();
  }
}
