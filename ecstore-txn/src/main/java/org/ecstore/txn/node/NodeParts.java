package org.ecstore.txn.node;

import java.util.List;
import java.util.function.Supplier;
import org.ecstore.core.port.Coordination.Member;
import org.ecstore.core.port.Provisioner;
import org.ecstore.core.runtime.NodeContext;
import org.ecstore.id.NodeId;
import org.ecstore.model.NodeFact;
import org.ecstore.model.NodeRole;
import org.ecstore.protocol.ClientReply;
import org.ecstore.replication.copy.CopyBuilder;
import org.ecstore.replication.copy.CopyFollower;
import org.ecstore.replication.copy.CopyPersistence;
import org.ecstore.replication.copy.CopySource;
import org.ecstore.replication.copy.CopyStreams;
import org.ecstore.replication.copy.CopyTable;
import org.ecstore.replication.copy.EngineWriter;
import org.ecstore.replication.copy.Pruner;
import org.ecstore.replication.copy.SplitPoints;
import org.ecstore.replication.copy.WriteHolds;
import org.ecstore.replication.hotspot.HotReplicaHost;
import org.ecstore.replication.hotspot.HotReplicaStreams;
import org.ecstore.replication.hotspot.HotReplicas;
import org.ecstore.replication.quorum.QuorumCopies;
import org.ecstore.replication.quorum.QuorumReads;
import org.ecstore.replication.read.SnapshotReads;
import org.ecstore.replication.view.LedgerView;
import org.ecstore.txn.changes.ChangeReads;
import org.ecstore.txn.commit.Coordinator;
import org.ecstore.txn.commit.Participant;
import org.ecstore.txn.limit.NodeUse;
import org.ecstore.txn.limit.QuotaLimits;
import org.ecstore.txn.qos.ServiceLevels;
import org.ecstore.txn.sequencer.LeaderWatch;
import org.ecstore.txn.sequencer.Sequencer;
import org.ecstore.txn.sequencer.SequencerLink;
import org.ecstore.txn.steward.Steward;

/** Makes the components of a node. Tests that plant a bug override one. */
public class NodeParts {
  /** What its process hosts beside the node and does not lack. Must not block. */
  public List<NodeRole> hosted() {
    return List.of();
  }

  /** What operators should know of what its process hosts. Must not block. */
  public List<NodeFact> facts() {
    return List.of();
  }

  /** The room on the disks that its process writes to. Must not block. */
  public List<ClientReply.DiskRoom> rooms() {
    return List.of();
  }

  /** How much of its capacity its process uses, and how long requests wait. Must not block. */
  public NodeUse use() {
    return NodeUse.UNKNOWN;
  }

  /** What can start and stop processes of nodes. */
  public Provisioner provisioner() {
    return Provisioner.NONE;
  }

  /** Which applications hold all that they may. */
  public QuotaLimits quotaLimits() {
    return new QuotaLimits();
  }

  public LedgerView ledgerView(NodeContext context, NodeSettings settings) {
    return new LedgerView(context, settings.askNanos(), settings.unprovenMax());
  }

  public EngineWriter writer(NodeContext context) {
    return new EngineWriter(context);
  }

  public CopyTable copies(
      NodeContext context,
      LedgerView ledgerView,
      EngineWriter writer,
      WriteHolds holds,
      CopyTable.Listener listener) {
    return new CopyTable(context, ledgerView, writer, holds, listener);
  }

  public SnapshotReads reads(
      NodeContext context, LedgerView ledgerView, CopyTable copies, WriteHolds holds) {
    return new SnapshotReads(context, ledgerView, copies, holds);
  }

  public CopySource source(NodeContext context, CopyTable copies, NodeSettings settings) {
    return new CopySource(context, copies, settings.leaseNanos(), settings.copyChunks());
  }

  public CopyBuilder builder(
      NodeContext context, CopyTable copies, EngineWriter writer, NodeSettings settings) {
    return new CopyBuilder(context, copies, writer, settings.copyFetches());
  }

  public SnapshotBegins begins(
      NodeContext context,
      LedgerView ledgerView,
      CopyTable copies,
      SequencerLink sequencer,
      ReadBarrier positions,
      NodeSettings settings) {
    return new SnapshotBegins(
        context, ledgerView, copies, sequencer, positions, settings.tickNanos());
  }

  public CopyStreams streams(
      NodeContext context, LedgerView ledgerView, CopyTable copies, NodeSettings settings) {
    return new CopyStreams(context, ledgerView, copies, settings.askNanos(), settings.streams());
  }

  public CopyPersistence persistence(
      NodeContext context, CopyTable copies, EngineWriter writer, NodeSettings settings) {
    return new CopyPersistence(context, copies, writer, settings.stuckLooks());
  }

  public Pruner pruner(
      NodeContext context,
      CopyTable copies,
      CopyPersistence persistence,
      EngineWriter writer,
      NodeSettings settings) {
    return new Pruner(context, copies, persistence, settings.folds());
  }

  public CopyFollower follower(
      NodeContext context, CopyTable copies, EngineWriter writer, NodeSettings settings) {
    return new CopyFollower(context, copies, writer, settings.streams().keptTogetherBytesMax());
  }

  public QuorumCopies quorumCopies(
      NodeContext context,
      LedgerView ledgerView,
      CopyTable copies,
      CopyStreams streams,
      NodeSettings settings) {
    return new QuorumCopies(context, ledgerView, copies, streams, settings.quorumCopies());
  }

  public QuorumReads quorumReads(
      NodeContext context, LedgerView ledgerView, NodeSettings settings) {
    return new QuorumReads(context, ledgerView, settings.quorumReads());
  }

  public ChangeReads changes(
      NodeContext context,
      LedgerView ledgerView,
      ChangeReads.Confirmation confirmation,
      NodeSettings settings) {
    return new ChangeReads(context, ledgerView, confirmation, settings.changes());
  }

  public HotReplicaHost hotReplicaHost(
      NodeContext context, LedgerView ledgerView, NodeSettings settings) {
    return new HotReplicaHost(context, ledgerView, settings.hotReplicas(), settings.askNanos());
  }

  public HotReplicaStreams hotReplicaStreams(
      NodeContext context, CopyTable copies, NodeSettings settings) {
    return new HotReplicaStreams(context, copies, settings.hotReplicas(), settings.askNanos());
  }

  /** The hot-spot replicas, of the two parts above. */
  public final HotReplicas hotReplicas(
      NodeContext context,
      LedgerView ledgerView,
      CopyTable copies,
      SplitPoints splitPoints,
      NodeSettings settings,
      Supplier<List<NodeId>> nodes) {
    return new HotReplicas(
        context,
        ledgerView,
        copies,
        hotReplicaHost(context, ledgerView, settings),
        hotReplicaStreams(context, copies, settings),
        splitPoints,
        settings.hotReplicas(),
        nodes);
  }

  public Participant participant(
      NodeContext context,
      LedgerView ledgerView,
      EngineWriter writer,
      SequencerLink sequencer,
      NodeSettings settings) {
    return new Participant(context, ledgerView, writer, sequencer, settings.participant());
  }

  public Coordinator coordinator(
      NodeContext context, LedgerView ledgerView, SequencerLink sequencer, NodeSettings settings) {
    return new Coordinator(context, ledgerView, sequencer, settings.coordinator());
  }

  public Sequencer sequencer(
      NodeContext context,
      LedgerView ledgerView,
      NodeSettings settings,
      Supplier<List<Member>> members,
      Runnable activated) {
    return new Sequencer(context, ledgerView, settings.sequencer(), members, activated);
  }

  public LeaderWatch leaderWatch(NodeContext context) {
    return new LeaderWatch(context);
  }

  public Steward steward(
      NodeContext context,
      Sequencer sequencer,
      Supplier<List<Member>> members,
      NodeSettings settings) {
    return new Steward(
        context,
        sequencer,
        members,
        settings.steward(),
        settings.balance(),
        with -> serviceLevels(with, settings));
  }

  /** What keeps service levels beside the steward, of what that lends it. */
  public ServiceLevels serviceLevels(ServiceLevels.Surroundings with, NodeSettings settings) {
    return new ServiceLevels(with, settings.control().with(settings.hotReplicas()), provisioner());
  }

  public Departure departure(
      NodeContext context,
      LedgerView ledgerView,
      CopyTable copies,
      CopyBuilder builder,
      Coordinator coordinator,
      Supplier<List<Member>> members) {
    return new Departure(context, ledgerView, copies, builder, coordinator, members);
  }
}
