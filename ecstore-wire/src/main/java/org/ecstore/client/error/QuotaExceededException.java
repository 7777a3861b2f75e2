package org.ecstore.client.error;

import org.jspecify.annotations.Nullable;

/**
 * The application holds all that its quota lets it, and the transaction puts records into one of
 * its tables. Nothing was done, and trying again does not help: delete records, which is always
 * taken, or have the quota raised ({@code slo set --quota}). The message says how much there is and
 * how much may be. Writes are taken again some seconds after there is less than 95 % of it.
 *
 * <p>Nodes of release 0.23 and older know no quotas; to clients of these it is a {@link
 * TooLargeException}.
 */
public final class QuotaExceededException extends EcStoreException {
  private static final long serialVersionUID = 1L;

  public QuotaExceededException(String text, @Nullable Throwable cause, Object... details) {
    super(ErrorCode.OVER_QUOTA, text, cause, details);
  }
}
