package org.ecstore.engines.store;

/** A call to an {@link OrderedStore} that did not do what it was asked to. */
public final class StoreException extends RuntimeException {
  private static final long serialVersionUID = 1;

  /** Why, as far as the one above must know it. */
  public enum Reason {
    /** It is full: writes may be made again when there is room. */
    NO_ROOM,
    /** An I/O error, a server that does not answer: the call may be made again. */
    UNAVAILABLE,
    /**
     * What was confirmed to be there is not: a volatile store restarted or emptied, another process
     * took it over. Every later call of this instance fails the same way.
     */
    LOST
  }

  private final Reason reason;

  /**
   * A call failed.
   *
   * @param message what happened and what to do, one line
   */
  public StoreException(Reason reason, String message, Throwable cause) {
    super(message, cause);
    this.reason = reason;
  }

  /** As above, without a cause. */
  public StoreException(Reason reason, String message) {
    super(message);
    this.reason = reason;
  }

  /** Why it failed. */
  public Reason reason() {
    return reason;
  }
}
