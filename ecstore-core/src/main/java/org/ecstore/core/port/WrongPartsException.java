package org.ecstore.core.port;

/**
 * The node's engine, the ledger and the coordination do not belong together: one of them is older
 * than what another has of it, or another store's. To go on would use positions, map versions or
 * incarnations twice, and lose what was acknowledged.
 */
public final class WrongPartsException extends NodeEndsException {
  private static final long serialVersionUID = 1L;

  /** What is wrong, and what to do. */
  public WrongPartsException(String message) {
    super(message);
  }
}
