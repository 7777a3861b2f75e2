package org.ecstore.bench.control;

import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import org.ecstore.bench.qos.ClusterSettling;
import org.ecstore.bench.validate.MeasuredSource;
import org.ecstore.model.control.ControlSettings;
import org.ecstore.model.objective.Objective;
import org.ecstore.protocol.ClientReply.Control;
import org.ecstore.protocol.ClientReply.Objectives;

/** The cluster of a run, as the run needs it. Safe for use by several threads. */
interface RunCluster {
  /**
   * What can be seen of it.
   *
   * @param processes of all nodes
   * @param members that the cluster knows; empty if no node answers
   * @param places nodes that have ranges of their own; empty if no node answers
   * @param making copies that are being made, of those nodes that answer; empty if none does
   * @param keeper who holds nodes to their capacity: a word, or nothing
   */
  record Seen(
      Set<Long> processes,
      OptionalInt members,
      OptionalInt places,
      OptionalInt making,
      String keeper) {
    public Seen {
      processes = Set.copyOf(processes);
    }
  }

  /**
   * How it is.
   *
   * @throws IOException if what is known of its nodes cannot be read, as while one is added
   */
  Seen look() throws IOException;

  /** What the controller does; absent if no node has the answer. */
  Optional<Control> control();

  /** What is promised, and what clients have; absent if no node has the answer. */
  Optional<Objectives> objectives();

  /** What clients connect to. */
  String addresses() throws IOException;

  /**
   * States an objective.
   *
   * @throws IOException if it is refused; says why
   */
  void state(Objective objective) throws IOException, InterruptedException;

  /**
   * Says what the controller may do.
   *
   * @throws IOException if it is refused; says why
   */
  void allow(ControlSettings settings) throws IOException, InterruptedException;

  /**
   * Has the controller go by a table.
   *
   * @throws IOException if it is refused; says why
   */
  void use(MeasuredSource table) throws IOException, InterruptedException;

  /**
   * Runs a load, once at least, until the nodes are steady.
   *
   * @param within how long that may take
   * @return whether they are
   * @throws IOException if an operation failed, or none ended
   */
  boolean settle(ClusterSettling.Window load, Duration within)
      throws IOException, InterruptedException;

  /** The node that leads; absent if none says that it does. */
  Optional<Integer> leader() throws IOException;

  /** SIGKILL; returns when the process is gone. */
  void kill(int node) throws IOException, InterruptedException;

  /** Starts a node that was killed, and returns at once. */
  void launch(int node) throws IOException, InterruptedException;
}
