package org.ecstore.tools.torture;

import java.util.Locale;

/** What is done to nodes, and what the steward is asked for meanwhile. */
public enum FaultKind {
  /** A node is killed, and started again a little later. */
  KILL,
  /** A node is frozen for a while, sometimes longer than others wait for it. */
  STOP,
  /** A node is ended in good order and started again at once. */
  RESTART,
  /** A node is added. */
  JOIN,
  /** The database server under a node is killed, and started again a little later. */
  KILL_DATABASE,
  /** The database server under a node is frozen for a while. */
  STOP_DATABASE,
  /** A range is to become two. */
  SPLIT,
  /** Two ranges are to become one. */
  MERGE,
  /** A range has to be served by another node. */
  MOVE,
  /** A secondary copy has to be on another node. */
  MOVE_COPY,
  /** A node is to hand over all it has; then its process is started anew, and it joins again. */
  LEAVE;

  /** Whether it is a request of an operator: it may be refused, and does no harm by itself. */
  public boolean isRequest() {
    return switch (this) {
      case KILL, STOP, RESTART, JOIN, KILL_DATABASE, STOP_DATABASE -> false;
      case SPLIT, MERGE, MOVE, MOVE_COPY, LEAVE -> true;
    };
  }

  /** Whether it is done to the database server under a node, and not to the node. */
  public boolean isOfDatabase() {
    return this == KILL_DATABASE || this == STOP_DATABASE;
  }

  /** Its name on the command line and in reports. */
  public String word() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
