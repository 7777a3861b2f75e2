package org.ecstore.model.control;

/** What the controller can do. */
public enum ActionKind {
  /** An application of best effort may have so many operations a second, and no more. */
  LIMIT("limit"),
  /** A limit is raised, or goes. */
  RELEASE("release"),
  /** Primaries go from nodes with much to do to nodes with little. */
  REBALANCE("rebalance"),
  /** The busiest keys of a copy get hot-spot replicas from fewer reads a second on. */
  LOWER_THRESHOLD("lower threshold"),
  /** They get them from as many reads a second on as nodes are configured. */
  RAISE_THRESHOLD("raise threshold"),
  /** One node more. */
  ADD_NODE("add node"),
  /** A node that was added goes again. */
  REMOVE_NODE("remove node");

  private final String words;

  ActionKind(String words) {
    this.words = words;
  }

  /** For people: {@code add node}. */
  public String words() {
    return words;
  }
}
