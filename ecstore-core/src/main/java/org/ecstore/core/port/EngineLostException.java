package org.ecstore.core.port;

import org.ecstore.id.NodeId;

/**
 * The node's engine has lost what it had confirmed, so that nothing that this node believes of its
 * copies holds: it ends. Started again it finds what is there, says which copies it has lost, and
 * is given them anew. Thrown by a {@link StateMachine}, which is not called again.
 */
public final class EngineLostException extends NodeEndsException {
  private static final long serialVersionUID = 1L;

  /** What the engine said. */
  public EngineLostException(NodeId node, String detail) {
    super(
        "the engine of "
            + node
            + " has lost what it had ("
            + detail
            + "): the node ends, and its copies are filled anew when it is started again");
  }
}
