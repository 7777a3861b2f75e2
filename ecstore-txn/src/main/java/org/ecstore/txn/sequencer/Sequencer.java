package org.ecstore.txn.sequencer;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.ecstore.check.Check;
import org.ecstore.core.ledger.LedgerRecord;
import org.ecstore.core.ledger.LedgerRecord.Settled;
import org.ecstore.core.map.MapChange;
import org.ecstore.core.map.RangeDescriptor;
import org.ecstore.core.map.RangeMap;
import org.ecstore.core.port.Coordination.Member;
import org.ecstore.core.port.CoordinationResult;
import org.ecstore.core.port.LedgerResult;
import org.ecstore.core.port.WrongPartsException;
import org.ecstore.core.runtime.NodeContext;
import org.ecstore.core.runtime.RateLimitedLog;
import org.ecstore.id.MapVersion;
import org.ecstore.id.NodeId;
import org.ecstore.id.Position;
import org.ecstore.id.RangeId;
import org.ecstore.id.ReadPoint;
import org.ecstore.id.TxnId;
import org.ecstore.replication.copy.LedgerReplay;
import org.ecstore.replication.message.ReplicationMessage.MapNews;
import org.ecstore.replication.view.LedgerView;
import org.ecstore.txn.message.Outcome;
import org.ecstore.txn.message.TxnMessage.Ask;
import org.ecstore.txn.message.TxnMessage.Asker;
import org.ecstore.txn.message.TxnMessage.ConfirmRequest;
import org.ecstore.txn.message.TxnMessage.Heartbeat;
import org.ecstore.txn.message.TxnMessage.OutcomeReply;
import org.ecstore.txn.message.TxnMessage.PositionReply;
import org.ecstore.txn.message.TxnMessage.Report;
import org.ecstore.txn.message.TxnMessage.StrongRequest;
import org.ecstore.txn.message.TxnMessage.Submit;

/**
 * The commit-number generator (ecStore B.4), which owns the commit ledger: a record's position is
 * the commit number (rule 1). It accepts a commit only if every vote's epoch is the range's epoch
 * by all records before, those in flight included (rule 4); it remembers outcomes, so that an id is
 * decided once (rule 5); it answers only from durable records.
 *
 * <p>A node becomes sequencer by fencing the ledger and replaying it to its end; being elected is
 * only the occasion. A standby has replayed most of it before, up to what it saw confirmed (rule
 * 6): the fence leaves nothing of that undone, so it goes on from there.
 */
public class Sequencer {
  private static final long RETRY_NANOS = 200_000_000L;

  /** So long a node that was shut out waits for coordination to say who leads. */
  private static final long LEADER_WAIT_NANOS = 2_000_000_000L;

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
   */
  public record Bounds(
      Appender.Bounds appender,
      long outcomesKept,
      long outcomesMax,
      long checkpointRecords,
      long retentionNanos,
      long floorStep) {}

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

  private record ChangeAt(Position position, MapChange change) {}

  private record Sample(long nanos, Position durable) {}

  private final NodeContext lane;
  private final RateLimitedLog journal;
  private final LedgerView knowledge;
  private final Bounds bounds;
  private final Supplier<List<Member>> members;
  private final Runnable activated;
  private final Reports reports = new Reports();
  private final BatchSizes.Count batches = new BatchSizes.Count();
  private final Deque<ChangeAt> changesInFlight = new ArrayDeque<>();
  private final Deque<Sample> samples = new ArrayDeque<>();
  private final Map<RangeId, Position> stewardPins = new TreeMap<>();
  private final Questions questions = new Questions();
  private State state = State.IDLE;
  private long term;
  private long leaderAsked;
  private long fenceCall;
  private Appender appender;
  private LedgerState memory = new LedgerState(new Position(1));
  private Optional<LedgerReplay> tail = Optional.empty();
  private Position versionFloorAppended = Position.ZERO;
  private Position trimmed = Position.ZERO;
  private Position mustReach = Position.ZERO;

  /** Where the newest checkpoint begins that is known to be durable. */
  private Position newestCheckpoint = Position.ZERO;

  private boolean trimAllowed;
  private boolean checkpointing;

  public Sequencer(
      NodeContext lane,
      LedgerView knowledge,
      Bounds bounds,
      Supplier<List<Member>> members,
      Runnable activated) {
    this.lane = lane;
    this.journal = new RateLimitedLog(lane.ports().journal(), lane.ports().clock());
    this.knowledge = knowledge;
    this.bounds = bounds;
    this.members = members;
    this.activated = activated;
    this.appender = new Appender(lane, bounds.appender(), Position.ZERO, () -> {}, detail -> {});
  }

  /** The appender after a position; tests that plant a bug put in their own. */
  protected Appender newAppender(
      NodeContext on,
      Appender.Bounds within,
      Position last,
      Runnable grown,
      Consumer<String> failed) {
    return new Appender(on, within, last, grown, failed);
  }

  /** What reads the ledger for this node; tests that plant a bug put in their own. */
  protected LedgerReplay newReplay(
      Position from, Position target, LedgerReplay.Chunks chunks, Consumer<LedgerReplay.End> end) {
    return new LedgerReplay(lane, from, target, chunks, end);
  }

  public State state() {
    return state;
  }

  public boolean active() {
    return state == State.ACTIVE;
  }

  /** The map by all records, those in flight included. */
  public RangeMap appendedMap() {
    return memory.map();
  }

  /** The ledger must be found to reach so far: the engine of this node has it from there. */
  public void mustReach(Position through) {
    mustReach = Position.max(mustReach, through);
  }

  /** Why a node ends that holds more than there is. */
  public static WrongPartsException ledgerTooShort(NodeId node, Position held, Position last) {
    return new WrongPartsException(
        ("the ledger ends at position %s, but the engine of %s holds records up to %s: the"
                + " ledger is older, cut, or another cluster's. Nothing was appended by this node."
                + " Restore the ledger; or, if what it lacks is to be lost, take the engines away"
                + " that hold more")
            .formatted(last.value(), node, held.value()));
  }

  /** This node is said to lead: take the ledger over, unless that is done or under way. */
  public void lead() {
    if (state == State.IDLE || state == State.STANDBY) {
      fence();
    }
  }

  /**
   * Another node is said to lead. A retry that waits is called off too.
   *
   * @param standBy whether to be prepared to take over (rule 6)
   */
  public void follow(boolean standBy) {
    switch (state) {
      case IDLE, STANDBY -> term++;
      case FENCING, REPLAYING, ACTIVE -> stop("another node leads");
    }
    if (standBy && state == State.IDLE) {
      state = State.STANDBY;
      tailFrom(beginning());
    } else if (!standBy && state == State.STANDBY) {
      state = State.IDLE;
      endTail();
      forget(new Position(1));
    }
  }

  /**
   * Where a checkpoint begins that is durable, as its sequencer said. It is in the ledger whoever
   * leads by now, and holds all that is to be known of what was before it (rule 7): who reads to
   * become the sequencer need not begin earlier.
   */
  public void checkpointAt(Position first) {
    newestCheckpoint = Position.max(newestCheckpoint, first);
  }

  private Position beginning() {
    return Position.max(newestCheckpoint, new Position(1));
  }

  /** Reads the ledger from a position on, for as long as this node is a standby. */
  private void tailFrom(Position first) {
    forget(first);
    LedgerReplay started =
        newReplay(
            first,
            LedgerReplay.ENDLESS,
            (records, through, more) -> {
              take(records);
              memory.through(through);
              more.run();
            },
            end -> tailTrimmed());
    tail = Optional.of(started);
    started.read();
  }

  /** The ledger was trimmed past this standby: what is left begins with enough. */
  private void tailTrimmed() {
    tail.ifPresent(trimmed -> tailFrom(trimmed.firstKept()));
  }

  private void endTail() {
    tail.ifPresent(LedgerReplay::cancel);
    tail = Optional.empty();
  }

  private void forget(Position first) {
    memory = new LedgerState(first);
  }

  private void take(List<LedgerReplay.Placed> records) {
    for (LedgerReplay.Placed placed : records) {
      if (placed.record() instanceof LedgerRecord.Checkpoint) {
        checkpointAt(placed.first());
      }
      memory.take(
          placed.position(), placed.record(), commit -> changedRange(commit.votes()).isEmpty());
    }
  }

  private void stop(String detail) {
    term++;
    journal.settled();
    if (state == State.FENCING) {
      lane.ports().ledger().callOff(fenceCall);
    }
    state = State.IDLE;
    // What was appended and is not durable is part of it.
    forget(new Position(1));
    appender.end(detail);
  }

  private void fence() {
    long mine = ++term;
    endTail();
    state = State.FENCING;
    lane.ledger(
        token -> {
          fenceCall = token;
          lane.ports().ledger().fence(token);
        },
        result -> {
          if (mine != term) {
            return;
          }
          if (result instanceof LedgerResult.Fenced fenced) {
            replay(mine, fenced);
          } else {
            journal.warn("cannot take over the ledger yet: " + result);
            state = State.IDLE;
            retryLater(mine);
          }
        });
  }

  private void retryLater(long mine) {
    lane.after(RETRY_NANOS, () -> retry(mine, lane.nanos() + LEADER_WAIT_NANOS));
  }

  /**
   * Who was shut out has most likely been deposed, and the news of it are still on their way: one
   * that fences at once shuts out its successor, which then fences again. So coordination is asked
   * afresh. If it names another node this one goes on asking, until it is told to follow or is
   * named itself. If it does not answer the ledger is fenced all the same: who leads is a hint, and
   * a leader must not need coordination to go on after a failed append (rule 6).
   */
  private void retry(long mine, long untilNanos) {
    if (!waits(mine)) {
      return;
    }
    long asked = ++leaderAsked;
    lane.coordination(
        token -> lane.ports().coordination().leader(token),
        result -> {
          if (waits(mine) && asked == leaderAsked) {
            if (!(result instanceof CoordinationResult.Leader(var leader))) {
              lane.after(RETRY_NANOS, () -> retry(mine, untilNanos));
            } else if (leader.isEmpty() || leader.get().equals(lane.self())) {
              fence();
            } else {
              lane.ports().journal().info("sequencer: " + leader.get() + " leads by now");
              leaderAsked++;
              retryLater(mine);
            }
          }
        });
    lane.after(
        Math.max(1, untilNanos - lane.nanos()),
        () -> {
          if (waits(mine) && asked == leaderAsked) {
            fence();
          }
        });
  }

  private boolean waits(long mine) {
    return mine == term && state == State.IDLE;
  }

  private void replay(long mine, LedgerResult.Fenced fenced) {
    state = State.REPLAYING;
    changesInFlight.clear();
    reports.clear();
    stewardPins.clear();
    samples.clear();
    trimAllowed = false;
    checkpointing = false;
    if (mustReach.isAfter(fenced.last())) {
      throw ledgerTooShort(lane.self(), mustReach, fenced.last());
    }
    Position first = Position.max(fenced.first(), new Position(1));
    Check.that(
        memory.through().isAtOrBelow(fenced.last()),
        "what was confirmed is there after a fence (rule 6)",
        memory.through(),
        fenced);
    Position start = startOfReplay(first, fenced.last());
    if (memory.through().next().value() < start.value()) {
      forget(start);
    }
    trimmed = first;
    Position from = memory.through().next();
    Position target = replayTarget(fenced.last());
    journal.info("sequencer: the ledger is fenced at " + fenced.last() + "; reads from " + from);
    newReplay(
            from,
            target,
            (records, through, more) -> {
              if (mine == term) {
                take(records);
                memory.through(through);
                more.run();
              }
            },
            end -> {
              if (mine == term) {
                replayEnded(fenced, end);
              }
            })
        .read();
  }

  /** From the newest checkpoint, if it is there still; what has been read beyond it is kept. */
  protected Position startOfReplay(Position first, Position last) {
    return newestCheckpoint.isAtOrBelow(last) ? Position.max(first, newestCheckpoint) : first;
  }

  /** Rule 6: to the end that the fence has found, not to what this node had heard of. */
  protected Position replayTarget(Position fenced) {
    return fenced;
  }

  private void replayEnded(LedgerResult.Fenced fenced, LedgerReplay.End end) {
    switch (end) {
      case REACHED -> {
        Check.that(
            memory.known(), "a trimmed ledger begins with what a checkpoint needs", fenced, end);
        activate(fenced.last());
      }
      // A trim that the last sequencer had asked for came through only now: it is below a
      // checkpoint, so that what is left is enough.
      case TRIMMED -> fence();
    }
  }

  private void activate(Position last) {
    state = State.ACTIVE;
    trimAllowed = false;
    versionFloorAppended = memory.versionFloor();
    appender = newAppender(lane, bounds.appender(), last, this::advanced, this::appendFailed);
    appender.onEntry(batches::add);
    knowledge.learn(
        lane.self(),
        new MapNews(List.of(), Optional.of(memory.map())),
        new ReadPoint(last, memory.map().version()));
    journal.info("sequencer: goes on after " + last + " with map " + memory.map().version());
    activated.run();
  }

  private void advanced() {
    journal.settled();
    List<MapChange> recorded = new ArrayList<>();
    MapVersion version = knowledge.map().version();
    while (!changesInFlight.isEmpty()
        && changesInFlight.peek().position().isAtOrBelow(appender.durable())) {
      MapChange change = changesInFlight.remove().change();
      recorded.add(change);
      version = change.version();
    }
    knowledge.learn(
        lane.self(),
        new MapNews(recorded, Optional.empty()),
        new ReadPoint(appender.durable(), version));
  }

  private void appendFailed(String detail) {
    if (state == State.ACTIVE) {
      journal.warn("append to the ledger failed: " + detail);
      state = State.IDLE;
      forget(new Position(1));
      retryLater(++term);
    }
  }

  /** Takes a submission (rules 1, 4, 5). */
  public void submit(NodeId from, Submit submit) {
    Consumer<Outcome> reply = outcome -> lane.send(from, new OutcomeReply(submit.call(), outcome));
    if (!active()) {
      reply.accept(new Outcome.NotNow("no sequencer here"));
      return;
    }
    Optional<Settled> decided = decided(submit.txn());
    if (decided.isPresent()) {
      whenSettled(decided.get(), reply);
    } else if (submit.point().position().value() < outcomeFloor().value()) {
      reply.accept(new Outcome.Expired(outcomeFloor()));
    } else if (takesNothing()) {
      reply.accept(new Outcome.NotNow(overload()));
    } else {
      Optional<RangeId> changed = changedRange(submit.votes());
      if (changed.isPresent()) {
        abort(submit.txn(), submit.point().position(), changed, reply);
      } else {
        commit(submit, reply);
      }
    }
  }

  /** Rule 5: an id that has a record is decided. */
  protected Optional<Settled> decided(TxnId txn) {
    return Optional.ofNullable(memory.outcomes().get(txn));
  }

  /** F: below it outcomes are forgotten (rule 7). */
  protected Position outcomeFloor() {
    return memory.outcomeFloor();
  }

  /** Rules 5 and 6: an append that came back as anything but durable says nothing. */
  protected Outcome lost(String detail) {
    return new Outcome.NotNow(detail);
  }

  /** Rule 4: the first vote whose epoch is not the range's by all earlier records. */
  protected Optional<RangeId> changedRange(List<LedgerRecord.RangeVote> votes) {
    return memory.changedRange(votes);
  }

  private void commit(Submit submit, Consumer<Outcome> reply) {
    Position number =
        appender.append(
            new LedgerRecord.Commit(
                submit.txn(),
                submit.coordinator(),
                submit.coordinatorIncarnation(),
                submit.point().position(),
                submit.point().mapVersion(),
                submit.isolation(),
                submit.votes(),
                submit.writes()));
    Settled settled = new Settled(submit.txn(), number, true);
    memory.settle(settled);
    whenSettled(settled, reply);
  }

  private void abort(
      TxnId txn, Position snapshot, Optional<RangeId> changed, Consumer<Outcome> reply) {
    Position number = appender.append(new LedgerRecord.Abort(txn, snapshot));
    memory.settle(new Settled(txn, number, false));
    appender.whenDurable(
        number,
        () -> reply.accept(new Outcome.Aborted(changed)),
        detail -> reply.accept(lost(detail)));
  }

  private void whenSettled(Settled settled, Consumer<Outcome> reply) {
    appender.whenDurable(
        settled.number(),
        () ->
            reply.accept(
                settled.committed()
                    ? new Outcome.Committed(settled.number())
                    : new Outcome.Aborted(Optional.empty())),
        detail -> reply.accept(lost(detail)));
  }

  /**
   * Somebody is in doubt: what is in flight is waited for; absent a record, one is made (rule 5).
   */
  public void ask(NodeId from, Ask ask) {
    Consumer<Outcome> reply = outcome -> lane.send(from, new OutcomeReply(ask.call(), outcome));
    Optional<Settled> decided = Optional.ofNullable(memory.outcomes().get(ask.txn()));
    if (!active()) {
      reply.accept(new Outcome.NotNow("no sequencer here"));
    } else if (decided.isPresent()) {
      whenSettled(decided.get(), reply);
    } else if (ask.snapshot().value() < outcomeFloor().value()) {
      reply.accept(new Outcome.Expired(outcomeFloor()));
    } else if (isTooMuch(ask.asker()) || !questions.admits(ask.asker(), from, lane.nanos())) {
      reply.accept(new Outcome.NotNow(overload()));
    } else {
      abort(ask.txn(), ask.snapshot(), Optional.empty(), reply);
    }
  }

  /** D, after an append that begins now (rule 9). */
  public void strong(NodeId from, StrongRequest request) {
    if (!active() || appender.isFull()) {
      lane.send(from, new PositionReply(request.call(), false, knowledge.adopted()));
      return;
    }
    appender.whenNextDurable(
        () -> lane.send(from, new PositionReply(request.call(), true, knowledge.adopted())),
        detail -> lane.send(from, new PositionReply(request.call(), false, knowledge.adopted())));
  }

  /** Whether a position is durable. */
  public void confirm(NodeId from, ConfirmRequest request) {
    boolean granted = active() && request.position().isAtOrBelow(appender.durable());
    lane.send(from, new PositionReply(request.call(), granted, knowledge.adopted()));
  }

  /**
   * Records a map change (rule 15): only the version after the latest; one that is there already
   * counts as done once it is durable.
   */
  public void record(MapChange change, Runnable recorded, Consumer<String> lost) {
    if (!active()) {
      lost.accept("no sequencer here");
    } else if (change.version().isAtOrBelow(memory.map().version())) {
      appender.whenDurable(new Position(appender.next().value() - 1), recorded, lost);
    } else {
      memory.map(memory.map().apply(change));
      Position at = appender.append(new LedgerRecord.EpochChange(change));
      changesInFlight.add(new ChangeAt(at, change));
      appender.whenDurable(at, recorded, lost);
    }
  }

  /** The last changes of the map that this node has learnt of, in order. */
  public List<MapChange> recentChanges() {
    return knowledge.recentChanges();
  }

  /**
   * Runs an action once it is certain that nobody else had taken the ledger over when this was
   * called; not at all if somebody may have (rule 9).
   */
  public void whenStillWriter(Runnable action) {
    if (active()) {
      appender.whenNextDurable(action, lost -> {});
    }
  }

  /** Every record up to here is durable. */
  public Position durable() {
    return appender.durable();
  }

  /** The steward has completed what it found: from now on the ledger may be trimmed. */
  public void allowTrim() {
    trimAllowed = true;
  }

  /** A change of the map is under way: until the steward allows it again nothing is trimmed. */
  public void forbidTrim() {
    trimAllowed = false;
  }

  /**
   * Keeps the ledger above a stamp while a change that rests on it is made; false if it is gone
   * already.
   */
  public boolean pin(RangeId range, Position stamp) {
    if (stamp.value() < trimmed.value() - 1 || stamp.isAfter(appender.durable())) {
      return false;
    }
    stewardPins.put(range, stamp);
    return true;
  }

  public void unpin(RangeId range) {
    stewardPins.remove(range);
  }

  /** A node says what it still needs. */
  public void report(NodeId from, long incarnation, Report report) {
    reports.take(from, incarnation, report);
  }

  /**
   * How far a node's copy of a range is closed for good, by its last report under the range's
   * epoch; absent if it has not reported one that can go on.
   */
  public Optional<Position> reported(RangeDescriptor range, NodeId holder) {
    return reports.closed(range, holder);
  }

  /** Says D and the floors to everybody. Called now and then. */
  public void heartbeat() {
    if (active()) {
      Heartbeat beat =
          new Heartbeat(toldFloor(versionFloorAppended), memory.outcomeFloor(), newestCheckpoint);
      for (Member member : members.get()) {
        lane.send(member.node(), beat);
      }
    }
  }

  /** Rule 14: the version floor that nodes may rely on is the one that is durable. */
  protected Position toldFloor(Position appended) {
    return memory.versionFloor();
  }

  /** Moves the version floor, writes checkpoints, trims. Called now and then. */
  public void housekeep() {
    if (active() && trimAllowed) {
      moveVersionFloor();
      checkpoint();
    }
  }

  private void moveVersionFloor() {
    long now = lane.nanos();
    samples.addLast(new Sample(now, appender.durable()));
    Position old = Position.ZERO;
    while (!samples.isEmpty() && now - samples.peek().nanos() >= bounds.retentionNanos()) {
      old = samples.remove().durable();
    }
    if (!old.isAfter(Position.ZERO) || !reports.complete(members.get())) {
      return;
    }
    Position floor = Position.min(old, reports.leastLease(members.get()).orElse(old));
    floor = Position.min(floor, leastPin().orElse(floor));
    if (floor.value() >= versionFloorAppended.value() + bounds.floorStep()) {
      versionFloorAppended = floor;
      Position recorded = floor;
      Position at = appender.append(new LedgerRecord.VersionFloor(floor));
      appender.whenDurable(at, () -> memory.versionFloor(recorded), detail -> {});
    }
  }

  private Optional<Position> leastPin() {
    Optional<Position> reported = reports.leastPin(members.get());
    Optional<Position> mine = stewardPins.values().stream().min(Position::compareTo);
    if (reported.isPresent() && mine.isPresent()) {
      return Optional.of(Position.min(reported.get(), mine.get()));
    }
    return reported.isPresent() ? reported : mine;
  }

  /** The position below which the ledger is not needed any more, if that is known. */
  protected Optional<Position> trimmable() {
    return reports
        .leastClosed(knowledge.map())
        .filter(_ -> memory.map().version().equals(knowledge.map().version()))
        .filter(_ -> reports.complete(members.get()))
        .map(closed -> Position.min(closed, leastPin().orElse(closed)))
        .map(closed -> Position.min(closed.next(), appender.durable()));
  }

  private void checkpoint() {
    Optional<Position> below = trimmable();
    if (checkpointing
        || below.isEmpty()
        || below.get().value() < trimmed.value() + checkpointStep()) {
      return;
    }
    checkpointing = true;
    Position trim = below.get();
    // Below this nothing that has not been appended by now is accepted any more (pin).
    trimmed = trim;
    Position floor = nextOutcomeFloor(trim);
    List<Settled> remembered =
        memory.outcomes().values().stream()
            .filter(settled -> settled.number().value() >= floor.value())
            .toList();
    Position from = appender.next();
    Position at =
        appender.append(
            new LedgerRecord.Checkpoint(memory.map(), versionFloorAppended, floor, remembered));
    long mine = term;
    appender.whenDurable(
        at,
        () -> {
          if (mine == term) {
            checkpointing = false;
            memory.checkpointed(at, floor);
            checkpointAt(from);
            lane.ledger(token -> lane.ports().ledger().trim(token, trim), result -> {});
          }
        },
        detail -> checkpointing = false);
  }

  /**
   * F: low enough for every snapshot in use, as far as that keeps the outcomes within their bound;
   * never above the trim position.
   */
  protected Position nextOutcomeFloor(Position trim) {
    long next = appender.next().value();
    Position kept = new Position(Math.max(0, next - bounds.outcomesKept()));
    // The other half is for what comes until the next checkpoint.
    Position bound = new Position(Math.max(0, next - bounds.outcomesMax() / 2));
    Position wanted = Position.max(Position.min(memory.versionFloor(), kept), bound);
    return Position.max(memory.outcomeFloor(), Position.min(trim, wanted));
  }

  private String overload() {
    return !remembersTooMuch()
        ? "the sequencer is overloaded"
        : "the sequencer remembers %d outcomes, and may forget none before copies that lag have read on"
            .formatted(bounds.outcomesMax());
  }

  private boolean takesNothing() {
    return appender.isFull() || remembersTooMuch();
  }

  /** A mark in doubt holds back the ledger's trim: its outcome is what makes room for others. */
  private boolean isTooMuch(Asker asker) {
    return asker == Asker.PARTICIPANT ? appender.isFull() : takesNothing();
  }

  private boolean remembersTooMuch() {
    return memory.outcomes().size() >= bounds.outcomesMax();
  }

  /** Whether copies that lag keep so many outcomes from being forgotten that few more fit. */
  public boolean isPressed() {
    return active() && memory.outcomes().size() >= bounds.outcomesMax() / 4 * 3;
  }

  /** By how far the ledger must be trimmable again for another checkpoint. */
  private long checkpointStep() {
    return remembersTooMuch()
        ? 1
        : Math.max(bounds.checkpointRecords(), memory.outcomes().size() / 4);
  }

  /** The last checkpoint. */
  public Position lastCheckpoint() {
    return memory.lastCheckpoint();
  }

  /** What group commit made of the records that came. */
  public BatchSizes batches() {
    return batches.seen();
  }

  /** Outcomes remembered. */
  public int outcomesKept() {
    return memory.outcomes().size();
  }
}
