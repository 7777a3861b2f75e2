package org.ecstore.client.error;

import org.jspecify.annotations.Nullable;

/**
 * More is asked of the nodes than they can do in time, and they said so a few times in a row.
 * Nothing was done. Trying again at once makes it worse: do less at a time, try later, or give the
 * store more nodes.
 */
public final class OverloadedException extends UnavailableException {
  private static final long serialVersionUID = 1L;

  public OverloadedException(String text, @Nullable Throwable cause, Object... details) {
    super(ErrorCode.OVERLOADED, text, cause, details);
  }
}
