package org.ecstore.client.error;

import org.jspecify.annotations.Nullable;

/**
 * No node could do it before the deadline. Unless this is an {@link UnknownOutcomeException},
 * nothing was done, and it may be tried again.
 */
public class UnavailableException extends EcStoreException {
  private static final long serialVersionUID = 1L;

  public UnavailableException(String text, @Nullable Throwable cause, Object... details) {
    this(ErrorCode.UNAVAILABLE, text, cause, details);
  }

  UnavailableException(ErrorCode code, String text, @Nullable Throwable cause, Object... details) {
    super(code, text, cause, details);
  }
}
