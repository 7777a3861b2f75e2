package org.ecstore.txn.node;

import java.util.List;
import java.util.function.Supplier;
import org.ecstore.core.port.Coordination.Member;
import org.ecstore.core.runtime.NodeContext;
import org.ecstore.id.NodeId;
import org.ecstore.protocol.ClientReply;
import org.ecstore.replication.copy.CopyBuilder;
import org.ecstore.replication.copy.CopyFollower;
import org.ecstore.replication.copy.CopySource;
import org.ecstore.replication.copy.CopyStreams;
import org.ecstore.replication.copy.CopyTable;
import org.ecstore.replication.copy.EngineWriter;
import org.ecstore.replication.copy.Pruner;
import org.ecstore.replication.copy.SplitPoints;
import org.ecstore.replication.copy.WriteHolds;
import org.ecstore.replication.hotspot.SlaveHost;
import org.ecstore.replication.hotspot.SlaveStreams;
import org.ecstore.replication.hotspot.Slaves;
import org.ecstore.replication.quorum.QuorumCopies;
import org.ecstore.replication.quorum.QuorumReads;
import org.ecstore.replication.read.SnapshotReads;
import org.ecstore.replication.view.LedgerView;
import org.ecstore.txn.commit.Coordinator;
import org.ecstore.txn.commit.Participant;
import org.ecstore.txn.sequencer.LeaderWatch;
import org.ecstore.txn.sequencer.Sequencer;
import org.ecstore.txn.sequencer.SequencerLink;
import org.ecstore.txn.steward.Steward;

/** Makes the components of a node. Tests that plant a bug override one. */
public class NodeParts {
  /** What its process hosts beside the node, in words for people. Must not block. */
  public List<String> hosted() {
    return List.of();
  }

  /** The room on the disks that its process writes to. Must not block. */
  public List<ClientReply.DiskRoom> rooms() {
    return List.of();
  }

  public LedgerView knowledge(NodeContext lane, NodeSettings settings) {
    return new LedgerView(lane, settings.askNanos(), settings.unprovenMax());
  }

  public CopyTable copies(
      NodeContext lane,
      LedgerView knowledge,
      EngineWriter writer,
      WriteHolds holds,
      CopyTable.Listener listener) {
    return new CopyTable(lane, knowledge, writer, holds, listener);
  }

  public SnapshotReads reads(
      NodeContext lane, LedgerView knowledge, CopyTable copies, WriteHolds holds) {
    return new SnapshotReads(lane, knowledge, copies, holds);
  }

  public CopySource source(NodeContext lane, CopyTable copies, NodeSettings settings) {
    return new CopySource(lane, copies, settings.leaseNanos(), settings.transfers());
  }

  public SnapshotBegins starts(
      NodeContext lane,
      LedgerView knowledge,
      CopyTable copies,
      SequencerLink sequencer,
      ReadBarrier positions,
      NodeSettings settings) {
    return new SnapshotBegins(lane, knowledge, copies, sequencer, positions, settings.tickNanos());
  }

  public CopyStreams streams(
      NodeContext lane, LedgerView knowledge, CopyTable copies, NodeSettings settings) {
    return new CopyStreams(lane, knowledge, copies, settings.askNanos(), settings.streams());
  }

  public Pruner pruner(
      NodeContext lane, CopyTable copies, EngineWriter writer, NodeSettings settings) {
    return new Pruner(lane, copies, writer, settings.pruneNanos());
  }

  public CopyFollower follower(
      NodeContext lane, CopyTable copies, EngineWriter writer, NodeSettings settings) {
    return new CopyFollower(lane, copies, writer, settings.streams().keptTogetherBytesMax());
  }

  public QuorumCopies quorumCopies(
      NodeContext lane,
      LedgerView knowledge,
      CopyTable copies,
      CopyStreams streams,
      NodeSettings settings) {
    return new QuorumCopies(lane, knowledge, copies, streams, settings.quorumCopies());
  }

  public QuorumReads quorumReads(NodeContext lane, LedgerView knowledge, NodeSettings settings) {
    return new QuorumReads(lane, knowledge, settings.quorumReads());
  }

  public SlaveHost slaveHost(NodeContext lane, LedgerView knowledge, NodeSettings settings) {
    return new SlaveHost(lane, knowledge, settings.slaves(), settings.askNanos());
  }

  public SlaveStreams slaveStreams(NodeContext lane, CopyTable copies, NodeSettings settings) {
    return new SlaveStreams(lane, copies, settings.slaves(), settings.askNanos());
  }

  /** The slaves, of the two parts above. */
  public final Slaves slaves(
      NodeContext lane,
      LedgerView knowledge,
      CopyTable copies,
      SplitPoints landmarks,
      NodeSettings settings,
      Supplier<List<NodeId>> nodes) {
    return new Slaves(
        lane,
        knowledge,
        copies,
        slaveHost(lane, knowledge, settings),
        slaveStreams(lane, copies, settings),
        landmarks,
        settings.slaves(),
        nodes);
  }

  public Participant participant(
      NodeContext lane,
      LedgerView knowledge,
      EngineWriter writer,
      SequencerLink sequencer,
      NodeSettings settings) {
    return new Participant(lane, knowledge, writer, sequencer, settings.participant());
  }

  public Coordinator coordinator(
      NodeContext lane, LedgerView knowledge, SequencerLink sequencer, NodeSettings settings) {
    return new Coordinator(lane, knowledge, sequencer, settings.coordinator());
  }

  public Sequencer sequencer(
      NodeContext lane,
      LedgerView knowledge,
      NodeSettings settings,
      Supplier<List<Member>> members,
      Runnable activated) {
    return new Sequencer(lane, knowledge, settings.sequencer(), members, activated);
  }

  public LeaderWatch leaderWatch(NodeContext lane) {
    return new LeaderWatch(lane);
  }

  public Steward steward(
      NodeContext lane,
      Sequencer sequencer,
      Supplier<List<Member>> members,
      NodeSettings settings) {
    return new Steward(lane, sequencer, members, settings.steward(), settings.balance());
  }

  public Departure departure(
      NodeContext lane,
      LedgerView knowledge,
      CopyTable copies,
      CopyBuilder builder,
      Coordinator coordinator,
      Supplier<List<Member>> members) {
    return new Departure(lane, knowledge, copies, builder, coordinator, members);
  }
}
