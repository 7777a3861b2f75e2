package org.ecstore.cluster.node;

/**
 * A node does not start as it is configured: a directory of another node, a port in use. The
 * message is one line that says what is wrong and what to do.
 */
public final class StartRefusedException extends RuntimeException {
  private final boolean temporary;

  private StartRefusedException(String message, Throwable cause, boolean temporary) {
    super(message, cause);
    this.temporary = temporary;
  }

  StartRefusedException(String message) {
    super(message);
    this.temporary = false;
  }

  /** The same start has the same end until an operator changes something. */
  StartRefusedException(String message, Throwable cause) {
    this(message, cause, false);
  }

  /** The reason may pass by itself: a full disk, a port still in use. */
  static StartRefusedException temporary(String message, Throwable cause) {
    return new StartRefusedException(message, cause, true);
  }

  /** Whether a later start of the same may succeed (decision 0034). */
  public boolean isTemporary() {
    return temporary;
  }
}
