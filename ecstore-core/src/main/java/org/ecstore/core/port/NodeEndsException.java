package org.ecstore.core.port;

import org.ecstore.id.NodeId;

/**
 * A node must end, and that is no bug of its own: the message is one line that says what is wrong
 * and what to do. Thrown by a {@link StateMachine}, which is not called again.
 */
public abstract sealed class NodeEndsException extends RuntimeException
    permits DisplacedException,
        EngineLostException,
        NodeEndsException.PartFailedException,
        WrongPartsException {
  private static final long serialVersionUID = 1L;

  NodeEndsException(String message) {
    super(message);
  }

  /**
   * What the node uses of its process, its client of the ledger or of coordination, has met a bug
   * and does nothing any more. A node that lived on without it would hold up others for ever
   * (decision 0115). The next process begins with a new one.
   */
  public static final class PartFailedException extends NodeEndsException {
    private static final long serialVersionUID = 1L;

    /** What failed, as {@link Event.PartFailed} says it. */
    public PartFailedException(NodeId node, Event.PartFailed failed) {
      super(
          "%s of %s has failed (%s): the node ends, and goes on when it is started again"
              .formatted(failed.part(), node, failed.detail()));
    }
  }
}
