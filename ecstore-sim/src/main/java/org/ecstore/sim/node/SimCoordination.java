package org.ecstore.sim.node;

import java.util.Optional;
import java.util.function.Consumer;
import org.ecstore.core.port.Coordination;
import org.ecstore.id.NodeId;
import org.ecstore.key.Bytes;
import org.ecstore.sim.world.Life;
import org.ecstore.sim.world.SwarmSettings;
import org.ecstore.sim.world.World;

/**
 * Membership, compare-and-set and the election hint of a simulated cluster, as all of its nodes
 * share them, and what can be done to them.
 */
public interface SimCoordination {
  /** Makes the coordination of a world. */
  @FunctionalInterface
  interface Factory {
    SimCoordination create(World world, SwarmSettings.CoordinationFaults faults);
  }

  /** Tells of every value that is replaced, and by whom, in that very moment. */
  void onChange(Consumer<NodeId> listener);

  /** The value of a key at present; absent if there is none. */
  Optional<Bytes> value(String key);

  /** The member that is to lead at present. */
  Optional<NodeId> leader();

  /** How often a member was suspected. */
  long suspicions();

  /** The port of one life of a node. */
  Coordination port(Life life);

  /** The end of a life: its session ends some time later. */
  void crashed(Life life);

  /** Cuts a node off for a while. If that takes longer than its session, it is no member then. */
  void cutOff(NodeId node, long nanos);

  /** A node's process stands still for a while, and is not heard of. */
  default void stopped(NodeId node, long nanos) {
    cutOff(node, nanos);
  }

  /** Ends every cut. */
  void heal();

  /** Ends a node's membership. */
  void expire(NodeId node);

  /**
   * Ends the session of a node that lives, behind its back: it is no member, and does not lead,
   * until its client has noticed and announced it again.
   *
   * @param nanos after which it has noticed at the latest
   */
  void expireLiving(NodeId node, long nanos);

  /**
   * Another process, about which nothing else is known, joins under the id of a node, and is a
   * member for a while.
   */
  void displace(NodeId node, long nanos);

  /** How often that is to come about by itself: a mean time; 0 for never. */
  default long displacesNanos() {
    return 0;
  }

  /** For a while some nodes are told that one member leads, and the rest that another does. */
  void splitHint(long nanos);

  /** Names another member as leader, as an election that went wrong for a moment would. */
  void flapHint();
}
