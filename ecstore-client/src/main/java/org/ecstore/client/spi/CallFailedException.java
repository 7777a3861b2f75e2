package org.ecstore.client.spi;

/** A call got no reply. {@link Kind} says what is known of the request. */
public final class CallFailedException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** What is known of a request that got no reply. */
  public enum Kind {
    /** It never left this process: nothing was done. */
    NOT_SENT,
    /**
     * It waited in line in this process, behind others to the same node, until time was up or there
     * was no room: it never left, nothing was done, and there is more to do than the node takes.
     */
    NOT_TAKEN,
    /** It was sent, then the connection broke: it may have been done. */
    LOST,
    /** No reply came in time: it may have been done, or may be done later. */
    TIMED_OUT
  }

  private final Kind kind;

  public CallFailedException(Kind kind, String detail) {
    super(detail);
    this.kind = kind;
  }

  /** What is known of the request. */
  public Kind kind() {
    return kind;
  }
}
