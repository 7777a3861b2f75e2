package org.ecstore.sim;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.ecstore.core.ledger.LedgerRecord.RangeVote;
import org.ecstore.core.ledger.LedgerRecord.Settled;
import org.ecstore.core.port.Engine.VersionedWrite;
import org.ecstore.core.port.Ledger;
import org.ecstore.core.runtime.NodeContext;
import org.ecstore.id.NodeId;
import org.ecstore.id.Position;
import org.ecstore.id.RangeId;
import org.ecstore.id.ReadPoint;
import org.ecstore.id.TxnId;
import org.ecstore.key.Bytes;
import org.ecstore.key.KeyRange;
import org.ecstore.model.AbortReason;
import org.ecstore.model.Isolation;
import org.ecstore.protocol.ClientReply;
import org.ecstore.replication.copy.Copy;
import org.ecstore.replication.copy.CopyTable;
import org.ecstore.replication.copy.WriteHolds;
import org.ecstore.replication.read.SnapshotReads;
import org.ecstore.replication.view.LedgerView;
import org.ecstore.sim.ledger.SegmentedLedger;
import org.ecstore.sim.ledger.SimLedger;
import org.ecstore.sim.ledger.SimSegments;
import org.ecstore.sim.ledger.SimSegments.Segment;
import org.ecstore.sim.ledger.SimSegments.SegmentList;
import org.ecstore.sim.ledger.SteppedLedger;
import org.ecstore.sim.node.NodeMutation;
import org.ecstore.sim.world.Life;
import org.ecstore.txn.commit.Coordinator;
import org.ecstore.txn.commit.TransactionIntents;
import org.ecstore.txn.message.Outcome;
import org.ecstore.txn.message.TxnMessage.PositionReply;
import org.ecstore.txn.message.TxnMessage.StrongRequest;
import org.ecstore.txn.message.TxnMessage.Submit;
import org.ecstore.txn.message.TxnMessage.VoteRequest;
import org.ecstore.txn.node.NodeParts;
import org.ecstore.txn.node.NodeSettings;
import org.ecstore.txn.sequencer.Appender;
import org.ecstore.txn.sequencer.SequencerLink;

/** The bugs that the simulator must find: each breaks one rule in one place. */
public final class PlantedBugs implements PlantSource {
  @Override
  public Map<String, NodeMutation> plants() {
    Map<String, NodeMutation> all = new TreeMap<>();
    PlantSource.add(all, "ack-before-durable", OnePart.sequencer(AckBeforeDurable::new));
    PlantSource.add(all, "forget-marks-on-vote", OnePart.participant(ForgetMarksOnVote::new));
    PlantSource.add(all, "adopt-d-without-m", new AdoptDWithoutM());
    PlantSource.add(all, "believe-any-position", new BelieveAnyPosition());
    PlantSource.add(all, "serve-before-replay", OnePart.table(ServeBeforeReplay::new));
    PlantSource.add(all, "double-apply-retry", OnePart.sequencer(DoubleApplyRetry::new));
    PlantSource.add(all, "check-between-marks", OnePart.participant(CheckBetweenMarks::new));
    PlantSource.add(
        all, "skip-phantom-validation", OnePart.participant(SkipPhantomValidation::new));
    PlantSource.add(all, "unmark-before-readable", OnePart.participant(UnmarkBeforeReadable::new));
    PlantSource.add(
        all, "settled-marks-are-no-versions", OnePart.participant(SettledMarksAreNoVersions::new));
    PlantSource.add(
        all, "writes-pass-snapshot-writers", OnePart.participant(WritesPassSnapshotWriters::new));
    PlantSource.add(
        all, "answer-below-base", new AnswerBelowBase(), new PlantedWindows.AnswersBelowKept());
    PlantSource.add(
        all, "row-above-S-returned", new AnswerBelowBase(), new PlantedWindows.ReturnsRowsAbove());
    PlantSource.add(all, "skip-epoch-check", OnePart.sequencer(SkipEpochCheck::new));
    PlantSource.add(all, "trim-too-far", OnePart.sequencer(TrimTooFar::new));
    PlantSource.add(all, "read-past-marks", OnePart.participant(ReadPastMarks::new));
    PlantSource.add(all, "close-past-marks", OnePart.participant(ClosePastMarks::new));
    PlantSource.add(all, "strong-without-append", OnePart.sequencer(StrongWithoutAppend::new));
    PlantSource.add(all, "replay-to-known-end", OnePart.sequencer(ReplayToKnownEnd::new));
    PlantSource.add(
        all, "take-over-skips-checkpoint", OnePart.sequencer(TakeOverSkipsCheckpoint::new));
    PlantSource.add(
        all, "outcome-floor-lost-in-take-over", OnePart.sequencer(FloorLostInTakeOver::new));
    PlantSource.add(all, "fenced-append-is-failure", OnePart.sequencer(FencedAppendIsFailure::new));
    PlantSource.add(all, "forget-undecided-at-trim", OnePart.sequencer(ForgetUndecidedAtTrim::new));
    PlantSource.add(
        all, "question-ends-what-waits-for-room", OnePart.sequencer(QuestionEndsWhatWaits::new));
    PlantSource.add(
        all, "abort-lost-to-late-commit", OnePart.sequencer(AbortLostToLateCommit::new));
    PlantSource.add(
        all, "votes-of-restarted-primary", OnePart.sequencer(VotesOfRestartedPrimary::new));
    PlantSource.add(all, "epochs-of-durable-map", OnePart.sequencer(EpochsOfDurableMap::new));
    PlantSource.add(all, "timeout-is-failure", new TimeoutIsFailure());
    addReused(all, "commit-of-another-coordinator", OnePart.sequencer(TellsOfAnothersCommit::new));
    addReused(all, "vote-by-anothers-marks", OnePart.participant(VotesByAnothersIntents::new));
    addClient(all, "retry-without-asking", NodeMutation.ClientBehaviour.RETRIES_UNKNOWN);
    addClient(all, "two-coordinators-for-one-id", NodeMutation.ClientBehaviour.RESENDS_COMMIT);
    addLedger(all, "list-read-again-after-fencing", ListReadAgain::new);
    addLedger(all, "append-before-list-swap", AppendBeforeSwap::new);
    addLedger(all, "commit-number-reused", EndOfConfirmed::new);
    addLedger(all, "take-over-without-fencing", WithoutFencing::new);
    addLedger(all, "tail-beyond-confirmed", TailBeyondConfirmed::new);
    return all;
  }

  /** Where one client commits two things under one id. */
  private static void addReused(Map<String, NodeMutation> all, String name, NodeParts parts) {
    PlantSource.add(all, name, parts);
    all.computeIfPresent(
        name, (_, plant) -> plant.withClients(NodeMutation.ClientBehaviour.REUSES_IDS));
  }

  private static void addClient(
      Map<String, NodeMutation> all, String name, NodeMutation.ClientBehaviour behaviour) {
    all.put(name, new NodeMutation(name, NodeMutation.RIGHT.nodes(), behaviour));
  }

  private static void addLedger(
      Map<String, NodeMutation> all, String name, SteppedLedger.Adapters ways) {
    SimLedger.Factory ledger = (world, faults) -> new SteppedLedger(world, faults, ways);
    all.put(
        name,
        new NodeMutation(
            name, NodeMutation.RIGHT.nodes(), NodeMutation.ClientBehaviour.RIGHT, ledger));
  }

  /** Against rule 5: answers rest on records that are not durable. */
  private static final class AckBeforeDurable extends OnePart.Sequencing {
    AckBeforeDurable(OnePart.SequencerParts parts) {
      super(parts);
    }

    @Override
    protected Appender newAppender(
        NodeContext on,
        Appender.Bounds within,
        Position last,
        Runnable grown,
        Consumer<String> failed) {
      return new Appender(on, within, last, grown, failed) {
        @Override
        protected boolean acknowledged(Position position) {
          return true;
        }
      };
    }
  }

  /** Against rule 2: read and write intents go with the vote, not with the decision. */
  private static final class ForgetMarksOnVote extends OnePart.Participating {
    ForgetMarksOnVote(OnePart.ParticipantParts parts) {
      super(parts);
    }

    @Override
    protected void voted(RangeId range, TxnId txn) {
      dropIntents(range, txn);
    }
  }

  /** Against rule 3: versions are checked when some of the keys are marked only. */
  private static final class CheckBetweenMarks extends OnePart.Participating {
    CheckBetweenMarks(OnePart.ParticipantParts parts) {
      super(parts);
    }

    @Override
    protected boolean isPlaced(TransactionIntents holder) {
      return true;
    }
  }

  /** Against rule 8. */
  private static final class AdoptDWithoutM extends NodeParts {
    @Override
    public LedgerView ledgerView(NodeContext context, NodeSettings settings) {
      return new LedgerView(context, settings.askNanos(), settings.unprovenMax()) {
        @Override
        protected boolean mayAdopt(ReadPoint pair) {
          return true;
        }
      };
    }
  }

  /** Against decision 0035: whatever a node says of D is believed. */
  private static final class BelieveAnyPosition extends NodeParts {
    @Override
    public LedgerView ledgerView(NodeContext context, NodeSettings settings) {
      return new LedgerView(context, settings.askNanos(), settings.unprovenMax()) {
        @Override
        protected boolean isBelievable(NodeId from, ReadPoint pair) {
          return true;
        }
      };
    }
  }

  /** Against rule 15. */
  private static final class ServeBeforeReplay extends OnePart.Table {
    ServeBeforeReplay(OnePart.TableParts parts) {
      super(parts);
    }

    @Override
    protected boolean mustReplay(Copy copy) {
      return false;
    }
  }

  /** Against rule 5: a submission that comes again gets a record again. */
  private static final class DoubleApplyRetry extends OnePart.Sequencing {
    DoubleApplyRetry(OnePart.SequencerParts parts) {
      super(parts);
    }

    @Override
    protected Optional<Settled> decided(TxnId txn) {
      return Optional.empty();
    }
  }

  /** Against rule 5: a coordinator is told of what another one has committed under the id. */
  private static final class TellsOfAnothersCommit extends OnePart.Sequencing {
    TellsOfAnothersCommit(OnePart.SequencerParts parts) {
      super(parts);
    }

    @Override
    protected boolean isOfSubmitter(Settled decided, Submit submit) {
      return true;
    }
  }

  /** Against rule 5: a vote rests on what another coordinator has marked under the id. */
  private static final class VotesByAnothersIntents extends OnePart.Participating {
    VotesByAnothersIntents(OnePart.ParticipantParts parts) {
      super(parts);
    }

    @Override
    protected boolean isOfCoordinator(
        TransactionIntents holder, NodeId coordinator, long incarnation) {
      return true;
    }
  }

  /** Against rule 3: intervals scanned are not checked for newer versions. */
  private static final class SkipPhantomValidation extends OnePart.Participating {
    SkipPhantomValidation(OnePart.ParticipantParts parts) {
      super(parts);
    }

    @Override
    protected List<KeyRange> intervalsToCheck(VoteRequest request) {
      return List.of();
    }
  }

  /** Against rule 3: what is committed and not readable yet is in no transaction's way. */
  private static final class SettledMarksAreNoVersions extends OnePart.Participating {
    SettledMarksAreNoVersions(OnePart.ParticipantParts parts) {
      super(parts);
    }

    @Override
    protected Position seenBy(VoteRequest request) {
      return new Position(Long.MAX_VALUE);
    }
  }

  /** Against decision 0028: a write passes one that must find its key as its snapshot had it. */
  private static final class WritesPassSnapshotWriters extends OnePart.Participating {
    WritesPassSnapshotWriters(OnePart.ParticipantParts parts) {
      super(parts);
    }

    @Override
    protected Isolation guards(VoteRequest request) {
      return Isolation.SERIALIZABLE;
    }
  }

  /** Against rule 2: a write intent goes when the write is handed to the engine. */
  private static final class UnmarkBeforeReadable extends OnePart.Participating {
    UnmarkBeforeReadable(OnePart.ParticipantParts parts) {
      super(parts);
    }

    @Override
    protected void apply(List<VersionedWrite> writes, Runnable dropIntents) {
      super.apply(writes, () -> {});
      dropIntents.run();
    }
  }

  /** Against rule 10. */
  private static final class AnswerBelowBase extends NodeParts {
    @Override
    public SnapshotReads reads(
        NodeContext context, LedgerView ledgerView, CopyTable copies, WriteHolds holds) {
      return new SnapshotReads(context, ledgerView, copies, holds) {
        @Override
        protected boolean isBelowBase(Copy copy, Position snapshot) {
          return false;
        }
      };
    }
  }

  /** Against rule 4: votes of any epoch count. */
  private static final class SkipEpochCheck extends OnePart.Sequencing {
    SkipEpochCheck(OnePart.SequencerParts parts) {
      super(parts);
    }

    @Override
    protected Optional<RangeId> changedRange(List<RangeVote> votes) {
      return Optional.empty();
    }
  }

  /** Against rule 7: trims what copies still need. */
  private static final class TrimTooFar extends OnePart.Sequencing {
    TrimTooFar(OnePart.SequencerParts parts) {
      super(parts);
    }

    @Override
    protected Optional<Position> trimmable() {
      return super.trimmable().map(least -> parts.ledgerView().adopted().position());
    }
  }

  /** Against rule 10: a primary answers while a write that may be below S is not readable. */
  private static final class ReadPastMarks extends OnePart.Participating {
    ReadPastMarks(OnePart.ParticipantParts parts) {
      super(parts);
    }

    @Override
    public void awaitSettled(
        Copy copy,
        List<Bytes> keys,
        Optional<KeyRange> interval,
        Position position,
        long untilNanos,
        Runnable ready,
        Runnable late) {
      ready.run();
    }
  }

  /** Against rule 11: the closed position is D, whatever is marked. */
  private static final class ClosePastMarks extends OnePart.Participating {
    ClosePastMarks(OnePart.ParticipantParts parts) {
      super(parts);
    }

    @Override
    public Optional<Position> leastNoted(Copy copy) {
      return Optional.empty();
    }
  }

  /** Against rule 9: a sequencer that may be deposed says what it believes D to be. */
  private static final class StrongWithoutAppend extends OnePart.Sequencing {
    StrongWithoutAppend(OnePart.SequencerParts parts) {
      super(parts);
    }

    @Override
    public void strong(NodeId from, StrongRequest request) {
      parts
          .context()
          .send(from, new PositionReply(request.call(), active(), parts.ledgerView().adopted()));
    }
  }

  /** Against rule 6: a take-over replays to what the node had heard of, not to the fenced end. */
  private static final class ReplayToKnownEnd extends OnePart.Sequencing {
    ReplayToKnownEnd(OnePart.SequencerParts parts) {
      super(parts);
    }

    @Override
    protected Position replayTarget(Position fenced) {
      return Position.min(fenced, parts.ledgerView().adopted().position());
    }
  }

  /** Against rule 7: a take-over reads what is new to the node, and not what a checkpoint holds. */
  private static final class TakeOverSkipsCheckpoint extends OnePart.Sequencing {
    TakeOverSkipsCheckpoint(OnePart.SequencerParts parts) {
      super(parts);
    }

    @Override
    protected Position startOfReplay(Position first, Position last) {
      return Position.max(first, Position.min(last, parts.ledgerView().adopted().position()));
    }
  }

  /** Against rule 7: what a sequencer before this one has forgotten counts as never decided. */
  private static final class FloorLostInTakeOver extends OnePart.Sequencing {
    FloorLostInTakeOver(OnePart.SequencerParts parts) {
      super(parts);
    }

    private Position inherited = Position.ZERO;

    @Override
    protected Appender newAppender(
        NodeContext on,
        Appender.Bounds within,
        Position last,
        Runnable grown,
        Consumer<String> failed) {
      inherited = super.outcomeFloor();
      return super.newAppender(on, within, last, grown, failed);
    }

    @Override
    protected Position outcomeFloor() {
      Position floor = super.outcomeFloor();
      return floor.equals(inherited) ? Position.ZERO : floor;
    }
  }

  /** Against rules 5 and 6: an append that was fenced or got lost is answered as aborted. */
  private static final class FencedAppendIsFailure extends OnePart.Sequencing {
    FencedAppendIsFailure(OnePart.SequencerParts parts) {
      super(parts);
    }

    @Override
    protected Outcome lost(String detail) {
      return new Outcome.Aborted(Optional.empty());
    }
  }

  /** Against rule 7: a checkpoint forgets every outcome, those that are still asked for too. */
  private static final class ForgetUndecidedAtTrim extends OnePart.Sequencing {
    ForgetUndecidedAtTrim(OnePart.SequencerParts parts) {
      super(parts);
    }

    @Override
    protected Position nextOutcomeFloor(Position trim) {
      return parts.ledgerView().adopted().position().next();
    }
  }

  /** Against rule 5: a question about what was refused for want of room takes that room. */
  private static final class QuestionEndsWhatWaits extends OnePart.Sequencing {
    QuestionEndsWhatWaits(OnePart.SequencerParts parts) {
      super(parts);
    }

    @Override
    protected boolean mayComeAgain(TxnId txn) {
      return false;
    }
  }

  /** Against rule 1: an abort record does not stop a submission that comes later. */
  private static final class AbortLostToLateCommit extends OnePart.Sequencing {
    AbortLostToLateCommit(OnePart.SequencerParts parts) {
      super(parts);
    }

    @Override
    protected Optional<Settled> decided(TxnId txn) {
      return super.decided(txn).filter(Settled::committed);
    }
  }

  /** Against rule 4: votes count as long as their range is there, under whatever epoch. */
  private static final class VotesOfRestartedPrimary extends OnePart.Sequencing {
    VotesOfRestartedPrimary(OnePart.SequencerParts parts) {
      super(parts);
    }

    @Override
    protected Optional<RangeId> changedRange(List<RangeVote> votes) {
      return votes.stream()
          .map(RangeVote::range)
          .filter(range -> appendedMap().range(range).isEmpty())
          .findFirst();
    }
  }

  /** Against rule 4: epoch records still in flight are not looked at. */
  private static final class EpochsOfDurableMap extends OnePart.Sequencing {
    EpochsOfDurableMap(OnePart.SequencerParts parts) {
      super(parts);
    }

    @Override
    protected Optional<RangeId> changedRange(List<RangeVote> votes) {
      if (!active()) {
        return Optional.empty();
      }
      return votes.stream()
          .filter(
              vote ->
                  parts
                      .ledgerView()
                      .map()
                      .range(vote.range())
                      .filter(range -> range.epoch().equals(vote.epoch()))
                      .isEmpty())
          .map(RangeVote::range)
          .findFirst();
    }
  }

  /** Against rule 5: a submission without an answer in time is answered as aborted. */
  private static final class TimeoutIsFailure extends NodeParts {
    @Override
    public Coordinator coordinator(
        NodeContext context,
        LedgerView ledgerView,
        SequencerLink sequencer,
        NodeSettings settings) {
      return new Coordinator(context, ledgerView, sequencer, settings.coordinator()) {
        @Override
        protected ClientReply inDoubt(String detail) {
          return new ClientReply.Aborted(
              new AbortReason.NotReachable(detail), ledgerView.adopted());
        }
      };
    }
  }

  /** Against rule 6: the list is swapped against a version read after fencing. */
  private static final class ListReadAgain extends SegmentedLedger {
    ListReadAgain(SimSegments store, Life life) {
      super(store, life);
    }

    @Override
    protected SegmentList toSwap(SegmentList opened, SegmentList now) {
      return now;
    }
  }

  /** Against rule 6: a new segment is written to before the list says that there is one. */
  private static final class AppendBeforeSwap extends SegmentedLedger {
    AppendBeforeSwap(SimSegments store, Life life) {
      super(store, life);
    }

    @Override
    protected boolean appendsBeforeSwap() {
      return true;
    }
  }

  /** Against rule 6: the ledger is said to end where its writer had confirmed it. */
  private static final class EndOfConfirmed extends SegmentedLedger {
    EndOfConfirmed(SimSegments store, Life life) {
      super(store, life);
    }

    @Override
    protected long lastPosition(Segment recovered) {
      return recovered.confirmed();
    }
  }

  /** Against rule 6: standbys read what may never have been written. */
  private static final class TailBeyondConfirmed extends SegmentedLedger {
    TailBeyondConfirmed(SimSegments store, Life life) {
      super(store, life);
    }

    @Override
    protected List<Ledger.LedgerEntry> beyondConfirmed(SegmentList now) {
      return now.segments().isEmpty()
          ? List.of()
          : now.segments().getLast().doubtful.stream().map(append -> append.entry).toList();
    }
  }

  /** Against rule 6: being named leader is taken for having shut the other out. */
  private static final class WithoutFencing extends SegmentedLedger {
    WithoutFencing(SimSegments store, Life life) {
      super(store, life);
    }

    @Override
    protected List<Segment> toRecover(SegmentList opened) {
      return List.of();
    }
  }
}
