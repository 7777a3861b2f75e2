package org.ecstore.protocol;

import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.ecstore.id.Epoch;
import org.ecstore.id.NodeId;
import org.ecstore.id.Position;
import org.ecstore.id.RangeId;
import org.ecstore.id.ReadPoint;
import org.ecstore.key.Bytes;
import org.ecstore.key.KeyRange;
import org.ecstore.model.AbortReason;
import org.ecstore.model.ChangeMark;
import org.ecstore.model.CopyState;
import org.ecstore.model.KeyWrite;
import org.ecstore.model.NodeFact;
import org.ecstore.model.NodeRole;
import org.ecstore.model.NodeTraits;
import org.ecstore.model.ReadSource;
import org.ecstore.model.RefusalCode;
import org.ecstore.model.Route;
import org.ecstore.model.Row;
import org.ecstore.model.control.ControlAction;
import org.ecstore.model.control.ControlSettings;
import org.ecstore.model.control.NodeLoad;
import org.ecstore.model.control.NodeSlot;
import org.ecstore.model.control.ServiceLimit;
import org.ecstore.model.objective.Objective;
import org.ecstore.model.objective.ServiceFigures;

/** What a node answers. */
public sealed interface ClientReply {
  /**
   * To {@link ClientRequest.Hello}.
   *
   * @param protocolVersion the highest that both sides speak
   * @param transactionMax the heaviest transaction that the node takes, in bytes and {@link
   *     org.ecstore.wire.Limits#ITEM_HEAP_BYTES} for each item; 0 if it takes all within the
   *     published limits
   * @param readRank whose copies to ask first, of nodes about as near: those with the least; 0 if
   *     no engine reads better, or the node says nothing of it (rule 23)
   */
  record Welcome(
      int protocolVersion, String clusterId, NodeId node, long transactionMax, int readRank)
      implements ClientReply {
    /**
     * Of a node that takes every transaction within the published limits, and than whose engine
     * none reads better.
     */
    public Welcome(int protocolVersion, String clusterId, NodeId node) {
      this(protocolVersion, clusterId, node, 0, 0);
    }
  }

  /** To {@link ClientRequest.Locate}; {@code hops} counts the nodes asked beyond the first. */
  record Located(Route route, int hops) implements ClientReply {}

  /**
   * To Begin, BeginAt and RenewSnapshot: read at the point until the lease ends.
   *
   * @param lease its number; 0 for none, and then its versions are kept for about as long anyhow
   */
  record Begun(ReadPoint point, long lease, int leaseMillis) implements ClientReply {}

  /**
   * To {@link ClientRequest.BeginWith}: the snapshot, and what was read at it. A node that cannot
   * answer the read begins none, and answers as to the read alone.
   */
  record BegunWith(Begun begun, Answered answer) implements ClientReply {}

  /** The answer to a read that could be done. */
  sealed interface Answered extends ClientReply {
    /** The copy that answered. */
    ReadSource source();
  }

  /**
   * To {@link ClientRequest.Get}, one element a key, in the order asked: of all keys, or of the
   * first ones as far as they fit into {@link org.ecstore.wire.Limits#GET_BYTES_MAX}, one at least.
   */
  record Values(List<Optional<Row>> rows, ReadSource source) implements Answered {}

  /**
   * To {@link ClientRequest.Scan}: the rows in scan order and the part of the interval that they
   * are all of. If {@code covered} is less than was asked, the scan goes on from where it ends.
   *
   * @param splitPoints keys of the range, in order, that divide its data into about equal parts, to
   *     cut what is left at; none if there is little left, or it is not known
   * @param aggregated whether rows are of what was found of records, as the request asked: see
   *     {@link org.ecstore.aggregate.Folding.Page}. Else they are records, asked or not
   */
  record Scanned(
      List<Row> rows,
      KeyRange covered,
      ReadSource source,
      List<Bytes> splitPoints,
      boolean aggregated)
      implements Answered {
    /** One of records. */
    public Scanned(List<Row> rows, KeyRange covered, ReadSource source, List<Bytes> splitPoints) {
      this(rows, covered, source, splitPoints, false);
    }

    /** One without split points. */
    public Scanned(List<Row> rows, KeyRange covered, ReadSource source) {
      this(rows, covered, source, List.of());
    }
  }

  /**
   * To Get and Scan: the copy cannot know yet what it would answer at that position (rule 10). The
   * primary can.
   */
  record Behind(ReadSource source) implements ClientReply {}

  /**
   * To Get and Scan that may be redirected: the copy is busy, and this node has a hot-spot replica
   * of these keys of it, under the same range and epoch (rule 26). Good for other requests as well.
   */
  record Redirect(NodeId node, String address, KeyRange keys) implements ClientReply {}

  /** What the proof of the next request must be about. */
  record Challenge(Bytes random) implements ClientReply {}

  /** Committed and durable. */
  record Committed(Position number, ReadPoint point) implements ClientReply {}

  /** Not committed, and never will be. */
  record Aborted(AbortReason reason, ReadPoint point) implements ClientReply {}

  /**
   * To {@link ClientRequest.QuorumGet}.
   *
   * @param row absent if there was none
   * @param at the key is this as of this position, on the copy that knew most
   * @param known the position that the coordinating node knew to be durable
   * @param copies those that answered
   * @param writtenBack whether copies were brought up to this version before it was returned
   * @param mayBeStale whether W + R was too small to meet every write, or no sequencer confirmed
   *     that these are the key's copies
   */
  record QuorumValue(
      Optional<Row> row,
      Position at,
      Position known,
      List<AnsweringCopy> copies,
      boolean writtenBack,
      boolean mayBeStale)
      implements ClientReply {}

  /** A copy that took part in a quorum read, and how far it was closed. */
  record AnsweringCopy(NodeId node, Position closed) {}

  /**
   * To {@link ClientRequest.QuorumWait}: so many copies are known to have the commit; fewer than W
   * if it is under-replicated as yet. It is committed and durable in any case.
   */
  record QuorumReached(int copies) implements ClientReply {}

  /**
   * To {@link ClientRequest.ReadChanges}: the commits that wrote to the intervals, in order.
   *
   * @param mark how far the reader has come with them: within the last commit, if that did not fit
   *     as a whole
   * @param current whether these are all of those that had been acknowledged when the request came;
   *     otherwise there may be more, and the reader asks again
   */
  record ChangesRead(List<CommitChanges> commits, ChangeMark mark, boolean current)
      implements ClientReply {}

  /**
   * What a commit, or a part of it, wrote to the intervals, in the order of keys.
   *
   * @param number of the commit
   */
  record CommitChanges(Position number, List<KeyWrite> writes) {}

  /**
   * To {@link ClientRequest.ReadChanges}: what is above the mark cannot be told any more, or the
   * mark is above all that there is.
   *
   * @param first from which position on there is something: no mark, it may lie amid a record
   * @param last the position of the last record
   */
  record ChangesLost(Position first, Position last) implements ClientReply {}

  /** The outcome is not known: ask again, or elsewhere, with {@link ClientRequest.AskOutcome}. */
  record OutcomeUnknown(String detail) implements ClientReply {}

  /** The snapshot is below the outcome floor: the outcome is no longer known (rule 7). */
  record OutcomeExpired(Position floor) implements ClientReply {}

  /** The range is not (or no longer) served here under that epoch: what the node knows instead. */
  record WrongRange(List<Route> routes) implements ClientReply {}

  /**
   * Refused: nothing was done.
   *
   * @param againMillis when it is worth another try, as far as the node can tell; 0 if it cannot
   */
  record Refused(RefusalCode code, String detail, int againMillis) implements ClientReply {
    /** One that does not say when to come back. */
    public Refused(RefusalCode code, String detail) {
      this(code, detail, 0);
    }
  }

  /**
   * To {@link ClientRequest.Status}.
   *
   * @param holders of the ranges, in any order; of some or all may be missing
   * @param traits of the nodes, in any order; of some or all may be missing
   */
  record StatusReport(
      ReadPoint point,
      List<NodeLine> nodes,
      List<Route> ranges,
      List<Holders> holders,
      List<TraitsLine> traits)
      implements ClientReply {
    /** One that says of primaries only. */
    public StatusReport(ReadPoint point, List<NodeLine> nodes, List<Route> ranges) {
      this(point, nodes, ranges, List.of());
    }

    /** One that does not say what kind of nodes there are. */
    public StatusReport(
        ReadPoint point, List<NodeLine> nodes, List<Route> ranges, List<Holders> holders) {
      this(point, nodes, ranges, holders, List.of());
    }
  }

  /**
   * What kind of node a node is.
   *
   * @param host the label that it shares with nodes that fail together with it
   */
  record TraitsLine(NodeId node, String host, NodeTraits traits) {}

  /**
   * Who has a range by the map, beside its primary.
   *
   * @param home the node that it belongs to, if that is known: the primary, unless another serves
   *     it
   */
  record Holders(RangeId range, Optional<NodeId> home, List<NodeId> secondaries) {}

  /**
   * To {@link ClientRequest.Inspect}.
   *
   * @param waitsFor what it lacks before it serves; empty if it serves
   * @param roles what it does beside holding copies
   * @param facts what operators should know beside
   * @param leader who is said to lead
   * @param rooms on the disks that its process writes to
   */
  record Inspected(
      NodeId node,
      long incarnation,
      String waitsFor,
      List<NodeRole> roles,
      List<NodeFact> facts,
      Optional<NodeId> leader,
      ReadPoint point,
      List<CopyLine> copies,
      HotReplicasSeen hotReplicas,
      List<DiskRoom> rooms)
      implements ClientReply {}

  /**
   * The room on a disk, as its file system tells it.
   *
   * @param of what writes there, in a word: "engine", "bookie"
   * @param bytesFree that may still be written
   * @param bytes that it has in all
   */
  record DiskRoom(String of, long bytesFree, long bytes) {}

  /**
   * The hot-spot replicas that a node holds for copies of others, and those that its own copies
   * feed.
   *
   * @param held how many it holds
   * @param bytes of memory that they take
   * @param milliReads reads per 1000 seconds that they answer, lately
   * @param fed the copies that feed any
   */
  record HotReplicasSeen(int held, long bytes, long milliReads, List<HotReplicasFed> fed) {
    /** Neither. */
    public static final HotReplicasSeen NONE = new HotReplicasSeen(0, 0, 0, List.of());
  }

  /** How many hot-spot replicas on other nodes a copy feeds that are filled and may answer. */
  record HotReplicasFed(RangeId range, int hotReplicas) {}

  /**
   * To {@link ClientRequest.Explain}: a copy of its own, or the link to follow.
   *
   * @param copy of the key, if the node is its primary
   * @param next the node to ask then; absent if there is a copy, or the node has no place yet
   * @param inMap what its map says, if it has one
   */
  record Explained(
      NodeId node,
      ReadPoint point,
      Optional<CopyLine> copy,
      Optional<NodeLine> next,
      Optional<Route> inMap)
      implements ClientReply {}

  /** To Administer and AskDecisions: what the steward on a node has decided, the newest last. */
  record Decided(NodeId steward, List<DecisionLine> decisions) implements ClientReply {}

  /**
   * To ExplainBalance: what each node of the tree has, in key order, and what would be done about
   * it as things are.
   *
   * @param automatic whether the steward does it by itself
   */
  record Balance(
      NodeId steward, boolean automatic, List<BalanceShare> nodes, List<BalanceStep> steps)
      implements ClientReply {
    public Balance {
      nodes = List.copyOf(nodes);
      steps = List.copyOf(steps);
    }
  }

  /**
   * What a node has.
   *
   * @param ranges that belong to it in the tree
   * @param bytes that these hold; absent while that is not known of all
   * @param readsPerSecond at its copies of whatever ranges
   * @param updatesPerSecond of the ranges that it serves
   */
  record BalanceShare(
      NodeId node, long ranges, Optional<Long> bytes, long readsPerSecond, long updatesPerSecond) {}

  /** Something that would be done, and why, with figures. */
  record BalanceStep(String what, String why) {}

  /**
   * To AskObjectives: those that stand, by name, and the last changes, the newest last.
   *
   * @param quotas what applications with quotas hold, by name
   * @param nodes what nodes had to do of late, as far as the steward knows
   */
  record Objectives(
      NodeId steward,
      List<ObjectiveLine> objectives,
      List<ObjectiveChangeLine> changes,
      List<QuotaLine> quotas,
      List<NodeHistoryLine> nodes)
      implements ClientReply {
    public Objectives {
      objectives = List.copyOf(objectives);
      changes = List.copyOf(changes);
      quotas = List.copyOf(quotas);
      nodes = List.copyOf(nodes);
    }

    /** Of nodes that have said nothing. */
    public Objectives(
        NodeId steward,
        List<ObjectiveLine> objectives,
        List<ObjectiveChangeLine> changes,
        List<QuotaLine> quotas) {
      this(steward, objectives, changes, quotas, List.of());
    }

    /** Of applications without quotas. */
    public Objectives(
        NodeId steward, List<ObjectiveLine> objectives, List<ObjectiveChangeLine> changes) {
      this(steward, objectives, changes, List.of());
    }

    /** The same with what applications hold, and what nodes had to do. */
    public Objectives with(List<QuotaLine> held, List<NodeHistoryLine> had) {
      return new Objectives(steward, objectives, changes, held, had);
    }

    /** What an application holds, if it has a quota. */
    public Optional<QuotaLine> quota(String application) {
      return quotas.stream().filter(line -> line.application().equals(application)).findFirst();
    }
  }

  /**
   * What an application with a quota holds.
   *
   * @param heldBytes when the primaries of all its ranges had last said it; absent while that has
   *     not been so under this steward
   * @param isRefused whether nodes refuse what adds to it
   */
  record QuotaLine(String application, Optional<Long> heldBytes, boolean isRefused) {}

  /**
   * An objective that stands.
   *
   * @param sinceMillis when it was asked for, in milliseconds since 1970 by the clock of who asked
   * @param recent what its operations took lately, if clients have told of any
   * @param slots the same of half a minute each, the latest last, as far as the steward knows
   */
  record ObjectiveLine(
      Objective objective,
      long sinceMillis,
      Optional<ServiceFigures> recent,
      List<ServiceFigures> slots) {
    public ObjectiveLine {
      slots = List.copyOf(slots);
    }
  }

  /**
   * A change of the objectives.
   *
   * @param number counts them
   * @param removed whether the application has none any more: this one was its last
   */
  record ObjectiveChangeLine(long number, long atMillis, boolean removed, Objective objective) {}

  /**
   * To AskControl: what the controller may do, has done and looks at.
   *
   * @param provisioner what can start and stop nodes for it, and what is wrong with that; empty if
   *     there is nothing
   * @param checks what the last checks found of each application, and how many there were
   * @param limits that stand
   * @param actions the last ones, the newest last
   * @param patience for how many windows something must be able to go until it is taken back; 0 if
   *     the node does not say, as one of an earlier release
   * @param hotThreshold from how many reads a second of a copy on nodes make hot-spot replicas, as
   *     the controller has lowered it; 0 if that is as they are configured; empty if the node does
   *     not say, as one of an earlier release
   */
  record Control(
      NodeId steward,
      ControlSettings settings,
      String provisioner,
      List<NodeLoadLine> nodes,
      List<ControlCheckLine> checks,
      List<ServiceLimit> limits,
      List<ControlAction> actions,
      int patience,
      OptionalLong hotThreshold)
      implements ClientReply {
    public Control {
      nodes = List.copyOf(nodes);
      checks = List.copyOf(checks);
      limits = List.copyOf(limits);
      actions = List.copyOf(actions);
    }

    /** Of a node that says neither how patient it is nor what the threshold is. */
    public Control(
        NodeId steward,
        ControlSettings settings,
        String provisioner,
        List<NodeLoadLine> nodes,
        List<ControlCheckLine> checks,
        List<ServiceLimit> limits,
        List<ControlAction> actions) {
      this(steward, settings, provisioner, nodes, checks, limits, actions, 0, OptionalLong.empty());
    }

    /** The same, so patient, and with such a threshold of hot-spot replicas. */
    public Control with(int windows, OptionalLong threshold) {
      return new Control(
          steward, settings, provisioner, nodes, checks, limits, actions, windows, threshold);
    }
  }

  /** What a node has to do. */
  record NodeLoadLine(NodeId node, NodeLoad load) {}

  /** What a node had to do of late, the latest slot last. */
  record NodeHistoryLine(NodeId node, List<NodeSlot> slots) {
    public NodeHistoryLine {
      slots = List.copyOf(slots);
    }
  }

  /**
   * What the last checks found of an application's objective.
   *
   * @param checks of the present window
   * @param needed until one may be acted upon
   * @param violated of the checks
   */
  record ControlCheckLine(String application, int checks, int needed, int violated) {}

  /**
   * To AskTables: the tables that are kept, by name, and which one each application with an
   * objective goes by.
   */
  record Tables(NodeId steward, List<TableLine> tables, List<TableUseLine> uses)
      implements ClientReply {
    public Tables {
      tables = List.copyOf(tables);
      uses = List.copyOf(uses);
    }
  }

  /**
   * A kept table.
   *
   * @param sinceMillis when it was asked for, in milliseconds since 1970
   * @param measured on what it was measured, in words
   * @param cells of what numbers of clients and nodes it is, in words
   * @param stale why it is not consulted, as the nodes are others; empty while it is
   */
  record TableLine(String name, long sinceMillis, String measured, String cells, String stale) {}

  /**
   * To AskWholeTable.
   *
   * @param text of ecStore's own form; absent if no table of that name is kept
   */
  record WholeTable(Optional<String> text) implements ClientReply {}

  /**
   * By what an application's response time is predicted.
   *
   * @param table its name; absent where it is the formula of a queue
   * @param why no table is
   */
  record TableUseLine(String application, Optional<String> table, String why) {}

  /**
   * One decision of the steward.
   *
   * @param number counts what this steward decides
   * @param agoMillis how long ago it was taken; absent if by an earlier steward
   * @param map the version of the map that came of it; 0 if none has
   * @param cause on whose request, in a word: operator, size, load, failure, membership, placement
   * @param why with the figures that led to it
   * @param outcome "under way", "done", "refused" or "put off"
   * @param detail of the outcome
   */
  record DecisionLine(
      long number,
      Optional<Long> agoMillis,
      long map,
      String cause,
      List<RangeId> ranges,
      String what,
      String why,
      String outcome,
      String detail) {
    /** Whether nothing more comes of it. */
    public boolean isOver() {
      return !outcome.equals(UNDER_WAY);
    }

    public boolean isDone() {
      return outcome.equals(DONE);
    }

    /** Whether the steward gave it up, and it may be requested again. */
    public boolean isPutOff() {
      return outcome.equals(PUT_OFF);
    }

    /** What was decided, what has come of it, and the detail of that if there is one. */
    public String words() {
      return what + ", " + outcome + (detail.isEmpty() ? "" : ": " + detail);
    }

    public static final String UNDER_WAY = "under way";
    public static final String DONE = "done";
    public static final String PUT_OFF = "put off";
  }

  /**
   * One copy of a range.
   *
   * @param state where it is in its life
   * @param base the lowest position that it answers at
   * @param closed it can read every commit at or below it, and none will be added
   * @param durable the same, on its disk
   */
  record CopyLine(
      RangeId range,
      Epoch epoch,
      KeyRange keys,
      CopyState state,
      Position base,
      Position closed,
      Position durable) {}

  /** One node in a status report. */
  record NodeLine(NodeId node, String address, List<NodeRole> roles) {}
}
