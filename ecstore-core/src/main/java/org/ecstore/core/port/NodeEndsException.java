package org.ecstore.core.port;

/**
 * A node must end, and that is no bug of its own: the message is one line that says what is wrong
 * and what to do. Thrown by a {@link StateMachine}, which is not called again.
 */
public abstract sealed class NodeEndsException extends RuntimeException
    permits DisplacedException, EngineLostException, WrongPartsException {
  private static final long serialVersionUID = 1L;

  NodeEndsException(String message) {
    super(message);
  }
}
