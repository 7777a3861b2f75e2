package org.ecstore.txn.message;

import java.util.List;
import java.util.Optional;
import org.ecstore.core.ledger.LedgerRecord.RangeVote;
import org.ecstore.core.message.NodeMessage;
import org.ecstore.core.message.Reply;
import org.ecstore.id.Epoch;
import org.ecstore.id.NodeId;
import org.ecstore.id.Position;
import org.ecstore.id.RangeId;
import org.ecstore.id.ReadPoint;
import org.ecstore.id.TxnId;
import org.ecstore.key.Bytes;
import org.ecstore.key.KeyRange;
import org.ecstore.model.AbortReason;
import org.ecstore.model.AdminRequest;
import org.ecstore.model.CatalogStamp;
import org.ecstore.model.Isolation;
import org.ecstore.model.KeyWrite;
import org.ecstore.model.control.NodeLoad;
import org.ecstore.model.control.ServiceLimit;
import org.ecstore.model.objective.ServiceSample;
import org.ecstore.protocol.ClientReply;
import org.ecstore.protocol.ClientReply.DecisionLine;
import org.ecstore.protocol.RequestWeight;

/** Messages between the transaction strata of two nodes. */
public sealed interface TxnMessage extends NodeMessage {
  /**
   * Intent, check and vote (rule 2), as to one range.
   *
   * @param writes keys that are put or deleted
   * @param operations keys that operations are applied to: they may have changed, whatever the
   *     isolation (rule 28)
   * @param room what the transaction takes of the range's node until its writes are in the engine:
   *     {@link RequestWeight}
   */
  record VoteRequest(
      long call,
      TxnId txn,
      long coordinatorIncarnation,
      ReadPoint point,
      Isolation isolation,
      RangeId range,
      Epoch epoch,
      List<Bytes> reads,
      List<KeyRange> intervals,
      List<Bytes> writes,
      List<Bytes> operations,
      long room)
      implements TxnMessage {
    public VoteRequest {
      operations = List.copyOf(operations);
      reads = List.copyOf(reads);
      intervals = List.copyOf(intervals);
      writes = List.copyOf(writes);
    }
  }

  /** Yes, or why not. A no leaves no intents. */
  record VoteReply(long call, TxnId txn, Optional<AbortReason> no) implements TxnMessage, Reply {}

  /** The coordinator gave up before it submitted anything: drop the intents (rule 5). */
  record Release(TxnId txn, RangeId range, long coordinatorIncarnation) implements TxnMessage {}

  /** A durable record has decided: the commit number and this range's writes, or an abort. */
  record Decided(TxnId txn, RangeId range, Optional<Position> number, List<KeyWrite> writes)
      implements TxnMessage {
    public Decided {
      writes = List.copyOf(writes);
    }

    @Override
    public long weight() {
      return RequestWeight.ofWrites(writes);
    }
  }

  /**
   * To the sequencer: append this commit (rules 1, 4).
   *
   * @param catalog the version that it was made under, 0 for the empty one (rule 27)
   */
  record Submit(
      long call,
      TxnId txn,
      NodeId coordinator,
      long coordinatorIncarnation,
      ReadPoint point,
      Isolation isolation,
      List<RangeVote> votes,
      List<KeyWrite> writes,
      CatalogStamp catalog)
      implements TxnMessage {
    public Submit {
      votes = List.copyOf(votes);
      writes = List.copyOf(writes);
    }

    Submit by(CatalogStamp stamp) {
      return new Submit(
          call, txn, coordinator, coordinatorIncarnation, point, isolation, votes, writes, stamp);
    }

    @Override
    public long weight() {
      return RequestWeight.ofWrites(writes);
    }
  }

  /** To the sequencer: what became of this transaction? Absent a record, it aborts it (rule 5). */
  record Ask(long call, TxnId txn, Position snapshot, Asker asker) implements TxnMessage {}

  /** In whose doubt a question is: clients may make ids up, participants hold intents of theirs. */
  enum Asker {
    CLIENT,
    PARTICIPANT
  }

  /** What became of a transaction, as far as this node can tell. */
  record OutcomeReply(long call, Outcome outcome) implements TxnMessage, Reply {}

  /** To the sequencer: D, after an append begun now (rule 9, STRONG). */
  record StrongRequest(long call) implements TxnMessage {}

  /** To the sequencer: is this position durable? */
  record ConfirmRequest(long call, Position position) implements TxnMessage {}

  /** The sequencer's pair; refused if the position is not durable or this node does not lead. */
  record PositionReply(long call, boolean granted, ReadPoint point) implements TxnMessage, Reply {}

  /**
   * From the sequencer to all, at intervals: the pair of the envelope, the floors, and where the
   * newest durable checkpoint begins, zero if there is none.
   */
  record Heartbeat(Position versionFloor, Position outcomeFloor, Position checkpoint)
      implements TxnMessage {}

  /**
   * How far one copy is.
   *
   * @param folded through which position its store has it for good: it needs the ledger above
   * @param closed its closed position, which a restart takes back
   */
  record CopyReport(RangeId range, Epoch epoch, Position folded, Position closed) {}

  /** A copy that cannot go on: it lacks what the ledger no longer has. */
  record LostCopy(RangeId range, Epoch epoch) {}

  /**
   * To the sequencer, at intervals: what the ledger and old versions are still needed for. {@code
   * leastPin} is the lowest stamp of a transfer or of a copy not yet in the map, from which on the
   * ledger is needed; {@code leastLease} the oldest snapshot in use, from which on versions are;
   * {@code lost} are copies that cannot go on; {@code stuckSeconds} is for how long the node's
   * store has done nothing of what it is told, 0 if it does: until then no copy of it is reckoned
   * with. What an unsettled transaction may still need is above the closed positions, which its
   * intents hold back (rule 11). Numbered, so that a late one is not taken for the newest.
   */
  record Report(
      long sequence,
      List<CopyReport> copies,
      Optional<Position> leastPin,
      Optional<Position> leastLease,
      List<LostCopy> lost,
      long stuckSeconds)
      implements TxnMessage {
    public Report {
      copies = List.copyOf(copies);
      lost = List.copyOf(lost);
    }
  }

  /**
   * What a copy holds, said by its primary only, and has to do: reads and updates in thousandths
   * per second.
   */
  record CopyLoad(
      RangeId range, Epoch epoch, long records, long bytes, long readsMilli, long updatesMilli) {}

  /** To the steward, at intervals: what some copies here hold and have to do (rule 21). */
  record LoadReport(List<CopyLoad> copies) implements TxnMessage {
    public LoadReport {
      copies = List.copyOf(copies);
    }
  }

  /** To the steward: how is what there is spread, and what would you do about it? */
  record BalanceRequest(long call) implements TxnMessage {}

  /** From the steward; absent from who is not. */
  record BalanceReply(long call, Optional<ClientReply.Balance> balance)
      implements TxnMessage, Reply {}

  /**
   * What clients of an application had of the cluster.
   *
   * @param application which they say that they are; empty if none
   */
  record ApplicationSample(String application, ServiceSample sample) {}

  /** To the steward, some seconds after clients have told a node of it. */
  record ServiceNews(List<ApplicationSample> samples) implements TxnMessage {
    public ServiceNews {
      samples = List.copyOf(samples);
    }
  }

  /** To the steward: what are applications promised? */
  record ObjectivesRequest(long call) implements TxnMessage {}

  /** From the steward; absent from who is not, or does not know yet. */
  record ObjectivesReply(long call, Optional<ClientReply.Objectives> objectives)
      implements TxnMessage, Reply {}

  /** How many operations a node has taken of an application since it last said so. */
  record ApplicationCount(String application, long operations) {}

  /** To the steward, at intervals: what this node has to do, and for whom. */
  record NodeLoadNews(NodeLoad load, List<ApplicationCount> counts) implements TxnMessage {
    public NodeLoadNews {
      counts = List.copyOf(counts);
    }
  }

  /**
   * From the steward: what applications may have of this node.
   *
   * @param version of what the controller keeps, which only grows: one that is less is late
   * @param hotThreshold from how many reads a second of a copy on its busiest keys get hot-spot
   *     replicas (decision 0090); 0 if that is as the node is configured
   */
  record LimitNews(long version, List<ServiceLimit> limits, long hotThreshold)
      implements TxnMessage {
    public LimitNews {
      limits = List.copyOf(limits);
    }
  }

  /** What a range holds of an application. */
  record HeldBytes(String application, long bytes) {}

  /** What a range holds of each application with a quota that has keys in it, by its primary. */
  record RangeHolding(RangeId range, Epoch epoch, List<HeldBytes> held) {
    public RangeHolding {
      held = List.copyOf(held);
    }
  }

  /**
   * To the steward, at intervals, if an application has a quota: what the ranges that are served
   * here hold of those.
   *
   * @param version of the orders by which that was found
   * @param refused applications of which this node refuses what adds to them
   */
  record QuotaReport(long version, List<RangeHolding> ranges, List<String> refused)
      implements TxnMessage {
    public QuotaReport {
      ranges = List.copyOf(ranges);
      refused = List.copyOf(refused);
    }
  }

  /** What a node does with commits that add to an application. */
  enum QuotaStance {
    TAKE,
    REFUSE,
    /** The steward does not know yet what the application holds: what it did until now. */
    AS_BEFORE
  }

  /**
   * What an application may hold.
   *
   * @param quotaBytes at most
   * @param heldBytes as last known to the steward, for people; 0 if it does not know
   */
  record QuotaOrder(
      String application,
      List<String> tables,
      long quotaBytes,
      long heldBytes,
      QuotaStance stance) {
    public QuotaOrder {
      tables = List.copyOf(tables);
    }
  }

  /**
   * From the steward, at intervals: all applications with quotas.
   *
   * @param version of the objectives, which only grows: one that is less is late
   */
  record QuotaNews(long version, List<QuotaOrder> orders) implements TxnMessage {
    public QuotaNews {
      orders = List.copyOf(orders);
    }
  }

  /** To the steward: what does the controller do? */
  record ControlRequest(long call) implements TxnMessage {}

  /** From the steward; absent from who is not, or does not know yet. */
  record ControlReply(long call, Optional<ClientReply.Control> control)
      implements TxnMessage, Reply {}

  /** To the steward: by which performance tables does the controller go? */
  record TablesRequest(long call) implements TxnMessage {}

  /** From the steward; absent from who is not, or does not know yet. */
  record TablesReply(long call, Optional<ClientReply.Tables> tables) implements TxnMessage, Reply {}

  /** To the steward: what is in the performance table of that name? */
  record WholeTableRequest(long call, String name) implements TxnMessage {}

  /** From the steward; absent from who is not, or does not know yet. */
  record WholeTableReply(long call, Optional<ClientReply.WholeTable> table)
      implements TxnMessage, Reply {}

  /** To the steward: this node restarted; its ranges need new epochs (rule 19). */
  record EpochsWanted(long incarnation) implements TxnMessage {}

  /** To the steward: this node has no place in the overlay yet. */
  record JoinWanted(long incarnation) implements TxnMessage {}

  /** To the steward: this node wants to leave and to hand its ranges over first (ecStore §5.4). */
  record LeaveWanted(long incarnation) implements TxnMessage {}

  /**
   * From the steward to a node that wants to leave: whether its ranges can be handed over, and how
   * that stands. It speaks of one incarnation.
   */
  record LeaveAnswer(long incarnation, boolean possible, String detail) implements TxnMessage {}

  /** From the steward to a node that an operator wants to leave. It speaks of one incarnation. */
  record DepartWanted(long incarnation) implements TxnMessage {}

  /** To the steward: an operator wants this. */
  record AdminRequestTold(long call, AdminRequest adminRequest, long id) implements TxnMessage {}

  /** To the steward: what have you decided, about a range or at all? */
  record DecisionsRequest(long call, Optional<RangeId> range) implements TxnMessage {}

  /** From the steward, or from who is not the steward: nothing. */
  record DecisionsReply(long call, boolean isSteward, List<DecisionLine> decisions)
      implements TxnMessage, Reply {
    public DecisionsReply {
      decisions = List.copyOf(decisions);
    }
  }

  /** To the steward: this node holds a built copy that is in no map it knows of. */
  record BuiltHeld(RangeId id) implements TxnMessage {}

  /** From the steward: a copy built under this id will be in no map any more. */
  record BuiltUnused(RangeId id) implements TxnMessage {}

  /** From the steward: build a copy of an interval, under a range id that is yet to be placed. */
  record BuildRequest(
      long call, RangeId id, KeyRange keys, NodeId source, RangeId sourceRange, Epoch sourceEpoch)
      implements TxnMessage {}

  /**
   * The copy is durable at its stamp, or could not be built. With {@code noRoom} the store had none
   * for it (decision 0108).
   */
  record BuildReply(long call, Optional<Position> stamp, boolean noRoom)
      implements TxnMessage, Reply {}

  /** Who owns this key? Handed on link by link until a node knows (rule 20). */
  record LocateRequest(long call, NodeId asker, long askerIncarnation, Bytes key, int hops)
      implements TxnMessage {}

  /** The owner answers the asker. */
  record LocateReply(long call, RangeId range, Epoch epoch, KeyRange keys, NodeId primary, int hops)
      implements TxnMessage {}
}
