package org.ecstore.tools.torture;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.ecstore.client.secret.ClusterSecret;
import org.ecstore.id.NodeId;
import org.ecstore.protocol.ClientReply.Decided;
import org.ecstore.protocol.ClientReply.StatusReport;
import org.ecstore.protocol.ClientRequest;

/**
 * A cluster whose nodes can be hurt. What is started returns once the node serves. Safe for use by
 * several threads.
 */
interface TestedCluster extends AutoCloseable {
  /** So long the ledger is kept for the follower of changes, which nodes that are away hold up. */
  Duration CHANGES_KEPT = Duration.ofMinutes(10);

  /** The addresses of all nodes, as {@code EcStore.connect} takes them. */
  String addresses() throws IOException;

  /** What its nodes know each other by. */
  ClusterSecret secret() throws IOException;

  /** All nodes, running or not. */
  List<NodeId> nodes();

  /** Who gives out commit numbers, as far as is known. */
  Optional<NodeId> sequencer() throws IOException;

  /** Whether the cluster goes on committing, after a moment, while some nodes are away. */
  boolean bears(Set<NodeId> away);

  /** Whether a kind of fault can come about here. */
  boolean knows(FaultKind kind);

  /** Whether two nodes have engines of one kind, so that one may have the other's copies. */
  default boolean areAlike(NodeId one, NodeId other) {
    return true;
  }

  /** The nodes that have a database server under them, running or not. */
  List<NodeId> databases() throws IOException;

  /** Ends a node with no time for last words; on processes, SIGKILL. */
  void kill(NodeId node) throws IOException, InterruptedException;

  /** Ends a node in good order; on processes, SIGTERM. */
  void stop(NodeId node) throws IOException, InterruptedException;

  /** Starts a node again. */
  void start(NodeId node) throws IOException, InterruptedException;

  /**
   * Starts a node again that is to leave, and may have nothing to serve any more; returns once it
   * answers.
   */
  void startLeaving(NodeId node) throws IOException, InterruptedException;

  /** Freezes a node; on processes, SIGSTOP. */
  void pause(NodeId node) throws IOException, InterruptedException;

  /** Lets a node go on. */
  void resume(NodeId node) throws IOException, InterruptedException;

  /**
   * Ends the database server under a node with no time for last words, or freezes it. The node may
   * go on, or end by itself, until {@link #restoreDatabase} has returned.
   */
  void hurtDatabase(NodeId node, FaultKind kind) throws IOException, InterruptedException;

  /** Has the database server under a node go on, and the node serve. */
  void restoreDatabase(NodeId node) throws IOException, InterruptedException;

  /** Starts a node that was not there before. */
  NodeId addNode() throws IOException, InterruptedException;

  /** The newest map of ranges that a node which answers knows; absent if none has one. */
  Optional<StatusReport> map() throws IOException;

  /** Asks the steward, by way of any node; absent if none has its answer. */
  Optional<Decided> ask(ClientRequest request) throws IOException;

  /**
   * Waits until every node serves.
   *
   * @throws IOException if one does not in time; the message says which
   */
  void awaitWhole(Duration within) throws IOException, InterruptedException;

  /** Nodes that ended by themselves since they were last asked for; they can be started again. */
  List<NodeId> findEnded() throws IOException;

  /** How often a node had another lead in place of one that lived, as far as nodes have said so. */
  long falseTakeovers() throws IOException;

  /** Nodes that ended by themselves, and why as far as is known: each is a bug. */
  List<String> failures() throws IOException;

  /** Ends all nodes; what they wrote stays. */
  @Override
  void close() throws IOException;
}
