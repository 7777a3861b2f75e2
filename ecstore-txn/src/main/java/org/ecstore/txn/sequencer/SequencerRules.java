package org.ecstore.txn.sequencer;

import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.ecstore.core.ledger.LedgerRecord.CoordinatorLife;
import org.ecstore.core.ledger.LedgerRecord.RangeVote;
import org.ecstore.core.ledger.LedgerRecord.Settled;
import org.ecstore.core.runtime.NodeContext;
import org.ecstore.core.runtime.RuleSeam;
import org.ecstore.id.Position;
import org.ecstore.id.RangeId;
import org.ecstore.id.TxnId;
import org.ecstore.model.CatalogStamp;
import org.ecstore.model.EngineTraits;
import org.ecstore.replication.copy.LedgerReplay;
import org.ecstore.txn.message.Outcome;
import org.ecstore.txn.message.TxnMessage.Submit;

/**
 * What the protocol's rules ask of a sequencer, each in a method of its own, so that a test can
 * plant a bug against it and show that the simulator finds it.
 */
public abstract class SequencerRules {
  private final NodeContext context;
  private final Sequencer.Bounds bounds;
  private final SequencerState state;

  SequencerRules(NodeContext context, Sequencer.Bounds bounds, SequencerState state) {
    this.context = context;
    this.bounds = bounds;
    this.state = state;
  }

  /** The appender after a position. */
  @RuleSeam({1, 6})
  protected Appender newAppender(
      NodeContext on,
      Appender.Bounds within,
      Position last,
      Runnable grown,
      Consumer<String> failed) {
    return new Appender(on, within, last, grown, failed);
  }

  /** What reads the ledger for this node. */
  @RuleSeam(6)
  protected LedgerReplay newReplay(
      Position from, Position target, LedgerReplay.Chunks chunks, Consumer<LedgerReplay.End> end) {
    return new LedgerReplay(context, from, target, chunks, end);
  }

  /** From the newest checkpoint, if it is there still; what has been read beyond it is kept. */
  @RuleSeam({6, 7})
  protected Position startOfReplay(Position first, Position last) {
    Position newest = state.newestCheckpoint();
    return newest.isAtOrBelow(last) ? Position.max(first, newest) : first;
  }

  /** Rule 6: to the end that the fence has found, not to what this node had heard of. */
  @RuleSeam(6)
  protected Position replayTarget(Position fenced) {
    return fenced;
  }

  /**
   * Rule 6: who leads is a hint. A node that has tried in vain to write the ledger for longer than
   * it has patience lets another try (decision 0114).
   */
  @RuleSeam(6)
  protected boolean letsOthersTry(long triedNanos, long patienceNanos) {
    return triedNanos >= patienceNanos;
  }

  /**
   * Rule 6: a node that was shut out fences without being told that it leads, where coordination
   * does not answer; not once another has written.
   */
  @RuleSeam(6)
  protected boolean mayFenceUnasked(boolean isSucceeded) {
    return !isSucceeded;
  }

  /**
   * Rule 6: a node that has fenced the ledger and reads nothing of it has tried in vain as well
   * (decision 0114).
   *
   * @param failed how many reads have failed in that time
   */
  @RuleSeam(6)
  protected boolean isUnreadable(long unreadNanos, long failed) {
    return failed > 0 && unreadNanos >= LedgerTrouble.UNREAD_NANOS;
  }

  /** Rule 5: an id that has a record is decided. */
  @RuleSeam(5)
  protected Optional<Settled> decided(TxnId txn) {
    return Optional.ofNullable(state.memory().outcomes().get(txn));
  }

  /**
   * Rule 5: an id has one coordinator incarnation. What another one has committed under it has
   * other writes, and is in no participant of this one's (decision 0118).
   */
  @RuleSeam(5)
  protected boolean isOfSubmitter(Settled decided, Submit submit) {
    return decided
        .by()
        .equals(new CoordinatorLife(submit.coordinator(), submit.coordinatorIncarnation()));
  }

  /** Rule 5: a question makes no record where the submission was refused and may come again. */
  @RuleSeam(5)
  protected boolean mayComeAgain(TxnId txn) {
    return state.refused().has(txn, context.nanos());
  }

  /**
   * Rule 27: a commit is made under the newest version of the catalog by all earlier records, those
   * in flight included.
   */
  @RuleSeam(27)
  protected boolean isUnderNewestCatalog(CatalogStamp stamp) {
    return stamp.version() == state.memory().catalogVersion();
  }

  /** Rule 27: a checkpoint holds the version of the catalog, as of its place. */
  @RuleSeam({7, 27})
  protected long catalogForCheckpoint() {
    return state.memory().catalogVersion();
  }

  /** F: below it outcomes are forgotten (rule 7). */
  @RuleSeam(7)
  protected Position outcomeFloor() {
    return state.memory().outcomeFloor();
  }

  /** Rules 5 and 6: an append that came back as anything but durable says nothing. */
  @RuleSeam({5, 6})
  protected Outcome lost(String detail) {
    return new Outcome.NotNow(detail);
  }

  /** Rule 4: the first vote whose epoch is not the range's by all earlier records. */
  @RuleSeam(4)
  protected Optional<RangeId> changedRange(List<RangeVote> votes) {
    return state.memory().changedRange(votes);
  }

  /** Rule 14: the version floor that nodes may rely on is the one that is durable. */
  @RuleSeam(14)
  protected Position toldFloor(Position appended) {
    return state.memory().versionFloor();
  }

  /**
   * F: low enough for every snapshot in use, as far as that keeps the outcomes within their bound;
   * never above the trim position (rule 7).
   */
  @RuleSeam(7)
  protected Position nextOutcomeFloor(Position trim) {
    long next = state.appender().next().value();
    Position kept = new Position(Math.max(0, next - bounds.outcomesKept()));
    // The other half is for what comes until the next checkpoint.
    Position bound = new Position(Math.max(0, next - bounds.outcomesMax() / 2));
    Position wanted = Position.max(Position.min(state.memory().versionFloor(), kept), bound);
    return Position.max(state.memory().outcomeFloor(), Position.min(trim, wanted));
  }

  /**
   * Whether copies on an engine count for what the ledger is kept for: one that may forget what it
   * has says nothing of what is safe without the ledger (rule 7).
   */
  @RuleSeam(7)
  protected boolean counts(EngineTraits engine) {
    return engine.persists();
  }

  /**
   * Rule 29: below which position the ledger is trimmed, of what the store itself needs no more.
   *
   * @param kept what is kept for readers of changes begins here
   */
  @RuleSeam(29)
  protected Position trimmedFor(Position below, Optional<Position> kept) {
    return kept.map(from -> Position.min(below, from)).orElse(below);
  }

  /** The position below which the ledger is not needed any more, if that is known (rule 14). */
  @RuleSeam(14)
  protected abstract Optional<Position> trimmable();
}
