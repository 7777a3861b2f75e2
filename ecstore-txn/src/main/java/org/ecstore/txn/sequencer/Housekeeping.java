package org.ecstore.txn.sequencer;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.ecstore.core.ledger.LedgerRecord;
import org.ecstore.core.ledger.LedgerRecord.Settled;
import org.ecstore.core.map.RangeDescriptor;
import org.ecstore.core.metrics.Instrument;
import org.ecstore.core.metrics.MetricSeries;
import org.ecstore.core.metrics.NodeMetrics;
import org.ecstore.core.port.Coordination.Member;
import org.ecstore.core.port.LedgerResult;
import org.ecstore.core.runtime.NodeContext;
import org.ecstore.id.NodeId;
import org.ecstore.id.Position;
import org.ecstore.id.RangeId;
import org.ecstore.replication.view.LedgerView;
import org.ecstore.txn.message.TxnMessage.Heartbeat;
import org.ecstore.txn.message.TxnMessage.Report;

/**
 * Keeps the ledger short: moves the version floor (rule 14), writes checkpoints and trims what is
 * below them (rule 7), never above what a node or the steward still needs, or a reader of changes
 * is to find (rule 29).
 */
final class Housekeeping {
  private record Sample(long nanos, Position durable) {}

  private final NodeContext context;
  private final LedgerView ledgerView;
  private final SequencerState sequencer;
  private final SequencerRules rules;
  private final Sequencer.Bounds bounds;
  private final Supplier<List<Member>> members;
  private final MemberEngines engines;

  /** What nodes still need. */
  private final Reports reports = new Reports();

  /** D at earlier moments, oldest first, as far as the retention reaches. */
  private final Deque<Sample> samples = new ArrayDeque<>();

  private final Heartbeats heartbeats;

  /** What changes of the map still need, and copies that they placed, by range. */
  private final Map<RangeId, Position> pins = new TreeMap<>();

  /** The highest floor that is in the ledger, durable or not. */
  private Position versionFloorAppended = Position.ZERO;

  /** Below this position the ledger is trimmed, or will be. */
  private Position trimmed = Position.ZERO;

  /** Below this it would be trimmed if there were no readers of changes. */
  private Position unneededByStore = Position.ZERO;

  /** The same, as of a checkpoint that is durable. */
  private Position trimmableByCheckpoint = Position.ZERO;

  /** What the last checkpoint was written for; above what is trimmed where nothing may be. */
  private Position unneededThen = Position.ZERO;

  private final LedgerRetention forReaders;
  private final Instrument trims;

  /** Not while a change of the map is under way, or may be. */
  private boolean trimAllowed;

  /** One checkpoint at a time. */
  private boolean checkpointing;

  Housekeeping(
      NodeContext context,
      LedgerView ledgerView,
      SequencerState sequencer,
      SequencerRules rules,
      Sequencer.Bounds bounds,
      Supplier<List<Member>> members) {
    this.context = context;
    this.ledgerView = ledgerView;
    this.sequencer = sequencer;
    this.rules = rules;
    this.bounds = bounds;
    this.members = members;
    this.engines = new MemberEngines(members);
    this.heartbeats = new Heartbeats(context);
    this.forReaders = new LedgerRetention(bounds.forReaders());
    this.trims = context.metrics().of(new MetricSeries(NodeMetrics.LEDGER_TRIMMED));
  }

  /** What an earlier term has left is void; the ledger begins at a position now. */
  void clear(Position first) {
    reports.clear();
    pins.clear();
    samples.clear();
    heartbeats.clear();
    forReaders.clear();
    trimAllowed = false;
    checkpointing = false;
    trimmed = first;
    unneededByStore = first;
    trimmableByCheckpoint = first;
    unneededThen = first;
  }

  /** The ledger was read to its end. */
  void begin() {
    trimAllowed = false;
    versionFloorAppended = sequencer.memory().versionFloor();
  }

  void trimAllowed(boolean allowed) {
    trimAllowed = allowed;
  }

  /** As {@link Sequencer#pin} says. */
  boolean pin(RangeId range, Position stamp) {
    if (stamp.value() < trimmed.value() - 1 || stamp.isAfter(sequencer.appender().durable())) {
      return false;
    }
    pins.put(range, stamp);
    return true;
  }

  void unpin(RangeId range) {
    pins.remove(range);
  }

  void report(NodeId from, long incarnation, Report report) {
    reports.take(from, incarnation, report);
  }

  Optional<Position> reported(RangeDescriptor range, NodeId holder) {
    return reports.closed(range, holder);
  }

  /** Says D and the floors to the members who have not heard them. */
  void heartbeat() {
    if (sequencer.active()) {
      heartbeats.say(
          new Heartbeat(
              rules.toldFloor(versionFloorAppended),
              sequencer.memory().outcomeFloor(),
              sequencer.newestCheckpoint()),
          members.get(),
          ledgerView.adopted());
    }
  }

  /** Moves the version floor, writes checkpoints, trims. */
  void run() {
    engines.note();
    if (sequencer.active()) {
      forReaders.look(context.nanos(), sequencer.appender().durable());
      if (trimAllowed) {
        moveVersionFloor();
      }
      checkpoint();
      trimWhatReadersLet();
    }
  }

  private void moveVersionFloor() {
    long now = context.nanos();
    samples.addLast(new Sample(now, sequencer.appender().durable()));
    Position old = Position.ZERO;
    while (!samples.isEmpty() && now - samples.peek().nanos() >= bounds.retentionNanos()) {
      old = samples.remove().durable();
    }
    if (!old.isAfter(Position.ZERO) || !reports.complete(members.get())) {
      return;
    }
    // Not by what transfers have pinned: that is of the ledger, and they go on without the versions
    // (rule W7).
    Position floor = Position.min(old, reports.leastLease(members.get()).orElse(old));
    if (floor.value() >= versionFloorAppended.value() + bounds.floorStep()) {
      versionFloorAppended = floor;
      Position recorded = floor;
      Position at = sequencer.appender().append(new LedgerRecord.VersionFloor(floor));
      sequencer
          .appender()
          .whenDurable(at, () -> sequencer.memory().versionFloor(recorded), detail -> {});
    }
  }

  private Optional<Position> leastPin() {
    Optional<Position> reported = reports.leastPin(members.get());
    Optional<Position> mine = pins.values().stream().min(Position::compareTo);
    if (reported.isPresent() && mine.isPresent()) {
      return Optional.of(Position.min(reported.get(), mine.get()));
    }
    return reported.isPresent() ? reported : mine;
  }

  MemberEngines engines() {
    return engines;
  }

  private boolean persists(NodeId node) {
    return rules.counts(engines.of(node));
  }

  /**
   * Whether nothing is trimmed, for want of a copy that persists (rules 7, 23). A copy of a node
   * that was never seen, and so may be in memory, is none: it may have reported before its
   * membership is known here.
   */
  boolean keepsLedgerWhole() {
    return sequencer.active()
        && Reports.isAnyVolatile(
            ledgerView.map(), node -> engines.known(node).filter(rules::counts).isPresent());
  }

  boolean saysLost(RangeDescriptor range, NodeId holder) {
    return reports.saysLost(range, holder);
  }

  long stuckSeconds(NodeId node, long incarnation) {
    return reports.stuckSeconds(node, incarnation);
  }

  /** The position below which no copy, reader or change of the map needs the ledger any more. */
  Optional<Position> unneeded() {
    return reports
        .leastFolded(ledgerView.map(), this::persists)
        .filter(_ -> sequencer.memory().map().version().equals(ledgerView.map().version()))
        .filter(_ -> reports.complete(members.get()))
        .map(closed -> Position.min(closed, leastPin().orElse(closed)))
        .map(closed -> Position.min(closed.next(), sequencer.appender().durable()));
  }

  /**
   * Writes a checkpoint where the ledger can be trimmed by it. Where that cannot be for long, as
   * while a node is down that has copies, one is written all the same, and nothing is trimmed: a
   * node that takes over reads from the newest one.
   */
  private void checkpoint() {
    Optional<Position> below = trimAllowed ? rules.trimmable() : Optional.empty();
    boolean trims =
        below.isPresent() && below.get().value() >= unneededThen.value() + checkpointStep();
    if (checkpointing || !(trims || isLongSinceCheckpoint())) {
      return;
    }
    checkpointing = true;
    Position trim = trims ? below.get() : unneededByStore;
    boolean mayTrim = trims && !keepsLedgerWhole();
    if (trims) {
      unneededThen = trim;
    }
    if (mayTrim) {
      // Below this nothing that has not been appended by now is accepted any more (pin).
      trimmed = Position.max(trimmed, rules.trimmedFor(trim, keptForReaders()));
      unneededByStore = trim;
    }
    Position cut = trimmed;
    Position floor = rules.nextOutcomeFloor(trim);
    LedgerState memory = sequencer.memory();
    List<Settled> remembered =
        memory.outcomes().values().stream()
            .filter(settled -> settled.number().value() >= floor.value())
            .toList();
    Position from = sequencer.appender().next();
    Position at =
        sequencer
            .appender()
            .append(
                new LedgerRecord.Checkpoint(
                    memory.map(),
                    versionFloorAppended,
                    floor,
                    remembered,
                    rules.catalogForCheckpoint()));
    long mine = sequencer.term();
    sequencer
        .appender()
        .whenDurable(
            at,
            () -> {
              if (mine == sequencer.term()) {
                checkpointing = false;
                memory.checkpointed(at, floor);
                sequencer.checkpointAt(from);
                if (mayTrim) {
                  trimmableByCheckpoint = trim;
                  trim(cut);
                }
              }
            },
            detail -> checkpointing = false);
  }

  /**
   * What was kept for readers of changes grows old though nothing is committed, and no checkpoint
   * comes.
   */
  private void trimWhatReadersLet() {
    Optional<Position> kept = keptForReaders();
    Optional<Position> below = trimAllowed ? rules.trimmable() : Optional.empty();
    if (kept.isEmpty() || below.isEmpty() || checkpointing || keepsLedgerWhole()) {
      return;
    }
    Position unneeded = Position.min(below.get(), trimmableByCheckpoint);
    Position cut = rules.trimmedFor(unneeded, kept);
    if (cut.value() >= trimmed.value() + bounds.checkpointRecords()) {
      trimmed = cut;
      trim(cut);
    }
  }

  private void trim(Position below) {
    context.ledger(
        token -> context.ports().ledger().trim(token, below),
        result -> {
          if (result instanceof LedgerResult.TrimDone) {
            trims.record(below.value());
          }
        });
  }

  private Optional<Position> keptForReaders() {
    return forReaders.keptFrom(context.nanos(), sequencer.appender().durable());
  }

  /** Whether copies that lag keep so many outcomes from being forgotten that few more fit. */
  boolean isPressed() {
    return sequencer.active()
        && sequencer.memory().outcomes().size() >= bounds.outcomesMax() / 4 * 3;
  }

  private boolean isLongSinceCheckpoint() {
    long last = sequencer.memory().lastCheckpoint().value();
    return sequencer.appender().next().value() >= last + usualStep() + bounds.checkpointRecords();
  }

  /** By how far the ledger must be trimmable again for another checkpoint. */
  private long checkpointStep() {
    return sequencer.memory().outcomes().size() >= bounds.outcomesMax() ? 1 : usualStep();
  }

  /**
   * A checkpoint has all outcomes that are remembered, and has to be a small part of the ledger.
   */
  private long usualStep() {
    return Math.max(bounds.checkpointRecords(), sequencer.memory().outcomes().size() / 4);
  }
}
