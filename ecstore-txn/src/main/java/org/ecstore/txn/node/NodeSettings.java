package org.ecstore.txn.node;

import java.util.List;
import org.ecstore.core.ledger.RecordParts;
import org.ecstore.key.Bytes;
import org.ecstore.model.NodeTraits;
import org.ecstore.model.NodeTraits.Capacity;
import org.ecstore.replication.copy.CopyBuilder;
import org.ecstore.replication.copy.CopySource;
import org.ecstore.replication.copy.CopyStreams;
import org.ecstore.replication.copy.Pruner;
import org.ecstore.replication.hotspot.HotReplicaSettings;
import org.ecstore.replication.quorum.QuorumCopies;
import org.ecstore.replication.quorum.QuorumReads;
import org.ecstore.txn.balance.RebalanceSettings;
import org.ecstore.txn.changes.ChangeReads;
import org.ecstore.txn.commit.Coordinator;
import org.ecstore.txn.commit.Participant;
import org.ecstore.txn.qos.control.ControlTiming;
import org.ecstore.txn.sequencer.Appender;
import org.ecstore.txn.sequencer.LedgerRetention;
import org.ecstore.txn.sequencer.Sequencer;
import org.ecstore.txn.steward.Steward;

/**
 * What an operator or a test may set of a node. Times in nanoseconds. Nothing here is needed for
 * safety: no rule depends on a clock.
 *
 * @param clusterId the same on all nodes and in their directories
 * @param address where clients reach this node, {@code host:port}; empty if nowhere
 * @param host a label of the machine, which no two copies of a range share; empty for one of its
 *     own
 * @param traits what kind of node it is, for others to know
 * @param tickNanos how often deadlines are looked at
 * @param heartbeatNanos how often the sequencer says D
 * @param persistNanos how often closed positions are made durable and reported
 * @param housekeepNanos how often the sequencer thinks of floors and trimming
 * @param leaseNanos how long a snapshot lasts without renewal
 * @param requestNanos how long a read may wait on this node
 * @param askNanos how long to wait for another node before asking again
 * @param unprovenMax how many positions D may be ahead of what the ledger has said on this node
 * @param coldRouting look keys up link by link, as a node without a map does
 * @param streams what may be kept for secondaries that lag
 * @param transfers what of a copy is sent at a time
 * @param copyShare of its time a node takes rows of a copy in, if it has a processor for itself
 * @param hotReplicas when busy parts of ranges get hot-spot replicas on other nodes
 * @param balance when ranges are split, merged and moved by size and by load
 * @param transactionMax the heaviest transaction that the node takes, which it tells its clients; 0
 *     if that is each within the published limits
 * @param leasesMax snapshots with leases at a time, of one connection an eighth of it
 * @param changes how much is told of changes at once
 * @param control when the controller looks and acts
 */
public record NodeSettings(
    String clusterId,
    String address,
    String host,
    NodeTraits traits,
    long tickNanos,
    long heartbeatNanos,
    long persistNanos,
    long housekeepNanos,
    long leaseNanos,
    long requestNanos,
    long askNanos,
    long unprovenMax,
    boolean coldRouting,
    Participant.Timing participant,
    Coordinator.Bounds coordinator,
    Sequencer.Bounds sequencer,
    Steward.Settings steward,
    CopyStreams.Bounds streams,
    CopySource.Bounds transfers,
    double copyShare,
    HotReplicaSettings hotReplicas,
    RebalanceSettings balance,
    long transactionMax,
    int leasesMax,
    ChangeReads.Bounds changes,
    ControlTiming control) {
  private static final long MILLI = 1_000_000L;
  private static final long SECOND = 1_000 * MILLI;

  /** How long versions are kept unless told otherwise (docs/decisions/0025). */
  public static final long RETENTION_NANOS = 10 * SECOND;

  /** After so many rounds of making positions durable what is as old is folded in any case. */
  private static final int FOLD_AHEAD = 30;

  /** A store that has done nothing for so long is not waited for (docs/decisions/0094). */
  private static final long STORE_STUCK_NANOS = 20 * SECOND;

  /** Half of its time (docs/decisions/0127). */
  private static final double COPY_SHARE = 0.5;

  /** One read of the ledger, by each node, for half as many positions (docs/decisions/0035). */
  public static final long UNPROVEN_MAX = 1 << 16;

  /** Snapshots with leases on one node, whatever its heap. */
  public static final int LEASES_MAX = 1_000_000;

  /** What a node runs with unless told otherwise. */
  public static NodeSettings defaults(String clusterId, String address) {
    return new NodeSettings(
        clusterId,
        address,
        "",
        NodeTraits.UNKNOWN,
        20 * MILLI,
        5 * MILLI,
        1 * SECOND,
        1 * SECOND,
        30 * SECOND,
        5 * SECOND,
        1 * SECOND,
        UNPROVEN_MAX,
        false,
        new Participant.Timing(2 * SECOND, 2 * SECOND, 500 * MILLI, 1_000),
        new Coordinator.Bounds(3 * SECOND, 100 * MILLI, 1_000, 10_000),
        new Sequencer.Bounds(
            new Appender.Bounds(4 << 20, 256 << 20, 2, RecordParts.RECORD_BYTES_MAX),
            200_000,
            Sequencer.OUTCOMES_MAX,
            10_000,
            RETENTION_NANOS,
            1_000),
        new Steward.Settings(
            100 * MILLI, 2 * SECOND, 600 * SECOND, List.of(), 1, 60 * SECOND, 5 * SECOND),
        CopyStreams.Bounds.DEFAULT,
        CopySource.Bounds.DEFAULT,
        COPY_SHARE,
        HotReplicaSettings.DEFAULT,
        RebalanceSettings.DEFAULT,
        0,
        LEASES_MAX,
        ChangeReads.Bounds.DEFAULT,
        ControlTiming.DEFAULT);
  }

  /**
   * For how long a snapshot needs no lease: for half of the time that versions are kept in any
   * case, as it may be a little old when it begins.
   */
  public int keptMillis() {
    return (int) (Math.min(leaseNanos, sequencer.retentionNanos() / 2) / MILLI);
  }

  /**
   * How copies are fetched. A chunk keeps a processor busy as long as it takes: a node that holds
   * itself to a part of one takes as much less of its time for it (decision 0127). One that its
   * kernel holds takes longer for the chunk.
   */
  public CopyBuilder.Timing copyFetches() {
    return new CopyBuilder.Timing(askNanos, copyShare * Math.min(1, heldToByItself()));
  }

  /** What of a copy is sent at a time: less by a node that pays for it by holding clients back. */
  public CopySource.Bounds copyChunks() {
    return transfers.part(heldToByItself());
  }

  private double heldToByItself() {
    return traits
        .capacity()
        .filter(held -> held.keeper() == Capacity.Keeper.NODE)
        .map(held -> held.processors().doubleValue())
        .orElse(1.0);
  }

  /**
   * When versions are folded: for half as long again as is promised, they may be there. Ahead of
   * readers as the sequencer would otherwise come to remember too many outcomes.
   */
  public Pruner.Bounds folds() {
    long aheadNanos = FOLD_AHEAD * persistNanos;
    return new Pruner.Bounds(
        persistNanos,
        Math.min(sequencer.retentionNanos() / 2, aheadNanos),
        aheadNanos,
        Math.max(1, sequencer.outcomesMax() / 8));
  }

  /**
   * At so many looks in a row, one each {@link #persistNanos}, a store that is stuck does nothing.
   */
  public long stuckLooks() {
    return Math.max(2, STORE_STUCK_NANOS / persistNanos);
  }

  /** A copy that lags takes what it misses from its stream, if it comes soon. */
  public QuorumCopies.Timing quorumCopies() {
    return new QuorumCopies.Timing(askNanos, 2 * tickNanos);
  }

  /**
   * Who does not answer a quorum read soon is not waited for; but for the sequencer, through most
   * take-overs.
   */
  public QuorumReads.Timing quorumReads() {
    return new QuorumReads.Timing(
        askNanos, Math.max(tickNanos, askNanos / 8), tickNanos, 2 * askNanos);
  }

  /**
   * With keys that say where an application's data will be, in order and each once.
   *
   * @throws IllegalArgumentException if they are not
   */
  public NodeSettings withSplitHints(List<Bytes> hints) {
    for (int i = 1; i < hints.size(); i++) {
      if (hints.get(i - 1).compareTo(hints.get(i)) >= 0) {
        throw new IllegalArgumentException(
            "split hints must be in order, each once: number " + (i + 1) + " is not");
      }
    }
    Steward.Settings with =
        new Steward.Settings(
            steward.retryNanos(),
            steward.askTimeoutNanos(),
            steward.buildTimeoutNanos(),
            hints,
            steward.copies(),
            steward.longFailureNanos(),
            steward.settledNanos(),
            steward.relaxed());
    return with(with);
  }

  /** With so many copies of each range, where there are as many nodes. */
  public NodeSettings withCopies(int copies) {
    return with(
        new Steward.Settings(
            steward.retryNanos(),
            steward.askTimeoutNanos(),
            steward.buildTimeoutNanos(),
            steward.splitHints(),
            copies,
            steward.longFailureNanos(),
            steward.settledNanos(),
            steward.relaxed()));
  }

  /**
   * With bounds for copies.
   *
   * @param longFailureNanos after which copies of a node that is gone are made anew
   * @param settledNanos for which a node must be back before ranges go back to it
   */
  public NodeSettings withTimeout(long longFailureNanos, long settledNanos) {
    return with(
        new Steward.Settings(
            steward.retryNanos(),
            steward.askTimeoutNanos(),
            steward.buildTimeoutNanos(),
            steward.splitHints(),
            steward.copies(),
            longFailureNanos,
            settledNanos,
            steward.relaxed()));
  }

  /** Where a cluster may lack what copies need of engines, or not. */
  public NodeSettings withRelaxedPlacement(boolean relaxed) {
    return with(
        new Steward.Settings(
            steward.retryNanos(),
            steward.askTimeoutNanos(),
            steward.buildTimeoutNanos(),
            steward.splitHints(),
            steward.copies(),
            steward.longFailureNanos(),
            steward.settledNanos(),
            relaxed));
  }

  /** With searches from link to link, or by the map. */
  public NodeSettings withColdRouting(boolean cold) {
    return with(host, cold, sequencer, steward, hotReplicas, balance);
  }

  /** On a machine of this label. */
  public NodeSettings withHost(String label) {
    return with(label, coldRouting, sequencer, steward, hotReplicas, balance);
  }

  /** With other hot-spot replicas, or none. */
  public NodeSettings withHotReplicas(HotReplicaSettings other) {
    return with(host, coldRouting, sequencer, steward, other, balance);
  }

  /** With another balance. */
  public NodeSettings withBalance(RebalanceSettings other) {
    return with(host, coldRouting, sequencer, steward, hotReplicas, other);
  }

  /** With versions kept so long, whether or not a lease asks for it. */
  public NodeSettings withRetention(long retentionNanos) {
    Sequencer.Bounds bounds =
        new Sequencer.Bounds(
            sequencer.appender(),
            sequencer.outcomesKept(),
            sequencer.outcomesMax(),
            sequencer.checkpointRecords(),
            retentionNanos,
            sequencer.floorStep(),
            sequencer.forReaders());
    return with(host, coldRouting, bounds, steward, hotReplicas, balance);
  }

  /** With changes told in other steps. */
  public NodeSettings withChanges(ChangeReads.Bounds other) {
    return new NodeSettings(
        clusterId,
        address,
        host,
        traits,
        tickNanos,
        heartbeatNanos,
        persistNanos,
        housekeepNanos,
        leaseNanos,
        requestNanos,
        askNanos,
        unprovenMax,
        coldRouting,
        participant,
        coordinator,
        sequencer,
        steward,
        streams,
        transfers,
        copyShare,
        hotReplicas,
        balance,
        transactionMax,
        leasesMax,
        other,
        control);
  }

  /** With a controller that looks and acts at other times. */
  public NodeSettings withControl(ControlTiming other) {
    return new NodeSettings(
        clusterId,
        address,
        host,
        traits,
        tickNanos,
        heartbeatNanos,
        persistNanos,
        housekeepNanos,
        leaseNanos,
        requestNanos,
        askNanos,
        unprovenMax,
        coldRouting,
        participant,
        coordinator,
        sequencer,
        steward,
        streams,
        transfers,
        copyShare,
        hotReplicas,
        balance,
        transactionMax,
        leasesMax,
        changes,
        other);
  }

  /** With so much of the ledger kept for readers of changes. */
  public NodeSettings withLedgerKept(LedgerRetention.Bounds forReaders) {
    Sequencer.Bounds bounds =
        new Sequencer.Bounds(
            sequencer.appender(),
            sequencer.outcomesKept(),
            sequencer.outcomesMax(),
            sequencer.checkpointRecords(),
            sequencer.retentionNanos(),
            sequencer.floorStep(),
            forReaders);
    return with(host, coldRouting, bounds, steward, hotReplicas, balance);
  }

  /** As a node of another kind. */
  public NodeSettings withTraits(NodeTraits other) {
    return new NodeSettings(
        clusterId,
        address,
        host,
        other,
        tickNanos,
        heartbeatNanos,
        persistNanos,
        housekeepNanos,
        leaseNanos,
        requestNanos,
        askNanos,
        unprovenMax,
        coldRouting,
        participant,
        coordinator,
        sequencer,
        steward,
        streams,
        transfers,
        copyShare,
        hotReplicas,
        balance,
        transactionMax,
        leasesMax,
        changes,
        control);
  }

  /** With bounds that a node's heap can keep. */
  public NodeSettings withMemory(NodeMemory memory) {
    Appender.Bounds appender =
        new Appender.Bounds(
            sequencer.appender().entryBytesMax(),
            (int) Math.min(sequencer.appender().pendingBytesMax(), memory.recordsMax()),
            sequencer.appender().inFlightMax(),
            sequencer.appender().recordBytesMax());
    return new NodeSettings(
        clusterId,
        address,
        host,
        traits,
        tickNanos,
        heartbeatNanos,
        persistNanos,
        housekeepNanos,
        leaseNanos,
        requestNanos,
        askNanos,
        unprovenMax,
        coldRouting,
        participant.withIntentBytes(memory.intentHoldersMax()),
        coordinator,
        new Sequencer.Bounds(
            appender,
            Math.min(sequencer.outcomesKept(), memory.outcomesMax()),
            Math.min(sequencer.outcomesMax(), memory.outcomesMax()),
            sequencer.checkpointRecords(),
            sequencer.retentionNanos(),
            sequencer.floorStep(),
            sequencer.forReaders()),
        steward,
        new CopyStreams.Bounds(
            streams.updateBytesMax(),
            Math.min(streams.keptBytesMax(), memory.streamsMax()),
            Math.min(streams.keptTogetherBytesMax(), memory.streamsMax())),
        transfers,
        copyShare,
        hotReplicas,
        balance,
        memory.transactionMax(),
        Math.min(leasesMax, memory.leasesMax()),
        changes,
        control);
  }

  private NodeSettings with(Steward.Settings with) {
    return with(host, coldRouting, sequencer, with, hotReplicas, balance);
  }

  private NodeSettings with(
      String label,
      boolean cold,
      Sequencer.Bounds sequencerThen,
      Steward.Settings stewardThen,
      HotReplicaSettings hotReplicasThen,
      RebalanceSettings balanceThen) {
    return new NodeSettings(
        clusterId,
        address,
        label,
        traits,
        tickNanos,
        heartbeatNanos,
        persistNanos,
        housekeepNanos,
        leaseNanos,
        requestNanos,
        askNanos,
        unprovenMax,
        cold,
        participant,
        coordinator,
        sequencerThen,
        stewardThen,
        streams,
        transfers,
        copyShare,
        hotReplicasThen,
        balanceThen,
        transactionMax,
        leasesMax,
        changes,
        control);
  }
}
