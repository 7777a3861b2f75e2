package org.ecstore.txn.node;

import java.util.List;
import java.util.function.Supplier;
import org.ecstore.core.lane.Lane;
import org.ecstore.core.port.Coordination.Member;
import org.ecstore.id.NodeId;
import org.ecstore.replication.copy.CopyBuilder;
import org.ecstore.replication.copy.CopyFollower;
import org.ecstore.replication.copy.CopySource;
import org.ecstore.replication.copy.CopyStreams;
import org.ecstore.replication.copy.CopyTable;
import org.ecstore.replication.copy.EngineWriter;
import org.ecstore.replication.copy.Landmarks;
import org.ecstore.replication.copy.Pruner;
import org.ecstore.replication.copy.WriteHolds;
import org.ecstore.replication.position.Knowledge;
import org.ecstore.replication.quorum.QuorumCopies;
import org.ecstore.replication.quorum.QuorumReads;
import org.ecstore.replication.read.SnapshotReads;
import org.ecstore.replication.slave.SlaveHost;
import org.ecstore.replication.slave.SlaveStreams;
import org.ecstore.replication.slave.Slaves;
import org.ecstore.txn.commit.Coordinator;
import org.ecstore.txn.commit.Participant;
import org.ecstore.txn.sequencer.LeaderWatch;
import org.ecstore.txn.sequencer.Sequencer;
import org.ecstore.txn.sequencer.SequencerLink;
import org.ecstore.txn.steward.Steward;
import org.ecstore.wire.client.ClientReply;

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

  public Knowledge knowledge(Lane lane, NodeSettings settings) {
    return new Knowledge(lane, settings.askNanos(), settings.unprovenMax());
  }

  public CopyTable copies(
      Lane lane,
      Knowledge knowledge,
      EngineWriter writer,
      WriteHolds holds,
      CopyTable.Listener listener) {
    return new CopyTable(lane, knowledge, writer, holds, listener);
  }

  public SnapshotReads reads(Lane lane, Knowledge knowledge, CopyTable copies, WriteHolds holds) {
    return new SnapshotReads(lane, knowledge, copies, holds);
  }

  public CopySource source(Lane lane, CopyTable copies, NodeSettings settings) {
    return new CopySource(lane, copies, settings.leaseNanos(), settings.transfers());
  }

  public Starts starts(
      Lane lane,
      Knowledge knowledge,
      CopyTable copies,
      SequencerLink sequencer,
      Positions positions,
      NodeSettings settings) {
    return new Starts(lane, knowledge, copies, sequencer, positions, settings.tickNanos());
  }

  public CopyStreams streams(
      Lane lane, Knowledge knowledge, CopyTable copies, NodeSettings settings) {
    return new CopyStreams(lane, knowledge, copies, settings.askNanos(), settings.streams());
  }

  public Pruner pruner(Lane lane, CopyTable copies, EngineWriter writer, NodeSettings settings) {
    return new Pruner(lane, copies, writer, settings.pruneNanos());
  }

  public CopyFollower follower(
      Lane lane, CopyTable copies, EngineWriter writer, NodeSettings settings) {
    return new CopyFollower(lane, copies, writer, settings.streams().keptTogetherBytesMax());
  }

  public QuorumCopies quorumCopies(
      Lane lane,
      Knowledge knowledge,
      CopyTable copies,
      CopyStreams streams,
      NodeSettings settings) {
    return new QuorumCopies(lane, knowledge, copies, streams, settings.quorumCopies());
  }

  public QuorumReads quorumReads(Lane lane, Knowledge knowledge, NodeSettings settings) {
    return new QuorumReads(lane, knowledge, settings.quorumReads());
  }

  public SlaveHost slaveHost(Lane lane, Knowledge knowledge, NodeSettings settings) {
    return new SlaveHost(lane, knowledge, settings.slaves(), settings.askNanos());
  }

  public SlaveStreams slaveStreams(Lane lane, CopyTable copies, NodeSettings settings) {
    return new SlaveStreams(lane, copies, settings.slaves(), settings.askNanos());
  }

  /** The slaves, of the two parts above. */
  public final Slaves slaves(
      Lane lane,
      Knowledge knowledge,
      CopyTable copies,
      Landmarks landmarks,
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
      Lane lane,
      Knowledge knowledge,
      EngineWriter writer,
      SequencerLink sequencer,
      NodeSettings settings) {
    return new Participant(lane, knowledge, writer, sequencer, settings.participant());
  }

  public Coordinator coordinator(
      Lane lane, Knowledge knowledge, SequencerLink sequencer, NodeSettings settings) {
    return new Coordinator(lane, knowledge, sequencer, settings.coordinator());
  }

  public Sequencer sequencer(
      Lane lane,
      Knowledge knowledge,
      NodeSettings settings,
      Supplier<List<Member>> members,
      Runnable activated) {
    return new Sequencer(lane, knowledge, settings.sequencer(), members, activated);
  }

  public LeaderWatch leaderWatch(Lane lane) {
    return new LeaderWatch(lane);
  }

  public Steward steward(
      Lane lane, Sequencer sequencer, Supplier<List<Member>> members, NodeSettings settings) {
    return new Steward(lane, sequencer, members, settings.steward(), settings.balance());
  }

  public Departure departure(
      Lane lane,
      Knowledge knowledge,
      CopyTable copies,
      CopyBuilder builder,
      Coordinator coordinator,
      Supplier<List<Member>> members) {
    return new Departure(lane, knowledge, copies, builder, coordinator, members);
  }
}
