package org.ecstore.wire;

/**
 * Bytes from outside that are not a message of this protocol: the connection they came by is
 * closed.
 */
public final class MalformedMessageException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final boolean tooLarge;

  public MalformedMessageException(String message) {
    this(message, false);
  }

  private MalformedMessageException(String message, boolean tooLarge) {
    super(message);
    this.tooLarge = tooLarge;
  }

  /** Of a part that is over a published limit. */
  static MalformedMessageException tooLarge(String message) {
    return new MalformedMessageException(message, true);
  }

  /** Whether all that is wrong is a part over a published limit. */
  public boolean isTooLarge() {
    return tooLarge;
  }
}
