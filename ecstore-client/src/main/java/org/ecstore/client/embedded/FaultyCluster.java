package org.ecstore.client.embedded;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.ecstore.id.NodeId;

/**
 * A cluster whose nodes fail when they are told to. Its nodes are numbered from 1 on. Ledger and
 * coordination stay with the greater part when some nodes are cut off, as where each node's machine
 * hosts a part of them. Methods return once what they say has come about, and are called by one
 * thread at a time; a number that is no node's is an {@link IllegalArgumentException}.
 */
public interface FaultyCluster extends AutoCloseable {
  /** Each has an engine and threads of its own: more than a test's machine should have. */
  int NODES_MAX = 7;

  /** Longer than this a message waits nowhere. */
  Duration DELAY_MAX = Duration.ofSeconds(10);

  /** All nodes in order of their numbers, as they are at the moment. */
  List<FaultyNode> look();

  /**
   * Ends a node as a crash would; what its disk has stays.
   *
   * @throws IllegalStateException if it does not run
   */
  void kill(NodeId node);

  /**
   * Starts a node that was killed; returns at once.
   *
   * @throws IllegalStateException if it runs
   */
  void start(NodeId node);

  /**
   * Has a node stand still, as a process that was stopped: it keeps its connections and says
   * nothing. After a second without a word it is no member, until it goes on.
   *
   * @throws IllegalStateException if it does not run, or stands still
   */
  void pause(NodeId node);

  /**
   * Has it go on.
   *
   * @throws IllegalStateException if it does not stand still
   */
  void resume(NodeId node);

  /**
   * From now on these nodes and all others hear nothing of each other, and only the greater part
   * hears of ledger and coordination; of two that are as great, those that are not named. In place
   * of what was cut off before.
   *
   * @param apart none, for a cluster that is whole
   */
  void cutOff(Set<NodeId> apart);

  /**
   * From now on what one node says to another arrives later.
   *
   * @param delay from zero to {@link #DELAY_MAX}
   */
  void slow(NodeId from, NodeId to, Duration delay);

  /** Ends all nodes. Closing again does nothing. */
  @Override
  void close();
}
