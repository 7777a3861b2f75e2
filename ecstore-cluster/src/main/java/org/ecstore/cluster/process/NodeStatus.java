package org.ecstore.cluster.process;

import java.util.Optional;
import org.ecstore.model.NodeRole;
import org.ecstore.protocol.ClientReply.Inspected;

/**
 * One process of a cluster, seen from outside.
 *
 * @param pid absent if it does not run
 * @param address where clients reach it
 * @param seen what it says of itself; absent if it does not answer
 * @param guard what has to be said of the process that would start it again, where all is not well
 */
public record NodeStatus(
    int node,
    State state,
    Optional<Long> pid,
    String address,
    Optional<Inspected> seen,
    Optional<String> guard) {
  /** What a process is doing. */
  public enum State {
    /** It does not run. */
    DOWN,
    /** It has ended by itself, and its guard will start it again. */
    RESTARTING,
    /** It runs and does not answer: it is starting, or too busy. */
    SILENT,
    /** A signal has stopped it. */
    PAUSED,
    /** It answers, and does not serve all its ranges yet. */
    STARTING,
    /** It serves. */
    SERVING,
    /** It has nothing, by an operator's command, whether its process runs or not. */
    DRAINED
  }

  /** Whether it says that it is the sequencer. One that was deposed may say so for a moment. */
  public boolean sequencing() {
    return seen.map(inspected -> inspected.roles().contains(NodeRole.SEQUENCER)).orElse(false);
  }
}
