package org.ecstore.sim.world;

import org.ecstore.core.port.Event;
import org.ecstore.id.NodeId;

/** One life of a node's process, from its start to its crash, as the services around it see it. */
public interface Life {
  NodeId node();

  /** A name that no other life has, for generators of its own. */
  String name();

  boolean isAlive();

  /** Until when the process does nothing; a time in the past if it runs. */
  long pausedUntilNanos();

  /** Gives the process an event; nothing happens once it is dead. */
  void post(Event event);

  /** Coordination has given this life an incarnation. */
  void joined(long incarnation);
}
