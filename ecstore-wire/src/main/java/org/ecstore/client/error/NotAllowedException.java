package org.ecstore.client.error;

import org.jspecify.annotations.Nullable;

/**
 * The nodes do not do it for this client: it has not shown that it has the cluster's secret.
 * Nothing was done, and trying again does not help. The message says what nodes object to; {@code
 * EcStoreOptions.secretFile} gives a store the secret (decision 0035).
 */
public final class NotAllowedException extends WrongArgumentException {
  private static final long serialVersionUID = 1L;

  public NotAllowedException(String text, @Nullable Throwable cause, Object... details) {
    super(text, cause, details);
  }
}
