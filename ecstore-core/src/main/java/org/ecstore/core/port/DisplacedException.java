package org.ecstore.core.port;

import org.ecstore.id.NodeId;

/**
 * Another process has joined under this node's id, so this one must end: no other node listens to
 * it any more, and two that go on would shut each other out of the ledger again and again. Not a
 * bug, but most likely two configurations with one id. Thrown by a {@link StateMachine}, which is
 * not called again.
 */
public final class DisplacedException extends NodeEndsException {
  private static final long serialVersionUID = 1L;

  /** By an incarnation of the same node, or a later one. */
  public DisplacedException(NodeId node, long by) {
    super(
        "node "
            + node.value()
            + " was started again elsewhere (incarnation "
            + by
            + "): this process ends. Give each node its own node.id");
  }
}
